// Invitations that nobody has taken up yet.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Moment } from '../../ui/moment'
import { explain } from '../../ui/states'

const roleNames: Readonly<Record<string, string>> = text.roles

export function Invitations() {
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const { data = [] } = useQuery({
    queryKey: [...key, 'invitations'],
    queryFn: async ({ signal }) => (await parley.invitations.list({ limit: 100 }, { signal })).data,
  })
  const withdraw = useMutation({
    mutationFn: (id: string) => parley.invitations.delete(id),
    onSettled: () => queries.invalidateQueries({ queryKey: [...key, 'invitations'] }),
    onError: (error) => toast(explain(error), { tone: 'danger' }),
  })
  if (data.length === 0) return null
  return (
    <section>
      <h2 className="pt-4 pb-1 font-semibold">{text.settings.invited}</h2>
      <ul className="divide-y divide-line border-y border-line">
        {data.map(({ id, email, role, expiresAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-4 py-2">
            <span className="min-w-0 flex-1 truncate">{email}</span>
            <span className="text-muted">{roleNames[role] ?? role}</span>
            <span className="text-xs text-muted">
              {text.settings.expires} <Moment at={expiresAt} />
            </span>
            <Button look="quiet" onClick={() => withdraw.mutate(id)}>
              {text.settings.withdraw}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
