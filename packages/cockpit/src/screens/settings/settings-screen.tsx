// Settings: the organization, its members, what it works on and listens for, its numbers, and one's own account.
import { usePathParts, usePlace } from '../../api/place'
import { text } from '../../text'
import { Body, Page } from '../../ui/page'
import { Account } from './account'
import { Definitions } from './definitions'
import { Members } from './members'
import { Numbers } from './numbers'
import { OrganizationSettings } from './organization-settings'
import { WorkTypes } from './work-types'

const parts = {
  organization: OrganizationSettings,
  members: Members,
  types: WorkTypes,
  definitions: Definitions,
  numbers: Numbers,
  account: Account,
}
type Part = keyof typeof parts
const names = Object.keys(parts).filter((name): name is Part => name in parts)

export function SettingsScreen() {
  const { at } = usePlace()
  const [, named] = usePathParts()
  const part = names.find((name) => name === named) ?? 'organization'
  const Shown = parts[part]
  return (
    <Page
      title={text.screens.settings}
      tabs={names.map((name) => [at('settings', name), text.settings[name], name === part] as const)}
    >
      <Body>
        <div className="max-w-3xl">
          <Shown />
        </div>
      </Body>
    </Page>
  )
}
