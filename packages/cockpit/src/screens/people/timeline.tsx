// Everything that happened with somebody, newest first: calls, texts, work, notes, tasks, appointments.
import { useQuery } from '@tanstack/react-query'
import {
  CalendarClock,
  History,
  ListTodo,
  type LucideIcon,
  MessageSquareText,
  PhoneIncoming,
  StickyNote,
  Wrench,
} from 'lucide-react'
import { type Place, usePlace } from '../../api/place'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { Moment } from '../../ui/moment'
import { Empty, Failure, Waiting } from '../../ui/states'
import { sentence } from '../../ui/words'

export type Subject = { readonly personId: string } | { readonly customerId: string }

interface Entry {
  readonly id: string
  readonly at: string
  readonly icon: LucideIcon
  readonly title: string
  readonly line: string
  readonly href: string | undefined
}

const EACH = 25

/** The newest of each kind, put together. */
async function entriesOf({ parley, at }: Place, subject: Subject, signal: AbortSignal): Promise<Entry[]> {
  const page = { limit: EACH }
  const isPerson = 'personId' in subject
  const [calls, texts, work, notes, tasks, appointments] = await Promise.all([
    parley.calls.list({ ...subject, ...page }, { signal }),
    isPerson ? parley.sms.list({ ...subject, ...page }, { signal }) : { data: [] },
    parley.workRecords.list({ ...(isPerson ? { primaryPersonId: subject.personId } : subject), ...page }, { signal }),
    parley.notes.list({ subjectId: isPerson ? subject.personId : subject.customerId, ...page }, { signal }),
    parley.tasks.list({ ...subject, ...page }, { signal }),
    parley.appointments.list({ ...subject, ...page }, { signal }),
  ])
  const entries: Entry[] = [
    ...calls.data.map(({ id, startedAt, status, summary }) => {
      const state = text.callStatus[status] ?? sentence(status)
      return {
        id,
        at: startedAt,
        icon: PhoneIncoming,
        title: text.timeline.call(state),
        line: summary ?? '',
        href: at('live', id),
      }
    }),
    ...texts.data.map(({ id, sentAt, direction, body, threadId }) => {
      const title = direction === 'inbound' ? text.timeline.textIn : text.timeline.textOut
      const href = threadId === null ? undefined : at('inbox', 'texts', threadId)
      return { id, at: sentAt, icon: MessageSquareText, title, line: body, href }
    }),
    ...work.data.map(({ id, createdAt, title, number, status }) => {
      return {
        id,
        at: createdAt,
        icon: Wrench,
        title: `${number} · ${sentence(status)}`,
        line: title,
        href: at('work', id),
      }
    }),
    ...notes.data.map(({ id, createdAt, body }) => {
      return { id, at: createdAt, icon: StickyNote, title: text.timeline.note, line: body, href: undefined }
    }),
    ...tasks.data.map(({ id, createdAt, title, status }) => {
      return {
        id,
        at: createdAt,
        icon: ListTodo,
        title: text.timeline.task(sentence(status)),
        line: title,
        href: undefined,
      }
    }),
    ...appointments.data.map(({ id, startAt, title }) => {
      return {
        id,
        at: startAt,
        icon: CalendarClock,
        title: text.timeline.appointment,
        line: title,
        href: at('work', 'calendar'),
      }
    }),
  ]
  return entries.sort((a, b) => b.at.localeCompare(a.at))
}

export function Timeline({ subject }: { subject: Subject }) {
  const place = usePlace()
  const entries = useQuery({
    queryKey: [...place.key, 'people', 'timeline', subject],
    queryFn: ({ signal }) => entriesOf(place, subject, signal),
  })
  if (entries.isError) return <Failure error={entries.error} onRetry={() => void entries.refetch()} />
  if (entries.data === undefined) return <Waiting />
  if (entries.data.length === 0)
    return (
      <Empty icon={<History size={20} />} title={text.timeline.none}>
        {text.timeline.noneBody}
      </Empty>
    )
  return (
    <ol aria-label={text.timeline.title} className="px-4 py-4 sm:px-6">
      {entries.data.map((entry) => (
        <TimelineRow key={entry.id} entry={entry} />
      ))}
    </ol>
  )
}

function TimelineRow({ entry: { icon: Icon, title, line, at, href } }: { entry: Entry }) {
  const words = (
    <>
      <span className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{title}</span>
        <Moment at={at} className="text-xs text-muted" />
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
