// Organization and environment. The sandbox is amber, everywhere and always; production is quiet.
import { environments } from '@parley/contract/scopes'
import { useRouterState } from '@tanstack/react-router'
import { Check, ChevronsUpDown, FlaskConical, Radio } from 'lucide-react'
import { useGo, usePlace } from '../api/place'
import { useSession } from '../api/session'
import { text } from '../text'
import { Menu, MenuHeading, MenuItem } from '../ui/menu'

export function EnvironmentSwitch() {
  const { organizationId, environment } = usePlace()
  const organizations = useSession()?.organizations ?? []
  const screen = useRouterState({ select: ({ location }) => location.pathname.split('/')[4] ?? 'live' })
  const go = useGo()
  const name = organizations.find(({ id }) => id === organizationId)?.name ?? ''
  const isSandbox = environment === 'sandbox'
  const look = isSandbox
    ? 'border-warning-edge bg-warning-soft text-warning'
    : 'border-line-strong bg-surface text-ink hover:bg-hover'
  const Icon = isSandbox ? FlaskConical : Radio
  const trigger = (
    <>
      <Icon size={16} aria-hidden className="shrink-0" />
      <span className="min-w-0 flex-1 text-start max-lg:sr-only">
        <span className="block truncate font-semibold">{name}</span>
        <span className="block text-xs">{text.environments[environment]}</span>
      </span>
      <ChevronsUpDown size={14} aria-hidden className="shrink-0 max-lg:hidden" />
    </>
  )
  const shape = 'flex w-full items-center gap-2 rounded-md border px-2.5 py-1.5 max-lg:justify-center max-lg:px-0'
  return (
    <Menu trigger={trigger} triggerClass={`${shape} ${look}`}>
      {organizations.map((organization) => (
        <div key={organization.id}>
          <MenuHeading>{organization.name}</MenuHeading>
          {environments.map((one) => {
            const isCurrent = one === environment && organization.id === organizationId
            return (
              <MenuItem
                key={one}
                isCurrent={isCurrent}
                icon={one === 'sandbox' ? <FlaskConical size={15} aria-hidden /> : <Radio size={15} aria-hidden />}
                onPick={() => go(`/o/${organization.id}/${one}/${screen}`)}
              >
                {text.environments[one]}
                {isCurrent && <Check size={14} className="ms-auto" aria-hidden />}
              </MenuItem>
            )
          })}
        </div>
      ))}
    </Menu>
  )
}
