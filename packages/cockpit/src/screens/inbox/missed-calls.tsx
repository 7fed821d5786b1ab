// Missed calls, and the way to call back.
import type { Call } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { Phone, PhoneMissed } from 'lucide-react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { Moment } from '../../ui/moment'
import { RecordTools } from '../../ui/record-tools'
import { Rows, useEndless } from '../../ui/rows'
import { Empty, Failure, Waiting } from '../../ui/states'
import { phoneText } from '../../ui/words'
import { InboxRow } from './inbox-row'
import { BackToInbox } from './thread'

export function MissedList({ shown }: { shown: string | undefined }) {
  const { parley, key, at } = usePlace()
  const list = useEndless<Call>([...key, 'calls', 'missed'], (page, signal) =>
    parley.calls.list({ status: 'missed', ...page }, { signal }),
  )
  if (list.isPending) return <Waiting />
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  if (list.rows.length === 0)
    return (
      <Empty icon={<PhoneMissed size={20} />} title={text.inbox.noMissed}>
        {text.inbox.noMissedBody}
      </Empty>
    )
  return (
    <Rows
      rows={list.rows}
      rowHeight={60}
      label={text.inbox.missed}
      hasMore={list.hasNextPage}
      onMore={() => void list.fetchNextPage()}
    >
      {({ id, callerName, from, startedAt }) => (
        <InboxRow
          href={at('inbox', 'missed', id)}
          who={callerName ?? phoneText(from)}
          line={phoneText(from)}
          at={startedAt}
          isShown={id === shown}
          isNew={false}
          icon={<PhoneMissed size={13} aria-hidden className="text-danger" />}
        />
      )}
    </Rows>
  )
}

export function MissedCall({ id }: { id: string }) {
  const { parley, key } = usePlace()
  const call = useQuery({
    queryKey: [...key, 'calls', 'one', id],
    queryFn: ({ signal }) => parley.calls.get(id, { signal }),
  })
  if (call.isError) return <Failure error={call.error} onRetry={() => void call.refetch()} />
  if (call.data === undefined) return <Waiting />
  const { callerName, from, startedAt } = call.data
  return (
    <article>
      <header className="flex min-h-14 items-center gap-3 border-b border-line px-4 sm:px-6">
        <BackToInbox part="missed" />
        <h2 className="truncate text-base font-semibold">{callerName ?? phoneText(from)}</h2>
        <Moment at={startedAt} className="text-muted" />
        <span className="ms-auto">
          <RecordTools slug="calls" id={id} />
        </span>
      </header>
      <div className="grid justify-items-start gap-4 p-4 sm:p-6">
        <p className="text-base">{text.inbox.missedBody(phoneText(from))}</p>
        <CallBack number={from} />
      </div>
    </article>
  )
}

/** Hands the number to the telephone of this machine. */
export function CallBack({ number }: { number: string | null }) {
  if (number === null) return null
  return (
    <a
      href={`tel:${number}`}
      className="inline-flex h-8 items-center gap-1.5 rounded-md bg-accent px-3 font-medium text-on-accent hover:bg-accent-strong max-sm:h-11"
    >
      <Phone size={14} aria-hidden />
      {text.inbox.callBack}
    </a>
  )
}
