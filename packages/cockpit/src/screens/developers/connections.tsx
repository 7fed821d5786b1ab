// Connections to other systems, and whether each works.
import type { IntegrationConnection } from '@parley/sdk'
import { Plug, Plus } from 'lucide-react'
import { useState } from 'react'
import { usePlace } from '../../api/place'
import { useOwnerOnly } from '../../api/role'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { GoLink } from '../../ui/go-link'
import { Moment } from '../../ui/moment'
import { Body } from '../../ui/page'
import { useEndless } from '../../ui/rows'
import { Empty, Failure, Waiting } from '../../ui/states'
import { Badge } from '../../ui/words'
import { CreateConnection } from './create-connection'
import { connectionTones } from './status-tones'

export function Connections() {
  const { parley, key } = usePlace()
  const why = useOwnerOnly()
  const [isCreating, setCreating] = useState(false)
  const list = useEndless<IntegrationConnection>([...key, 'connections'], (page, signal) =>
    parley.integrationConnections.list(page, { signal }),
  )
  if (list.isPending) return <Waiting />
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  const create = (
    <Button look="primary" icon={<Plus size={15} aria-hidden />} because={why} onClick={() => setCreating(true)}>
      {text.developers.addConnection}
    </Button>
  )
  return (
    <Body>
      {list.rows.length === 0 ? (
        <Empty icon={<Plug size={20} />} title={text.developers.noConnections} action={create}>
          {text.developers.noConnectionsBody}
        </Empty>
      ) : (
        <div className="grid max-w-4xl gap-4">
          <div className="flex flex-wrap items-center justify-between gap-4">
            <p className="text-muted">{text.developers.connectionsIntro}</p>
            {create}
          </div>
          <ul className="divide-y divide-line border-y border-line">
            {list.rows.map((one) => (
              <ConnectionRow key={one.id} connection={one} />
            ))}
          </ul>
          {list.hasNextPage && (
            <Button look="quiet" className="justify-self-start" onClick={() => void list.fetchNextPage()}>
              {text.timeline.more}
            </Button>
          )}
        </div>
      )}
      {isCreating && <CreateConnection onClose={() => setCreating(false)} />}
    </Body>
  )
}

function ConnectionRow({ connection }: { connection: IntegrationConnection }) {
  const { at } = usePlace()
  const { id, name, provider, status, lastError, createdAt } = connection
  return (
    <li>
      <GoLink
        href={at('developers', 'connections', id)}
        className="flex flex-wrap items-center gap-x-4 gap-y-1 px-1 py-2.5 hover:bg-hover"
      >
        <span className="min-w-0 flex-1 basis-60">
          <span className="block truncate font-medium">{name}</span>
          <span className={`block truncate text-xs ${lastError === null ? 'text-muted' : 'text-danger'}`}>
            {lastError ?? provider}
          </span>
        </span>
        <Badge tone={connectionTones[status] ?? 'neutral'}>{text.developers.connectionStatus[status] ?? status}</Badge>
        <Moment at={createdAt} className="text-xs text-muted" />
      </GoLink>
    </li>
  )
}
