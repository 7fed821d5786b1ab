// E-mail and password, and the provider where there is one.
import type { Session } from '@parley/sdk'
import { KeyRound } from 'lucide-react'
import { ownParley } from '../../api/client'
import { useSearchParam } from '../../api/place'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { said, useEntering } from './use-entering'

interface PasswordProps {
  readonly signIn: Session['signIn']
  readonly onEnter: (session: Session) => void
  readonly onForgot: () => void
}

export function PasswordForm({ signIn, onEnter, onForgot }: PasswordProps) {
  const [to] = useSearchParam('to')
  const { onSubmit, isSending, problem } = useEntering(
    (form) => ownParley.session.signIn({ email: said(form, 'email'), password: said(form, 'password') }),
    onEnter,
  )
  const goToProvider = async () => {
    const { url } = await ownParley.session.openId(to === '' ? {} : { returnTo: to })
    location.assign(url)
  }
  return (
    <>
      {signIn.openId !== null && (
        <>
          <Button
            icon={<KeyRound size={15} aria-hidden />}
            className="justify-center"
            onClick={() => void goToProvider()}
          >
            {text.signIn.withProvider(signIn.openId)}
          </Button>
          <p className="text-center text-muted">{text.signIn.or}</p>
        </>
      )}
      <form onSubmit={onSubmit} className="grid gap-4">
        <TextField label={text.signIn.email} name="email" type="email" autoComplete="username" required autoFocus />
        <TextField
          label={text.signIn.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={problem}
        />
        <Button type="submit" look="primary" className="justify-center" disabled={isSending}>
          {text.signIn.submit}
        </Button>
        {signIn.mail && (
          <button type="button" onClick={onForgot} className="text-start text-accent hover:underline">
            {text.signIn.forgot}
          </button>
        )}
      </form>
    </>
  )
}
