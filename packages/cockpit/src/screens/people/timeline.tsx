// Everything that happened with somebody, newest first: calls, texts, work, notes, facts, appointments.
import type { TimelineItem } from '@parley/sdk'
import {
  CalendarClock,
  CircleDollarSign,
  FileText,
  History,
  Lightbulb,
  ListTodo,
  type LucideIcon,
  MessageSquareText,
  PhoneIncoming,
  StickyNote,
  TriangleAlert,
  Voicemail,
  Workflow,
  Wrench,
} from 'lucide-react'
import { type Place, usePlace } from '../../api/place'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { GoLink } from '../../ui/go-link'
import { Moment } from '../../ui/moment'
import { useEndless } from '../../ui/rows'
import { Empty, Failure, Waiting } from '../../ui/states'
import { sentence, valueText } from '../../ui/words'

interface TimelineProps {
  readonly of: 'people' | 'customers' | 'workRecords'
  readonly id: string
}

export function Timeline({ of, id }: TimelineProps) {
  const { parley, key } = usePlace()
  // What is changed by a call or a text touches people, so this is read anew with them.
  const list = useEndless<TimelineItem>([...key, 'people', 'timeline', of, id], (page, signal) =>
    parley[of].timeline(id, page, { signal }),
  )
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  if (list.isPending) return <Waiting />
  if (list.rows.length === 0)
    return (
      <Empty icon={<History size={20} />} title={text.timeline.none}>
        {text.timeline.noneBody}
      </Empty>
    )
  return (
    <div className="px-4 py-4 sm:px-6">
      <ol aria-label={text.timeline.title}>
        {list.rows.map((item) => (
          <TimelineRow key={`${item.type} ${item.id}`} item={item} />
        ))}
      </ol>
      {list.hasNextPage && <Button onClick={() => void list.fetchNextPage()}>{text.timeline.more}</Button>}
    </div>
  )
}

const icons: Readonly<Record<string, LucideIcon>> = {
  call: PhoneIncoming,
  sms: MessageSquareText,
  message: MessageSquareText,
  voicemail: Voicemail,
  draft: FileText,
  fact: Lightbulb,
  signal: TriangleAlert,
  note: StickyNote,
  task: ListTodo,
  appointment: CalendarClock,
  work_record: Wrench,
  money_record: CircleDollarSign,
  workflow_run: Workflow,
}

/** The one line of substance of a record, whatever it is. */
function lineOf({ type, record }: TimelineItem): string {
  if (type === 'fact') return `${sentence(String(record['label'] ?? record['key']))}: ${valueText(record['value'])}`
  const said = ['title', 'summary', 'body', 'transcript', 'description'].map((name) => record[name])
  return valueText(said.find((value) => typeof value === 'string' && value !== '') ?? '').replace(text.nothing, '')
}

function stateOf({ record }: TimelineItem): string {
  const state = record['status'] ?? record['kind'] ?? record['direction']
  return typeof state === 'string' ? (text.callStatus[state] ?? sentence(state)).toLowerCase() : ''
}

function hrefOf({ at }: Place, { type, id, record }: TimelineItem): string | undefined {
  if (type === 'call') return at('live', id)
  if (type === 'work_record') return at('work', id)
  if (type === 'draft') return at('review', id)
  if (type === 'voicemail') return at('inbox', 'voicemails', id)
  const thread = record['threadId']
  if (type === 'sms' && typeof thread === 'string') return at('inbox', 'texts', thread)
  const call = record['sourceCallSessionId'] ?? record['callSessionId']
  return typeof call === 'string' ? at('live', call) : undefined
}

function TimelineRow({ item }: { item: TimelineItem }) {
  const place = usePlace()
  const Icon = icons[item.type] ?? History
  const href = hrefOf(place, item)
  const [line, state] = [lineOf(item), stateOf(item)]
  const words = (
    <>
      <span className="flex items-baseline justify-between gap-3">
        <span className="font-medium">
          {text.timeline.types[item.type] ?? sentence(item.type)}
          {state !== '' && <span className="font-normal text-muted"> · {state}</span>}
        </span>
        <Moment at={item.at} className="text-xs text-muted" />
      </span>
      {line !== '' && <span className="line-clamp-2 text-muted">{line}</span>}
    </>
  )
  return (
    <li className="relative flex gap-3 pb-5 before:absolute before:start-3 before:top-7 before:bottom-0 before:w-px before:bg-line last:before:hidden">
      <span className="grid size-6 shrink-0 place-items-center rounded-full bg-hover text-muted">
        <Icon size={13} aria-hidden />
      </span>
      <div className="min-w-0 flex-1 pt-0.5">
        {href === undefined ? (
          words
        ) : (
          <GoLink href={href} className="block rounded-sm hover:underline">
            {words}
          </GoLink>
        )}
      </div>
    </li>
  )
}
