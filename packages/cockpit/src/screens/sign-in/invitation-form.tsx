// Joins an organization by invitation: as who is signed in with that address, or with name and password.
import type { ExchangedLink, Session } from '@parley/sdk'
import { ownParley } from '../../api/client'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { said, useEntering } from './use-entering'

interface InvitationProps {
  readonly token: string
  readonly invitation: NonNullable<ExchangedLink['link']>
  readonly session: Session
  readonly onEnter: (session: Session) => void
}

const roleNames: Readonly<Record<string, string>> = text.roles

export function InvitationForm({ token, invitation, session, onEnter }: InvitationProps) {
  const { email, role } = invitation
  const isInvited = session.user !== null && session.user.email === email
  const { onSubmit, isSending, problem } = useEntering(
    (form) =>
      ownParley.session.acceptInvitation(
        isInvited ? { token } : { token, name: said(form, 'name'), password: said(form, 'password') },
      ),
    onEnter,
  )
  if (session.user !== null && !isInvited)
    return (
      <>
        <p>{text.signIn.signOutFirst}</p>
        <Button onClick={() => void ownParley.session.signOut().then(() => location.reload())}>{text.signOut}</Button>
      </>
    )
  return (
    <form onSubmit={onSubmit} className="grid gap-4">
      <p className="text-muted">{text.signIn.invitedAs(email ?? '', (roleNames[role ?? ''] ?? '').toLowerCase())}</p>
      {!isInvited && (
        <>
          <TextField label={text.signIn.name} name="name" autoComplete="name" required autoFocus />
          <TextField
            label={text.signIn.invitedPassword}
            hint={text.signIn.passwordHint}
            name="password"
            type="password"
            autoComplete="new-password"
            minLength={12}
            required
            error={problem}
          />
        </>
      )}
      {isInvited && problem !== undefined && <p className="text-danger">{problem}</p>}
      <Button type="submit" look="primary" className="justify-center" disabled={isSending}>
        {text.signIn.join}
      </Button>
    </form>
  )
}
