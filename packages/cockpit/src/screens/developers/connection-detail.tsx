// One connection: whether it works, the addresses to paste into the provider, and everything that came from there.
import type { IntegrationConnection } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { CopyButton } from '../../ui/json-view'
import { RecordTools } from '../../ui/record-tools'
import { Failure, Waiting } from '../../ui/states'
import { Badge } from '../../ui/words'
import { ConnectionActions } from './connection-actions'
import { InboundEntryPanel } from './inbound-entry-panel'
import { InboundLog } from './inbound-log'
import { connectionTones } from './status-tones'

interface DetailProps {
  readonly connectionId: string
  readonly entryId: string | undefined
}

export function ConnectionDetail({ connectionId, entryId }: DetailProps) {
  const { parley, key } = usePlace()
  const connection = useQuery({
    queryKey: [...key, 'connections', 'one', connectionId],
    queryFn: ({ signal }) => parley.integrationConnections.get(connectionId, { signal }),
  })
  if (connection.isPending) return <Waiting />
  if (connection.isError) return <Failure error={connection.error} onRetry={() => void connection.refetch()} />
  const sends = Object.keys(connection.data.inboundUrls).length > 0
  return (
    <div className="flex min-h-0 flex-1">
      <div className={`flex min-w-0 flex-1 flex-col ${entryId === undefined ? '' : 'max-md:hidden'}`}>
        <Head connection={connection.data} />
        {sends ? (
          <InboundLog connectionId={connectionId} entryId={entryId} />
        ) : (
          <p className="p-6 text-muted">{text.developers.sendsNothing}</p>
        )}
      </div>
      {entryId !== undefined && <InboundEntryPanel connectionId={connectionId} entryId={entryId} />}
    </div>
  )
}

function Head({ connection }: { connection: IntegrationConnection }) {
  const { id, name, provider, status, lastError, credentialsPreview, inboundUrls } = connection
  const urls = Object.entries(inboundUrls)
  return (
    <div className="grid gap-3 border-b border-line px-4 py-3 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="flex items-center gap-2 text-base font-semibold">
            <span className="min-w-0 truncate">{name}</span>
            <Badge tone={connectionTones[status] ?? 'neutral'}>
              {text.developers.connectionStatus[status] ?? status}
            </Badge>
            <RecordTools slug="integration-connections" id={id} />
          </h2>
          <p className="truncate text-xs text-muted">
            {provider} {credentialsPreview !== null && <code className="font-mono">· {credentialsPreview}</code>}
          </p>
        </div>
        <ConnectionActions connection={connection} />
      </div>
      {lastError !== null && <p className="rounded-md bg-danger-soft px-3 py-2 text-danger">{lastError}</p>}
      {urls.length > 0 && (
        <details open={urls.length < 3}>
          <summary className="font-medium text-muted">{text.developers.inboundUrls(urls.length)}</summary>
          <ul className="grid gap-1 pt-2">
            {urls.map(([kind, url]) => (
              <li key={kind} className="flex items-center gap-2">
                <span className="w-28 shrink-0 truncate font-medium">{kind}</span>
                <code className="min-w-0 flex-1 truncate font-mono text-xs">{String(url)}</code>
                <CopyButton value={String(url)} label={text.developers.copyUrl(kind)} isQuiet />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
