// One thread: what was written on both sides, how far each text of ours came, and an answer.
import type { Sms } from '@parley/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, Check, MailOpen } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { usePlace } from '../../api/place'
import { useKeys } from '../../frame/keys'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { BackToList } from '../../ui/list-and-detail'
import { RecordTools } from '../../ui/record-tools'
import { useEndless } from '../../ui/rows'
import { explain, Failure, Waiting } from '../../ui/states'
import { phoneText } from '../../ui/words'
import { Bubble } from './bubble'
import { ReplyForm } from './reply-form'
import { useNames } from './use-names'
import { useMarkUnread, useReading } from './use-reading'

export function Thread({ id }: { id: string }) {
  const { parley, key } = usePlace()
  const thread = useQuery({
    queryKey: [...key, 'threads', id],
    queryFn: ({ signal }) => parley.conversations.get(id, { signal }),
  })
  const messages = useEndless<Sms>([...key, 'messages', id], (page, signal) =>
    parley.sms.list({ threadId: id, ...page }, { signal }),
  )
  useReading(thread.data, messages.isSuccess)
  const markUnread = useMarkUnread(id)
  useKeys([{ key: '', label: text.inbox.markUnread, run: () => markUnread.mutate() }])
  const end = useRef<HTMLDivElement>(null)
  const newest = messages.rows[0]?.id
  useEffect(() => {
    void end.current?.scrollIntoView()
  }, [newest])
  const names = useNames([thread.data?.personId ?? null])
  const isOptedOut = useOptOut(thread.data?.participantAddress ?? '')
  const error = thread.error ?? messages.error
  if (error) return <Failure error={error} onRetry={() => void thread.refetch()} />
  if (!thread.data || messages.isPending) return <Waiting />
  const { personId, participantAddress, phoneNumberId, status } = thread.data
  const name = names.get(personId ?? '')
  return (
    <article className="flex min-h-0 flex-1 flex-col">
      <header className="flex min-h-14 items-center gap-3 border-b border-line px-4 sm:px-6">
        <BackToInbox part="texts" />
        <h2 className="truncate text-base font-semibold">{name ?? phoneText(participantAddress)}</h2>
        {name !== undefined && name !== phoneText(participantAddress) && (
          <span className="figures text-muted">{phoneText(participantAddress)}</span>
        )}
        <span className="ms-auto flex gap-1.5">
          <Button
            aria-label={text.inbox.markUnread}
            title={text.inbox.markUnread}
            icon={<MailOpen size={14} aria-hidden />}
            onClick={() => markUnread.mutate()}
          />
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
        {messages.hasNextPage && (
          <div className="flex justify-center pb-3">
            <Button onClick={() => void messages.fetchNextPage()}>{text.inbox.earlier}</Button>
          </div>
        )}
        <ol className="mx-auto grid max-w-2xl gap-3">
          {messages.rows.toReversed().map((sms) => (
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
  return <BackToList href={at('inbox', part)} />
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
  const label = isOpen ? text.inbox.markDone : text.inbox.reopen
  const act = () => move.mutate(isOpen ? 'closed' : 'open')
  useKeys([{ key: '', label, run: act }])
  return (
    <Button icon={<Check size={14} aria-hidden />} onClick={act}>
      {label}
    </Button>
  )
}
