// One request of a provider: what it said, the records it touched, and the way to work on it again.
import type { InboundEntry } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { usePlace } from '../../api/place'
import { addressOf } from '../../api/record-address'
import { useOwnerOnly } from '../../api/role'
import { useSaving } from '../../frame/use-saving'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { GoLink } from '../../ui/go-link'
import { JsonView } from '../../ui/json-view'
import { Moment } from '../../ui/moment'
import { Panel } from '../../ui/panel'
import { RecordTools } from '../../ui/record-tools'
import { Failure, Waiting } from '../../ui/states'
import { Badge, sentence } from '../../ui/words'
import { inboundTones } from './status-tones'

const REFRESH_MS = 1_500

interface PanelProps {
  readonly connectionId: string
  readonly entryId: string
}

export function InboundEntryPanel({ connectionId, entryId }: PanelProps) {
  const { parley, key, at } = usePlace()
  const entry = useQuery({
    queryKey: [...key, 'inbound', connectionId, 'one', entryId],
    queryFn: ({ signal }) => parley.integrationConnections.inboundEntry(connectionId, entryId, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? REFRESH_MS : false),
  })
  return (
    <Panel
      label={text.developers.inboundEntry}
      title={<span className="font-mono text-xs">{entry.data?.kind}</span>}
      closeTo={at('developers', 'connections', connectionId)}
      actions={
        <>
          {entry.data && <Again entry={entry.data} />}
          <RecordTools slug={`integration-connections/${connectionId}/inbound`} id={entryId} />
        </>
      }
    >
      {entry.isPending && <Waiting />}
      {entry.isError && <Failure error={entry.error} onRetry={() => void entry.refetch()} />}
      {entry.data && <EntryBody entry={entry.data} />}
    </Panel>
  )
}

function Again({ entry: { id, connectionId, status } }: { entry: InboundEntry }) {
  const { parley } = usePlace()
  const why = useOwnerOnly()
  const again = useSaving(() => parley.integrationConnections.reprocess(connectionId, id), {
    touched: 'inbound',
    said: text.developers.takenAgain,
  })
  const because = why ?? (status === 'failed' || status === 'ignored' ? undefined : text.developers.onlyFailed)
  return (
    <Button
      icon={<RotateCw size={14} aria-hidden />}
      because={because}
      disabled={again.isPending}
      onClick={() => again.mutate(undefined)}
    >
      {text.developers.reprocess}
    </Button>
  )
}

function EntryBody({ entry }: { entry: InboundEntry }) {
  const place = usePlace()
  const { status, error, attempts, receivedAt, simulated, records, providerIds, headers, body } = entry
  return (
    <div className="grid gap-5 p-4">
      <p className="flex flex-wrap items-center gap-2 text-muted">
        <Badge tone={inboundTones[status] ?? 'neutral'}>{text.developers.inboundStatus[status] ?? status}</Badge>
        <Moment at={receivedAt} />
        <span>{text.developers.tried(attempts)}</span>
        {simulated && <Badge tone="warning">{text.developers.simulated}</Badge>}
      </p>
      {error !== null && <p className={status === 'failed' ? 'text-danger' : 'text-muted'}>{error}</p>}
      <section>
        <h3 className="pb-1 font-semibold">{text.developers.touchedRecords}</h3>
        {records.length === 0 && <p className="text-muted">{text.developers.touchedNone}</p>}
        <ul className="grid gap-1">
          {records.map(({ entityType, id }) => (
            <li key={id}>
              <GoLink href={addressOf(place, entityType, id)} className="text-accent hover:underline">
                {text.timeline.types[entityType] ?? sentence(entityType)}{' '}
                <code className="font-mono text-xs">{id}</code>
              </GoLink>
            </li>
          ))}
        </ul>
      </section>
      <JsonView value={providerIds} label={text.developers.providerIds} />
      {headers && <JsonView value={headers} label={text.developers.headers} />}
      {body !== undefined && <JsonView value={readable(body)} label={text.developers.payload} />}
    </div>
  )
}

/** JSON as it is, a form as its fields, anything else as text. */
function readable(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return /^[\w.%+-]+=/.test(body) ? Object.fromEntries(new URLSearchParams(body)) : body
  }
}
