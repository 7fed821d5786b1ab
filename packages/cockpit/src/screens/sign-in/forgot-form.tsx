// Asks for a link to a new password; the answer is the same whoever asks.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent } from 'react'
import { ownParley } from '../../api/client'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { explain } from '../../ui/states'
import { said } from './use-entering'

export function ForgotForm({ onBack }: { onBack: () => void }) {
  const asking = useMutation({ mutationFn: (email: string) => ownParley.session.forgot(email) })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    asking.mutate(said(new FormData(event.currentTarget), 'email'))
  }
  const back = (
    <button type="button" onClick={onBack} className="text-start text-accent hover:underline">
      {text.signIn.forgotBack}
    </button>
  )
  if (asking.isSuccess)
    return (
      <>
        <p role="status">{text.signIn.forgotSent}</p>
        {back}
      </>
    )
  const error = asking.error === null ? undefined : explain(asking.error)
  return (
    <form onSubmit={submit} className="grid gap-4">
      <TextField label={text.signIn.email} name="email" type="email" autoComplete="username" required error={error} />
      <Button type="submit" look="primary" className="justify-center" disabled={asking.isPending}>
        {text.signIn.forgotSend}
      </Button>
      {back}
    </form>
  )
}
