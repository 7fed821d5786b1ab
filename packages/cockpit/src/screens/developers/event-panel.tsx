// One event in full, as it is delivered.
import { useQuery } from '@tanstack/react-query'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { JsonView } from '../../ui/json-view'
import { Moment } from '../../ui/moment'
import { Panel } from '../../ui/panel'
import { RecordTools } from '../../ui/record-tools'
import { Failure, Waiting } from '../../ui/states'

export function EventPanel({ eventId }: { eventId: string }) {
  const { parley, key, at } = usePlace()
  const event = useQuery({
    queryKey: [...key, 'event-log', 'one', eventId],
    queryFn: ({ signal }) => parley.events.get(eventId, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Panel
      label={text.developers.event}
      title={<span className="font-mono text-xs">{event.data?.type}</span>}
      actions={<RecordTools slug="events" id={eventId} />}
      closeTo={at('developers', 'events')}
    >
      {event.isPending && <Waiting />}
      {event.isError && <Failure error={event.error} onRetry={() => void event.refetch()} />}
      {event.data && (
        <div className="grid gap-4 p-4">
          <Moment at={event.data.occurredAt} className="text-muted" />
          <JsonView value={event.data} label={event.data.type} isTall />
        </div>
      )}
    </Panel>
  )
}
