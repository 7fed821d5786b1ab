// The way in: by a one-time link, by e-mail and password, or by the provider that the operator has set.
import { ApiError, type ExchangedLink, type Session } from '@parley/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ownParley } from '../../api/client'
import { useGo, useSearchParam } from '../../api/place'
import { sessionQuery } from '../../api/session'
import { firstPlace } from '../../frame/entrance'
import { text } from '../../text'
import { explain, Failure } from '../../ui/states'
import { ForgotForm } from './forgot-form'
import { InvitationForm } from './invitation-form'
import { oneTimeToken } from './one-time-token'
import { PasswordForm } from './password-form'
import { ResetForm } from './reset-form'

/** What became of the link, asked for once. */
type Exchanged = { readonly link: ExchangedLink } | { readonly problem: string }

let exchanging: Promise<Exchanged> | undefined
const exchange = (token: string): Promise<Exchanged> =>
  (exchanging ??= ownParley.session.exchange(token).then(
    (link) => ({ link }),
    (error: unknown) => ({
      problem: error instanceof ApiError && error.status === 422 ? text.signIn.spent : explain(error),
    }),
  ))

export function SignInScreen() {
  const queries = useQueryClient()
  const go = useGo()
  const [to] = useSearchParam('to')
  const enter = (session: Session) => {
    queries.setQueryData(sessionQuery.queryKey, session)
    go(/^\/o\/[^/]/.test(to) ? to : firstPlace(session), { replace: true })
  }
  const exchanged = useQuery({
    queryKey: ['one-time link'],
    queryFn: async () => {
      const result = await exchange(oneTimeToken ?? '')
      if ('link' in result && result.link.session) enter(result.link.session)
      return result
    },
    enabled: oneTimeToken !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const session = useQuery({ ...sessionQuery, enabled: oneTimeToken === undefined || exchanged.isSuccess })
  if (oneTimeToken !== undefined && exchanged.isPending) return <Sheet title={text.signIn.exchanging} />
  if (session.isError) return <Failure error={session.error} onRetry={() => void session.refetch()} />
  if (session.data === undefined) return null
  const link = exchanged.data && 'link' in exchanged.data ? exchanged.data.link : undefined
  const problem = exchanged.data && 'problem' in exchanged.data ? exchanged.data.problem : undefined
  if (link?.purpose === 'sign_in') return null
  const parts = { token: oneTimeToken ?? '', onEnter: enter }
  if (link?.purpose === 'invitation' && link.link)
    return (
      <Sheet title={text.signIn.invited(link.link.organizationName ?? '')}>
        <InvitationForm {...parts} invitation={link.link} session={session.data} />
      </Sheet>
    )
  if (link?.purpose === 'reset')
    return (
      <Sheet title={text.signIn.resetTitle}>
        <ResetForm {...parts} />
      </Sheet>
    )
  return <Ordinary session={session.data} problem={problem} onEnter={enter} />
}

interface OrdinaryProps {
  readonly session: Session
  readonly problem: string | undefined
  readonly onEnter: (session: Session) => void
}

function Ordinary({ session, problem, onEnter }: OrdinaryProps) {
  const [isForgotten, setForgotten] = useState(false)
  const [told] = useSearchParam('problem')
  const shown = problem ?? text.signIn.problems[told]
  if (isForgotten)
    return (
      <Sheet title={text.signIn.forgotTitle}>
        <ForgotForm onBack={() => setForgotten(false)} />
      </Sheet>
    )
  return (
    <Sheet title={text.signIn.title}>
      {shown !== undefined && (
        <div role="alert" className="rounded-md bg-warning-soft px-3 py-2 text-warning">
          <p className="font-medium">{shown}</p>
          {problem !== undefined && <p>{text.signIn.spentAdvice}</p>}
        </div>
      )}
      {session.user && session.organizations.length === 0 && <p className="text-muted">{text.signIn.noOrganization}</p>}
      <PasswordForm signIn={session.signIn} onEnter={onEnter} onForgot={() => setForgotten(true)} />
    </Sheet>
  )
}

/** A calm sheet in the middle of the page. */
function Sheet({ title, children }: { title: string; children?: React.ReactNode }) {
  return (
    <main className="grid h-full place-items-center overflow-auto p-4">
      <div className="grid w-full max-w-sm gap-5 rounded-lg border border-line bg-surface p-6 sm:p-8">
        <img src="/favicon.svg" alt="" width={36} height={36} />
        <h1 className="text-lg font-semibold">{title}</h1>
        {children}
      </div>
    </main>
  )
}
