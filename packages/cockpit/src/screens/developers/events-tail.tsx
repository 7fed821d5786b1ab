// The event log as a live tail: newest on top, by type, each in full.
import type { ParleyEvent } from '@parley/sdk'
import { Radio } from 'lucide-react'
import { useState } from 'react'
import { usePlace, useSearchParam } from '../../api/place'
import { useSchema } from '../../api/schema'
import { useEvents, useFeedState } from '../../api/use-feed'
import { PlayCallButton } from '../../frame/play-call'
import { text } from '../../text'
import { ChoiceField } from '../../ui/field'
import { JsonView } from '../../ui/json-view'
import { useExact } from '../../ui/moment'
import { Rows, useEndless } from '../../ui/rows'
import { Empty, Failure, Waiting } from '../../ui/states'
import { Badge } from '../../ui/words'

const KEPT = 500

export function EventsTail() {
  const { parley, key } = usePlace()
  const [type, setType] = useSearchParam('type')
  const [shown, setShown] = useState<ParleyEvent>()
  const [news, setNews] = useState<readonly ParleyEvent[]>([])
  const state = useFeedState()
  const eventTypes = useSchema()?.eventTypes ?? []
  useEvents((event) => setNews((before) => [event, ...before].slice(0, KEPT)))
  const list = useEndless<ParleyEvent>([...key, 'event-log', type], (page, signal) =>
    parley.events.list(type === '' ? page : { ...page, type: [type] }, { signal }),
  )
  if (list.isPending) return <Waiting />
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  const known = new Set(list.rows.map(({ eventId }) => eventId))
  const fresh = news.filter((event) => !known.has(event.eventId) && (type === '' || event.type === type))
  const rows = [...fresh, ...list.rows].map((event) => ({ ...event, id: event.eventId }))
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex items-center gap-3 px-4 py-2 sm:px-6">
          <div className="w-56">
            <ChoiceField
              label={text.developers.eventTypes}
              hideLabel
              value={type}
              onChoose={setType}
              options={[['', text.developers.allTypes], ...eventTypes.map((one) => [one, one] as const)]}
            />
          </div>
          <Badge tone={state === 'live' ? 'good' : 'warning'}>{text.developers.feed[state]}</Badge>
        </div>
        {rows.length === 0 ? (
          <Empty icon={<Radio size={20} />} title={text.developers.noEvents} action={<PlayCallButton />}>
            {text.developers.noEventsBody}
          </Empty>
        ) : (
          <Rows
            rows={rows}
            rowHeight={36}
            label={text.developers.events}
            hasMore={list.hasNextPage}
            onMore={() => void list.fetchNextPage()}
          >
            {(event) => (
              <EventRow event={event} isShown={event.eventId === shown?.eventId} onShow={() => setShown(event)} />
            )}
          </Rows>
        )}
      </div>
      {shown && (
        <aside
          aria-label={shown.type}
          className="scroll-quiet w-full overflow-auto border-s border-line p-4 max-md:hidden md:w-[26rem] xl:w-[34rem]"
        >
          <JsonView value={shown} label={shown.type} />
        </aside>
      )}
    </div>
  )
}

interface EventRowProps {
  readonly event: ParleyEvent
  readonly isShown: boolean
  readonly onShow: () => void
}

function EventRow({ event, isShown, onShow }: EventRowProps) {
  const exact = useExact()
  return (
    <button
      type="button"
      aria-pressed={isShown}
      onClick={onShow}
      className={`mx-2 flex h-9 w-[calc(100%-1rem)] items-center gap-3 rounded-md px-2 text-start font-mono text-xs sm:mx-4 sm:w-[calc(100%-2rem)] ${isShown ? 'bg-accent-soft' : 'hover:bg-hover'}`}
    >
      <span className="figures shrink-0 text-muted">{exact(event.occurredAt, { timeStyle: 'medium' })}</span>
      <span className="min-w-0 flex-1 truncate font-semibold">{event.type}</span>
      <span className="shrink-0 text-muted max-sm:hidden">{event.eventId}</span>
    </button>
  )
}
