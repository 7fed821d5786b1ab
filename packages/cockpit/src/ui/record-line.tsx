// One record of any kind as a line: what it is, how it stands, its substance and when; and the way to it.
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
  Webhook,
  Workflow,
  Wrench,
} from 'lucide-react'
import { type Place, usePlace } from '../api/place'
import { text } from '../text'
import { GoLink } from './go-link'
import { Moment } from './moment'
import { sentence, valueText } from './words'

interface Item {
  readonly type: string
  readonly id: string
  readonly at: string
  readonly record: Readonly<Record<string, unknown>>
}

const icons: Readonly<Record<string, LucideIcon>> = {
  delivery: Webhook,
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
function lineOf({ type, record }: Item): string {
  if (type === 'delivery') return `${valueText(record['eventType'])} · ${valueText(record['lastError'])}`
  if (type === 'fact') return `${sentence(String(record['label'] ?? record['key']))}: ${valueText(record['value'])}`
  const said = ['title', 'summary', 'body', 'transcript', 'description'].map((name) => record[name])
  return valueText(said.find((value) => typeof value === 'string' && value !== '') ?? '').replace(text.nothing, '')
}

function stateOf({ record }: Item): string {
  const state = record['status'] ?? record['kind'] ?? record['direction']
  return typeof state === 'string' ? (text.callStatus[state] ?? sentence(state)).toLowerCase() : ''
}

function hrefOf({ at }: Place, { type, id, record }: Item): string | undefined {
  if (type === 'delivery') return at('developers', 'webhooks', String(record['subscriptionId']), id)
  if (type === 'call') return at('live', id)
  if (type === 'work_record') return at('work', id)
  if (type === 'draft') return at('review', id)
  if (type === 'voicemail') return at('inbox', 'voicemails', id)
  const thread = record['threadId']
  if (type === 'sms' && typeof thread === 'string') return at('inbox', 'texts', thread)
  const call = record['sourceCallSessionId'] ?? record['callSessionId']
  if (typeof call === 'string') return at('live', call)
  const { subjectType, subjectId } = record
  return subjectType === 'person' && typeof subjectId === 'string' ? at('people', subjectId) : undefined
}

export function RecordLine({ item }: { item: Item }) {
  const place = usePlace()
  const Icon = icons[item.type] ?? History
  const href = hrefOf(place, item)
  const [line, state] = [lineOf(item), stateOf(item)]
  const words = (
    <>
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate font-medium">
          {text.timeline.types[item.type] ?? sentence(item.type)}
          {state !== '' && <span className="font-normal text-muted"> · {state}</span>}
        </span>
        <Moment at={item.at} className="text-xs text-muted" />
      </span>
      {line !== '' && <span className="line-clamp-2 text-muted">{line}</span>}
    </>
  )
  return (
    <div className="flex gap-3">
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
    </div>
  )
}
