// `GET /calls/{id}/stream`: the surface of a call, and then what changes, as server-sent events. One look a node serves all its viewers of all calls; what
// it finds for a call is read and written down once, however many look on. The node that took the change need not be the one that streams it.
import { calls } from '@parley/contract'
import type { Database } from '../database/pool.js'
import { sql } from '../database/sql.js'
import { direct } from '../http/direct.js'
import { type Endpoint, endpoint } from '../http/endpoint.js'
import { frameOf, type Stream } from '../http/sse.js'
import { notFound } from '../store/api-error.js'
import { type Reader, readerOf } from '../store/records.js'
import { type Segment, type SegmentRow, toSegment } from './call-segments.js'
import { type CallState, readSurface, statesOf } from './call-surface.js'
import { type Polling, polling } from './polling.js'

/** What a viewer has been sent. */
type Seen = Pick<CallState, 'revision' | 'base'>

interface Viewer {
  readonly stream: Stream
  seen: Seen
}

interface Watch {
  readonly tenantId: string
  readonly callId: string
  readonly publicUrl: string
  readonly viewers: Set<Viewer>
}

interface Watcher {
  readonly watches: Map<string, Watch>
  readonly looking: Polling
}

const LOOK_MS = 75
const PAGE_ROWS = 500

const watchers = new WeakMap<Database, Watcher>()

/** The one look of this node; it rests while nobody views a call. */
function watcherOf(database: Database, onTrouble: (error: Error) => void): Watcher {
  const known = watchers.get(database)
  if (known) return known
  const watches = new Map<string, Watch>()
  const looking = polling(
    LOOK_MS,
    async () => {
      const found = await statesOf(database, [...watches.values()])
      // All of them, before the next look: two looks at once would send the same twice.
      const sent = await Promise.allSettled(found.map((state) => bringUpToDate(database, watches.get(state.callId), state)))
      const failed = sent.find((one) => one.status === 'rejected')
      if (failed) throw failed.reason
    },
    onTrouble,
  )
  const watcher = { watches, looking }
  watchers.set(database, watcher)
  return watcher
}

function join({ watches, looking }: Watcher, { tenantId, callId, publicUrl }: Omit<Watch, 'viewers'>, viewer: Viewer): void {
  const watch = watches.get(callId) ?? { tenantId, callId, publicUrl, viewers: new Set() }
  watches.set(callId, watch)
  watch.viewers.add(viewer)
  looking.start()
  void viewer.stream.closed.then(() => {
    watch.viewers.delete(viewer)
    if (watch.viewers.size === 0) watches.delete(callId)
    if (watches.size === 0) looking.stop()
  })
}

/** Viewers who have seen the same get the same: mostly all of them. */
async function bringUpToDate(database: Database, watch: Watch | undefined, state: CallState): Promise<void> {
  const behind = new Map<string, Viewer[]>()
  for (const viewer of watch?.viewers ?? []) {
    const seen = idOf(viewer.seen)
    if (seen === idOf(state)) continue
    const alike = behind.get(seen)
    if (alike) alike.push(viewer)
    else behind.set(seen, [viewer])
  }
  for (const viewers of behind.values()) if (watch) await sendNews(database, watch, state, viewers)
}

/**
 * Sends what lies between what these viewers have seen and now: new segments by themselves, and the whole surface when anything else has changed. Segments
 * that go before a surface carry no id, so that a viewer who is cut off between the two gets both again.
 */
async function sendNews(database: Database, watch: Watch, state: CallState, viewers: readonly Viewer[]): Promise<void> {
  const seen = viewers[0]?.seen ?? state
  const read = readerOf(database, watch.tenantId)
  const isMoreThanTalk = state.partsRevision > seen.base || state.revision - state.base !== seen.revision - seen.base
  const surface = isMoreThanTalk ? await readSurface(read, watch.callId, watch.publicUrl, new Date()) : undefined
  const target = surface?.state ?? state
  const send = (frame: Buffer) => {
    for (const { stream } of viewers) stream.send(frame)
  }
  if (target.segmentsRevision > seen.base) {
    for await (const { segments, isLast } of newSegments(read, watch.callId, seen.base, target.base)) {
      const body = JSON.stringify({ callId: watch.callId, revision: target.revision, segments })
      send(frameOf('transcript', body, isLast && surface === undefined ? idOf(target) : undefined))
    }
  }
  if (surface) send(frameOf('surface', surface.text, idOf(target)))
  for (const viewer of viewers) viewer.seen = { revision: target.revision, base: target.base }
}

/** The segments that came after one revision, up to another. All of one revision go together, so that a page can be told by its last. */
async function* newSegments(
  { database, tenantId }: Reader,
  callId: string,
  after: number,
  upTo: number,
): AsyncGenerator<{ segments: Segment[]; isLast: boolean }> {
  for (let last = after; ; ) {
    const rows = await database.query<{ revision: number }>(
      sql`select sequence, id, speaker, text, start_ms, end_ms, confidence, is_final, revision from call_segments
        where tenant_id = ${tenantId} and call_id = ${callId} and revision > ${last} and revision <= ${upTo}
        order by revision fetch first ${PAGE_ROWS} rows with ties`,
      { prepared: true },
    )
    const isLast = rows.length < PAGE_ROWS
    const segments = rows.map((row) => toSegment(callId, Object.values(row) as unknown as SegmentRow)).sort((a, b) => a.sequence - b.sequence)
    if (rows.length > 0) yield { segments, isLast }
    if (isLast) return
    last = rows.at(-1)?.revision ?? last
  }
}

const idOf = ({ revision, base }: Seen): string => `${revision}-${base}`

/** What a viewer that comes back says it has seen; undefined when that can be nothing of this call. */
function seenOf(header: unknown, { base }: Seen): Seen | undefined {
  const match = typeof header === 'string' ? /^(\d{1,15})-(\d{1,15})$/.exec(header) : null
  const seen = match && { revision: Number(match[1]), base: Number(match[2]) }
  return seen && seen.base <= base ? seen : undefined
}

export const callStreamEndpoint: Endpoint = endpoint({
  method: 'GET',
  path: '/calls/{id}/stream',
  scope: 'READ',
  operationId: 'streamCall',
  summary: 'Follow a call as it happens',
  description:
    'Server-sent events: `surface` has the whole surface, first of all and whenever more than the transcript has changed; `transcript` has new segments. Send the last id as `Last-Event-ID` to go on from there.',
  tag: calls.label,
  returns: { status: 200, schema: null, mediaTypes: ['text/event-stream'] },
  async handle({ read, params, services, caller: { tenantId }, now }) {
    const callId = params['id'] ?? ''
    const publicUrl = services.publicUrl()
    const surface = await readSurface(read, callId, publicUrl, now)
    if (surface === undefined) throw notFound()
    return direct((exchange) => {
      const seen = seenOf(exchange.request.headers['last-event-id'], surface.state)
      const onTrouble = (error: Error) => exchange.request.log.warn({ err: error }, 'a call could not be read for its viewers; it is tried again')
      const serve = async (stream: Stream) => {
        if (seen === undefined) stream.send(frameOf('surface', surface.text, idOf(surface.state)))
        join(watcherOf(read.database, onTrouble), { tenantId, callId, publicUrl }, { stream, seen: seen ?? surface.state })
      }
      return services.streams.open(tenantId, serve).send(exchange)
    })
  },
})
