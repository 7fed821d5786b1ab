// The event log as a live tail: newest on top, by type, record or words, each in full.
import type { ParleyEvent } from '@parley/sdk'
import { Radio } from 'lucide-react'
import { useState } from 'react'
import { usePlace, useSearchParam } from '../../api/place'
import { useSchema } from '../../api/schema'
import { useEvents, useFeedState } from '../../api/use-feed'
import { PlayCallButton } from '../../frame/play-call'
import { text } from '../../text'
import { ChoiceField, TextField } from '../../ui/field'
import { GoLink } from '../../ui/go-link'
import { useExact } from '../../ui/moment'
import { Rows, useEndless } from '../../ui/rows'
import { Empty, Failure, Waiting } from '../../ui/states'
import { Badge } from '../../ui/words'
import { EventPanel } from './event-panel'

const KEPT = 500
const SEARCHED_MS = 3_000
const isId = (value: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(value)

export function EventsTail({ eventId }: { eventId: string | undefined }) {
  const { parley, key } = usePlace()
  const [type] = useSearchParam('type')
  const [find] = useSearchParam('q')
  const [news, setNews] = useState<readonly ParleyEvent[]>([])
  useEvents((event) => setNews((before) => [event, ...before].slice(0, KEPT)))
  const narrowed = {
    ...(type !== '' && { type: [type] }),
    ...(find !== '' && { [isId(find) ? 'subjectId' : 'q']: find }),
  }
  const list = useEndless<ParleyEvent>(
    [...key, 'event-log', type, find],
    (page, signal) => parley.events.list({ ...page, ...narrowed }, { signal }),
    // What is searched for is found by the service; only the plain tail is fed by the stream.
    find === '' ? undefined : SEARCHED_MS,
  )
  const known = new Set(list.rows.map((event) => event.eventId))
  const fresh = find === '' ? news.filter((one) => !known.has(one.eventId) && (type === '' || one.type === type)) : []
  const rows = [...fresh, ...list.rows].map((event) => ({ ...event, id: event.eventId }))
  return (
    <div className="flex min-h-0 flex-1">
      <div className={`flex min-w-0 flex-1 flex-col ${eventId === undefined ? '' : 'max-md:hidden'}`}>
        <Filters />
        {list.isPending && <Waiting />}
        {list.isError && <Failure error={list.error} onRetry={() => void list.refetch()} />}
        {list.isSuccess && rows.length === 0 && <Nothing isNarrowed={type !== '' || find !== ''} />}
        {rows.length > 0 && (
          <Rows
            rows={rows}
            rowHeight={36}
            label={text.developers.events}
            hasMore={list.hasNextPage}
            onMore={() => void list.fetchNextPage()}
          >
            {(event) => <EventRow event={event} isShown={event.eventId === eventId} />}
          </Rows>
        )}
      </div>
      {eventId !== undefined && <EventPanel eventId={eventId} />}
    </div>
  )
}

function Filters() {
  const [type, setType] = useSearchParam('type')
  const [find, setFind] = useSearchParam('q')
  const state = useFeedState()
  const eventTypes = useSchema()?.eventTypes ?? []
  return (
    <div className="flex flex-wrap items-center gap-3 px-4 py-2 sm:px-6">
      <div className="w-52">
        <ChoiceField
          label={text.developers.eventTypes}
          hideLabel
          value={type}
          onChoose={setType}
          options={[['', text.developers.allTypes], ...eventTypes.map((one) => [one, one] as const)]}
        />
      </div>
      <div className="min-w-40 flex-1 sm:max-w-72">
        <TextField
          label={text.developers.findEvents}
          hideLabel
          type="search"
          placeholder={text.developers.findEvents}
          value={find}
          onChange={({ target }) => setFind(target.value)}
        />
      </div>
      <Badge tone={state === 'live' ? 'good' : 'warning'}>{text.developers.feed[state]}</Badge>
    </div>
  )
}

function Nothing({ isNarrowed }: { isNarrowed: boolean }) {
  if (isNarrowed) return <Empty icon={<Radio size={20} />} title={text.developers.noSuchEvents} />
  return (
    <Empty icon={<Radio size={20} />} title={text.developers.noEvents} action={<PlayCallButton />}>
      {text.developers.noEventsBody}
    </Empty>
  )
}

function EventRow({ event, isShown }: { event: ParleyEvent; isShown: boolean }) {
  const { at } = usePlace()
  const exact = useExact()
  return (
    <GoLink
      href={at('developers', 'events', event.eventId) + location.search}
      aria-current={isShown ? 'true' : undefined}
      className={`mx-2 flex h-9 items-center gap-3 rounded-md px-2 font-mono text-xs sm:mx-4 ${isShown ? 'bg-accent-soft' : 'hover:bg-hover'}`}
    >
      <span className="figures shrink-0 text-muted">{exact(event.occurredAt, { timeStyle: 'medium' })}</span>
      <span className="min-w-0 flex-1 truncate font-semibold">{event.type}</span>
      <span className="shrink-0 text-muted max-sm:hidden">{event.eventId}</span>
    </GoLink>
  )
}
