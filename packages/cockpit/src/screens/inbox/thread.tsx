// One thread: what was written on both sides, how far each text of ours came, and an answer.
import type { Sms } from '@parley/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Ban, Check, CheckCheck, CircleAlert, Clock } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { GoLink } from '../../ui/go-link'
import { Moment } from '../../ui/moment'
import { RecordTools } from '../../ui/record-tools'
import { explain, Failure, Waiting } from '../../ui/states'
import { phoneText } from '../../ui/words'
import { ReplyForm } from './reply-form'
import { useNames } from './use-names'

export function Thread({ id }: { id: string }) {
  const { parley, key } = usePlace()
  const thread = useQuery({
    queryKey: [...key, 'threads', id],
    queryFn: ({ signal }) => parley.conversations.get(id, { signal }),
  })
  const messages = useQuery({
    queryKey: [...key, 'messages', id],
    queryFn: async ({ signal }) => (await parley.sms.list({ threadId: id, limit: 100 }, { signal })).data.toReversed(),
  })
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    void end.current?.scrollIntoView()
  }, [messages.data])
  const names = useNames([thread.data?.personId ?? null])
  const isOptedOut = useOptOut(thread.data?.participantAddress ?? '')
  const error = thread.error ?? messages.error
  if (error) return <Failure error={error} onRetry={() => void thread.refetch()} />
  if (!thread.data || !messages.data) return <Waiting />
  const { personId, participantAddress, phoneNumberId, status } = thread.data
  const name = names.get(personId ?? '')
  return (
    <article className="flex min-h-0 flex-1 flex-col">
      <header className="flex min-h-14 items-center gap-3 border-b border-line px-4 sm:px-6">
        <BackToInbox part="texts" />
        <h2 className="truncate text-base font-semibold">{name ?? phoneText(participantAddress)}</h2>
        {name !== undefined && <span className="figures text-muted">{phoneText(participantAddress)}</span>}
        <span className="ms-auto flex gap-1">
          <DoneButton id={id} isOpen={status === 'open'} />
          <RecordTools slug="conversations" id={id} />
        </span>
      </header>
      <div
        tabIndex={0}
        role="log"
        aria-label={text.inbox.thread}
        className="scroll-quiet min-h-0 flex-1 overflow-auto bg-surface px-4 py-4 sm:px-6"
      >
        <ol className="mx-auto grid max-w-2xl gap-3">
          {messages.data.map((sms) => (
            <Bubble key={sms.id} sms={sms} />
          ))}
        </ol>
        <div ref={end} />
      </div>
      {isOptedOut && (
        <p className="flex items-center gap-2 bg-danger-soft px-4 py-2 text-danger sm:px-6">
          <Ban size={15} aria-hidden /> {text.inbox.optedOut}
        </p>
      )}
      <ReplyForm to={participantAddress} threadId={id} fromPhoneNumberId={phoneNumberId} isOptedOut={isOptedOut} />
    </article>
  )
}

export function BackToInbox({ part }: { part: string }) {
  const { at } = usePlace()
  return (
    <GoLink
      href={at('inbox', part)}
      aria-label={text.back}
      className="-ms-2 rounded-md p-2 text-muted hover:bg-hover sm:hidden"
    >
      <ArrowLeft size={18} aria-hidden />
    </GoLink>
  )
}

/** Whether the number has said STOP. */
function useOptOut(number: string): boolean {
  const { parley, key } = usePlace()
  const { data = false } = useQuery({
    queryKey: [...key, 'threads', 'opt-out', number],
    queryFn: async ({ signal }) => {
      const { data } = await parley.contactMethods.list(
        { normalizedValue: number, optInStatus: 'opted_out', limit: 1 },
        { signal },
      )
      return data.length > 0
    },
    enabled: number !== '',
  })
  return data
}

function DoneButton({ id, isOpen }: { id: string; isOpen: boolean }) {
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const move = useMutation({
    mutationFn: (status: string) => parley.conversations.update(id, { status }),
    onSuccess: (_, status) => {
      void queries.invalidateQueries({ queryKey: [...key, 'threads'] })
      if (status === 'closed') toast(text.inbox.done, { undo: () => move.mutate('open') })
    },
    onError: (error) => toast(explain(error), { tone: 'danger' }),
  })
  return (
    <Button icon={<Check size={14} aria-hidden />} onClick={() => move.mutate(isOpen ? 'closed' : 'open')}>
      {isOpen ? text.inbox.markDone : text.inbox.reopen}
    </Button>
  )
}

const ticks: Readonly<Record<string, typeof Check>> = {
  queued: Clock,
  sent: Check,
  delivered: CheckCheck,
  undelivered: CircleAlert,
  failed: CircleAlert,
}

function Bubble({ sms }: { sms: Sms }) {
  const isOurs = sms.direction === 'outbound'
  const Tick = ticks[sms.status]
  const isWrong = sms.status === 'failed' || sms.status === 'undelivered'
  return (
    <li className={`group max-w-[85%] ${isOurs ? 'justify-self-end' : 'justify-self-start'}`}>
      <p
        className={`rounded-lg px-3.5 py-2 text-base break-words whitespace-pre-wrap ${isOurs ? 'bg-accent-soft text-ink' : 'bg-hover'}`}
      >
        {sms.body}
      </p>
      <p
        className={`flex items-center gap-1.5 px-1 pt-0.5 text-xs ${isWrong ? 'text-danger' : 'text-muted'} ${isOurs ? 'justify-end' : ''}`}
      >
        <Moment at={sms.sentAt} />
        {isOurs && Tick && (
          <>
            <Tick size={13} aria-hidden />
            {text.inbox.smsStatus[sms.status] ?? sms.status}
            {isWrong && sms.errorMessage !== null && `: ${sms.errorMessage}`}
          </>
        )}
        <span className="opacity-0 group-hover:opacity-100 focus-within:opacity-100">
          <RecordTools slug="sms" id={sms.id} />
        </span>
      </p>
    </li>
  )
}
