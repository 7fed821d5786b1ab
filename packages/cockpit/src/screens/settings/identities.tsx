// The provider that one signs in with besides a password: linked here, by whoever is signed in.
import type { Session } from '@parley/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { ownParley } from '../../api/client'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Moment } from '../../ui/moment'
import { explain } from '../../ui/states'

interface IdentitiesProps {
  readonly user: NonNullable<Session['user']>
  readonly signIn: Session['signIn']
}

export function Identities({ user: { identities }, signIn: { openId } }: IdentitiesProps) {
  const link = useMutation({
    mutationFn: () => ownParley.session.openId({ link: true, returnTo: location.pathname }),
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => toast(explain(error), { tone: 'danger' }),
  })
  if (identities.length === 0 && openId === null) return null
  return (
    <section aria-label={text.settings.identities}>
      <h2 className="font-semibold">{text.settings.identities}</h2>
      <p className="pb-2 text-muted">{text.settings.identitiesIntro}</p>
      {identities.length > 0 && (
        <ul className="mb-3 divide-y divide-line border-y border-line">
          {identities.map(({ issuer, linkedAt }) => (
            <li key={`${issuer} ${linkedAt}`} className="flex flex-wrap items-center gap-x-4 py-2">
              <span className="min-w-0 flex-1 truncate">{issuer}</span>
              <span className="text-xs text-muted">
                {text.settings.linked} <Moment at={linkedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {openId !== null && (
        <Button icon={<Link2 size={15} aria-hidden />} disabled={link.isPending} onClick={() => link.mutate()}>
          {text.settings.linkWith(openId)}
        </Button>
      )}
    </section>
  )
}
