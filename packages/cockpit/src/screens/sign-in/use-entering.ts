// Sending a form of the sign-in page: what went wrong, in words, and on success the session.
import { ApiError, BadRequestError, RateLimitError, type Session } from '@parley/sdk'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent } from 'react'
import { text } from '../../text'
import { explain } from '../../ui/states'

function problemOf(error: unknown): string {
  if (error instanceof RateLimitError) return text.signIn.tooOften
  if (error instanceof BadRequestError) return error.message
  if (error instanceof ApiError && error.status === 401) return text.signIn.wrong
  if (error instanceof ApiError && error.status === 422) return text.signIn.spent
  return explain(error)
}

export function useEntering(send: (form: FormData) => Promise<Session>, onEnter: (session: Session) => void) {
  const sending = useMutation({ mutationFn: send, onSuccess: onEnter })
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    sending.mutate(new FormData(event.currentTarget))
  }
  return {
    onSubmit,
    isSending: sending.isPending,
    problem: sending.error === null ? undefined : problemOf(sending.error),
  }
}

export const said = (form: FormData, name: string): string => String(form.get(name) ?? '')
