// A new password by a link.
import type { Session } from '@parley/sdk'
import { ownParley } from '../../api/client'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { said, useEntering } from './use-entering'

export function ResetForm({ token, onEnter }: { token: string; onEnter: (session: Session) => void }) {
  const { onSubmit, isSending, problem } = useEntering(
    (form) => ownParley.session.reset({ token, password: said(form, 'password') }),
    onEnter,
  )
  return (
    <form onSubmit={onSubmit} className="grid gap-4">
      <TextField
        label={text.signIn.newPassword}
        hint={text.signIn.passwordHint}
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={12}
        required
        autoFocus
        error={problem}
      />
      <Button type="submit" look="primary" className="justify-center" disabled={isSending}>
        {text.signIn.resetSubmit}
      </Button>
    </form>
  )
}
