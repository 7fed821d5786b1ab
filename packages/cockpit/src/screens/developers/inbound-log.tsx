// What a provider sent to a connection, newest first, and what became of it.
import type { InboundEntry } from '@parley/sdk'
import { Inbox } from 'lucide-react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { Moment } from '../../ui/moment'
import { Badge } from '../../ui/words'
import { StatusLog } from './status-log'
import { inboundTones } from './status-tones'

const statuses = ['', 'processed', 'pending', 'ignored', 'failed']

interface LogProps {
  readonly connectionId: string
  readonly entryId: string | undefined
}

export function InboundLog({ connectionId, entryId }: LogProps) {
  const { parley, key } = usePlace()
  return (
    <StatusLog<InboundEntry>
      title={text.developers.inboundLog}
      queryKey={[...key, 'inbound', connectionId]}
      read={(page, signal) => parley.integrationConnections.inbound(connectionId, page, { signal })}
      statuses={statuses}
      names={text.developers.inboundStatus}
      empty={{ icon: <Inbox size={20} />, title: text.developers.noInbound, body: text.developers.noInboundBody }}
    >
      {(entry) => <EntryRow entry={entry} isShown={entry.id === entryId} />}
    </StatusLog>
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
