// The requests of this environment as they end: what was asked, by whom, how it was answered, and how long that took.
import type { RequestLogEntry } from '@parley/sdk'
import { ArrowLeftRight } from 'lucide-react'
import { usePlace, useSearchParam } from '../../api/place'
import { text } from '../../text'
import { ChoiceField, TextField } from '../../ui/field'
import { useExact } from '../../ui/moment'
import { Rows, useEndless } from '../../ui/rows'
import { Empty, Failure, Waiting } from '../../ui/states'
import { Badge, type Tone } from '../../ui/words'
import { useRequestStream } from './use-request-stream'

export function RequestLog() {
  const { parley, key } = usePlace()
  const [find, setFind] = useSearchParam('q')
  const [outcome, setOutcome] = useSearchParam('outcome')
  const isFailedOnly = outcome === 'failed'
  const { news, state } = useRequestStream(isFailedOnly)
  const list = useEndless<RequestLogEntry>([...key, 'request-log', find, outcome], (page, signal) =>
    parley.requestLog.list(
      { ...page, ...(find !== '' && { q: find }), ...(isFailedOnly && { failed: true }) },
      { signal },
    ),
  )
  const known = new Set(list.rows.map(({ id }) => id))
  const rows = [...news.filter((one) => !known.has(one.id) && matches(one, find)), ...list.rows]
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-3 px-4 py-2 sm:px-6">
        <div className="w-52">
          <ChoiceField
            label={text.developers.outcome}
            hideLabel
            value={outcome}
            onChoose={setOutcome}
            options={[
              ['', text.developers.anyOutcome],
              ['failed', text.developers.onlyRefused],
            ]}
          />
        </div>
        <div className="min-w-40 flex-1 sm:max-w-72">
          <TextField
            label={text.developers.findRequests}
            hideLabel
            type="search"
            placeholder={text.developers.findRequests}
            value={find}
            onChange={({ target }) => setFind(target.value)}
          />
        </div>
        <Badge tone={state === 'live' ? 'good' : 'warning'}>{text.developers.feed[state]}</Badge>
      </div>
      {list.isPending && <Waiting />}
      {list.isError && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && (
        <Empty icon={<ArrowLeftRight size={20} />} title={text.developers.noRequests}>
          {text.developers.noRequestsBody}
        </Empty>
      )}
      {rows.length > 0 && (
        <Rows
          rows={rows}
          rowHeight={40}
          label={text.developers.requests}
          hasMore={list.hasNextPage}
          onMore={() => void list.fetchNextPage()}
        >
          {(entry) => <RequestRow entry={entry} />}
        </Rows>
      )}
    </div>
  )
}

/** As the service finds: every word begins something of the entry. */
function matches({ method, path, status, requestId, actor, error }: RequestLogEntry, find: string): boolean {
  const said = [method, ...path.split(/[/-]/), path, String(status), requestId, actor.id, error?.code ?? '']
  const words = find.toLowerCase().split(/\s+/).filter(Boolean)
  return words.every((word) => said.some((one) => one.toLowerCase().startsWith(word)))
}

const toneOf = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'warning' : 'danger')

function RequestRow({ entry }: { entry: RequestLogEntry }) {
  const exact = useExact()
  const { createdAt, method, path, status, ms, actor, requestId, error } = entry
  const why = error === null ? '' : (error.reason ?? error.code)
  return (
    <div className="mx-2 flex h-10 items-center gap-3 rounded-md px-2 font-mono text-xs hover:bg-hover sm:mx-4">
      <span className="figures shrink-0 text-muted max-sm:hidden">{exact(createdAt, { timeStyle: 'medium' })}</span>
      <span className="w-10 shrink-0 font-sans">
        <Badge tone={toneOf(status)}>{String(status)}</Badge>
      </span>
      <span className="min-w-0 flex-1 truncate" title={`${method} ${path}`}>
        <span className="font-semibold">{method}</span> {path}
      </span>
      {error !== null && (
        <span className="min-w-0 shrink truncate text-danger max-sm:hidden">
          {why} {error.field !== null && text.developers.refusedFor(error.field)}
        </span>
      )}
      <span className="shrink-0 text-muted max-lg:hidden" title={actor.id}>
        {text.developers.actors[actor.type] ?? actor.type}
      </span>
      <span className="figures w-16 shrink-0 text-end text-muted">{Math.round(ms)} ms</span>
      <span className="w-40 shrink-0 truncate text-muted max-xl:hidden" title={requestId}>
        {requestId}
      </span>
    </div>
  )
}
