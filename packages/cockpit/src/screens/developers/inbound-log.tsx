// What a provider sent to a connection, newest first, and what became of it.
import type { InboundEntry } from '@parley/sdk'
import { Inbox } from 'lucide-react'
import { usePlace, useSearchParam } from '../../api/place'
import { text } from '../../text'
import { ChoiceField } from '../../ui/field'
import { GoLink } from '../../ui/go-link'
import { Moment } from '../../ui/moment'
import { Rows, useEndless } from '../../ui/rows'
import { Empty, Failure, Waiting } from '../../ui/states'
import { Badge } from '../../ui/words'
import { inboundTones } from './status-tones'

const REFRESH_MS = 2_500
const statuses = ['', 'processed', 'pending', 'ignored', 'failed']

interface LogProps {
  readonly connectionId: string
  readonly entryId: string | undefined
}

export function InboundLog({ connectionId, entryId }: LogProps) {
  const { parley, key } = usePlace()
  const [status, setStatus] = useSearchParam('status')
  const list = useEndless<InboundEntry>(
    [...key, 'inbound', connectionId, status],
    (page, signal) =>
      parley.integrationConnections.inbound(connectionId, status === '' ? page : { ...page, status }, { signal }),
    REFRESH_MS,
  )
  if (list.isPending) return <Waiting />
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  return (
    <>
      <div className="flex items-center justify-between gap-4 px-4 py-2 sm:px-6">
        <h3 className="font-semibold">{text.developers.inboundLog}</h3>
        <div className="w-40">
          <ChoiceField
            label={text.developers.status}
            hideLabel
            value={status}
            onChoose={setStatus}
            options={statuses.map((one) => [one, text.developers.inboundStatus[one] ?? one])}
          />
        </div>
      </div>
      {list.rows.length === 0 ? (
        <Empty icon={<Inbox size={20} />} title={text.developers.noInbound}>
          {text.developers.noInboundBody}
        </Empty>
      ) : (
        <Rows
          rows={list.rows}
          rowHeight={40}
          label={text.developers.inboundLog}
          hasMore={list.hasNextPage}
          onMore={() => void list.fetchNextPage()}
        >
          {(entry) => <EntryRow entry={entry} isShown={entry.id === entryId} />}
        </Rows>
      )}
    </>
  )
}

function EntryRow({ entry, isShown }: { entry: InboundEntry; isShown: boolean }) {
  const { at } = usePlace()
  const { id, connectionId, kind, status, error, simulated, receivedAt } = entry
  return (
    <GoLink
      href={at('developers', 'connections', connectionId, id) + location.search}
      aria-current={isShown ? 'true' : undefined}
      className={`mx-2 flex h-10 items-center gap-3 rounded-md px-2 sm:mx-4 ${isShown ? 'bg-accent-soft' : 'hover:bg-hover'}`}
    >
      <span className="w-20 shrink-0">
        <Badge tone={inboundTones[status] ?? 'neutral'}>{text.developers.inboundStatus[status] ?? status}</Badge>
      </span>
      <span className="shrink-0 font-mono text-xs">{kind}</span>
      <span className="min-w-0 flex-1 truncate text-muted">
        {error ?? (simulated ? text.developers.simulated : '')}
      </span>
      <Moment at={receivedAt} className="w-20 shrink-0 text-end text-xs text-muted" />
    </GoLink>
  )
}
