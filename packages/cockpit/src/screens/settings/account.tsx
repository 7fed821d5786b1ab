// One's own account: name, password, and where one is signed in.
import type { Session } from '@parley/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { ownParley } from '../../api/client'
import { sessionQuery, useSession } from '../../api/session'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { Moment } from '../../ui/moment'
import { explain } from '../../ui/states'
import { Badge } from '../../ui/words'
import { Identities } from './identities'

export function Account() {
  const session = useSession()
  if (!session?.user) return null
  const { user, signIn } = session
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-8">
      <OwnForm submit={text.save} send={(said) => ownParley.session.updateUser({ name: said('name') })}>
        <TextField label={text.settings.yourName} name="name" required defaultValue={user.name} autoComplete="name" />
        <TextField label={text.signIn.email} defaultValue={user.email ?? ''} disabled />
      </OwnForm>
      <OwnForm
        submit={text.settings.changePassword}
        send={(said) =>
          ownParley.session.changePassword({
            password: said('password'),
            ...(user.hasPassword && { currentPassword: said('current') }),
          })
        }
      >
        {user.hasPassword && (
          <TextField
            label={text.settings.currentPassword}
            name="current"
            type="password"
            required
            autoComplete="current-password"
          />
        )}
        <TextField
          label={text.signIn.newPassword}
          name="password"
          type="password"
          required
          minLength={12}
          autoComplete="new-password"
          hint={text.signIn.passwordHint}
        />
      </OwnForm>
      <Identities user={user} signIn={signIn} />
      <OwnSessions />
    </div>
  )
}

interface OwnFormProps {
  readonly submit: string
  readonly send: (said: (name: string) => string) => Promise<Session>
  readonly children: React.ReactNode
}

function OwnForm({ submit, send, children }: OwnFormProps) {
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: (form: FormData) => send((name) => String(form.get(name) ?? '')),
    onSuccess: (session) => {
      queries.setQueryData(sessionQuery.queryKey, session)
      toast(text.settings.saved)
    },
    onError: (error) => toast(explain(error), { tone: 'danger' }),
  })
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(new FormData(event.currentTarget))
    event.currentTarget.reset()
  }
  return (
    <form onSubmit={onSubmit} className="grid max-w-md gap-4">
      {children}
      <Button type="submit" className="justify-self-start" disabled={save.isPending}>
        {submit}
      </Button>
    </form>
  )
}

function OwnSessions() {
  const queries = useQueryClient()
  const { data = [], error } = useQuery({
    queryKey: ['own sessions'],
    queryFn: ({ signal }) => ownParley.sessions.list({ signal }),
  })
  const end = useMutation({
    mutationFn: (id: string | undefined) =>
      id === undefined ? ownParley.sessions.endOthers() : ownParley.sessions.end(id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['own sessions'] }),
    onError: (error) => toast(explain(error), { tone: 'danger' }),
  })
  return (
    <section>
      <div className="flex items-center justify-between gap-4 pb-1">
        <h2 className="font-semibold">{text.settings.sessions}</h2>
        {data.length > 1 && <Button onClick={() => end.mutate(undefined)}>{text.settings.endOthers}</Button>}
      </div>
      {error && <p className="text-danger">{explain(error)}</p>}
      <ul className="divide-y divide-line border-y border-line empty:border-0">
        {data.map(({ id, userAgent, address, lastUsedAt, isCurrent }) => (
          <li key={id} className="flex items-center gap-4 py-2">
            <span className="min-w-0 flex-1">
              <span className="block truncate">{userAgent ?? text.settings.unknownBrowser}</span>
              <span className="block text-xs text-muted">
                {address} · <Moment at={lastUsedAt} />
              </span>
            </span>
            {isCurrent ? (
              <Badge tone="good">{text.settings.thisOne}</Badge>
            ) : (
              <Button look="quiet" onClick={() => end.mutate(id)}>
                {text.settings.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
