// `GET /calls/{id}/stream`: the surface of a call, and then what changes, as server-sent events. One look a node serves
// all its viewers of all calls; what it finds for a call is read and written down once, however many look on. The node
// that took the change need not be the one that streams it.
import { calls, sampleId, sampleOf, segment } from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { sql } from '../../database/sql.js'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { direct } from '../../http/raw-response.js'
import { frameOf, STREAM_PAGE_BYTES, type Stream } from '../../http/sse.js'
import { type Polling, polling } from '../../queue/poller.js'
import { notFound } from '../../store/api-error.js'
import { Reader } from '../../store/reader.js'
import { type Segment, type SegmentRow, toSegment } from './segments.js'
import { type CallState, readSurface, statesOf } from './surface.js'

/** What a viewer has been sent. */
type Seen = Pick<CallState, 'revision' | 'base'>

interface Viewer {
  readonly stream: Stream
  seen: Seen
  /** It has more to read than others wait for, and is sent that by itself. */
  isCatchingUp: boolean
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
      const sent = await Promise.allSettled(
        found.map((state) => bringUpToDate(database, watches.get(state.callId), state, onTrouble)),
      )
      const failed = sent.find((one) => one.status === 'rejected')
      if (failed) throw failed.reason
    },
    onTrouble,
  )
  const watcher = { watches, looking }
  watchers.set(database, watcher)
  return watcher
}

function join(
  { watches, looking }: Watcher,
  { tenantId, callId, publicUrl }: Omit<Watch, 'viewers'>,
  viewer: Viewer,
): void {
  const watch = watches.get(callId) ?? { tenantId, callId, publicUrl, viewers: new Set() }
  watches.set(callId, watch)
  watch.viewers.add(viewer)
  looking.start()
  void viewer.stream.closed.then(() => {
    watch.viewers.delete(viewer)
    if (watch.viewers.size === 0) watches.delete(callId)
    if (watches.size === 0) void looking.stop()
  })
}

/**
 * Viewers who have seen the same get the same: mostly all of them. One that has not read what it was sent waits for a
 * later look.
 */
async function bringUpToDate(
  database: Database,
  watch: Watch | undefined,
  state: CallState,
  onTrouble: (error: Error) => void,
): Promise<void> {
  const behind = new Map<string, Viewer[]>()
  for (const viewer of watch?.viewers ?? []) {
    const seen = idOf(viewer.seen)
    if (seen === idOf(state) || viewer.isCatchingUp || viewer.stream.isBehind) continue
    const alike = behind.get(seen)
    if (alike) alike.push(viewer)
    else behind.set(seen, [viewer])
  }
  for (const viewers of behind.values()) {
    if (watch && !(await sendNews(database, watch, state, viewers)))
      for (const viewer of viewers) void catchUp(database, watch, state, viewer, onTrouble)
  }
}

/**
 * Sends what is too much for one frame to one viewer, as fast as it reads; what fails is tried again at the next look.
 */
async function catchUp(
  database: Database,
  watch: Watch,
  state: CallState,
  viewer: Viewer,
  onTrouble: (error: Error) => void,
): Promise<void> {
  viewer.isCatchingUp = true
  await sendNews(database, watch, state, [viewer], () => viewer.stream.drained()).catch(onTrouble)
  viewer.isCatchingUp = false
}

/**
 * Sends what lies between what these viewers have seen and now: new segments by themselves, and the whole surface when
 * anything else has changed. Segments that go before a surface carry no id, so that a viewer who is cut off between the
 * two gets both again. Without a way to wait for the viewers nothing is sent that takes more than one frame of
 * segments; then it returns false.
 */
async function sendNews(
  database: Database,
  watch: Watch,
  state: CallState,
  viewers: readonly Viewer[],
  wait?: () => Promise<void>,
): Promise<boolean> {
  const seen = viewers[0]?.seen ?? state
  const read = new Reader(database, watch.tenantId)
  const isMoreThanTalk = state.partsRevision > seen.base || state.revision - state.base !== seen.revision - seen.base
  const surface = isMoreThanTalk ? await readSurface(read, watch.callId, watch.publicUrl, new Date()) : undefined
  const target = surface?.state ?? state
  const send = async (frame: Buffer) => {
    for (const { stream } of viewers) stream.send(frame)
    await wait?.()
  }
  if (target.segmentsRevision > seen.base) {
    for await (const { segments, last, isLast } of newSegments(read, watch.callId, seen.base, target.base)) {
      if (!isLast && !wait) return false
      if (!viewers.some(({ stream }) => stream.isOpen)) return true
      const body = JSON.stringify({ callId: watch.callId, revision: target.revision, segments })
      const reached = isLast ? target : { revision: seen.revision + last - seen.base, base: last }
      await send(frameOf('transcript', body, surface === undefined ? idOf(reached) : undefined))
    }
  }
  if (surface) await send(frameOf('surface', surface.text, idOf(target)))
  for (const viewer of viewers) viewer.seen = { revision: target.revision, base: target.base }
  return true
}

interface SegmentPage {
  readonly segments: Segment[]
  /** The revision of its last segment. */
  readonly last: number
  readonly isLast: boolean
}

/**
 * The segments that came after one revision, up to another. All of one revision go together, so that a page can be told
 * by its last; the revision that fills a page is its last, and the segments after it come without their text.
 */
async function* newSegments(
  { database, tenantId }: Reader,
  callId: string,
  after: number,
  upTo: number,
): AsyncGenerator<SegmentPage> {
  for (let last = after; ; ) {
    const rows = await database.query<{ revision: number; text: string | null }>(
      sql`select sequence, id, speaker, case when bytes - own_bytes < ${STREAM_PAGE_BYTES} then text end as text,
        start_ms, end_ms, confidence, is_final, revision from (
        select *, sum(octet_length(text)) over (order by revision) as bytes,
          sum(octet_length(text)) over (partition by revision) as own_bytes from (
          select * from call_segments where tenant_id = ${tenantId} and call_id = ${callId} and revision > ${last}
            and revision <= ${upTo}
          order by revision fetch first ${PAGE_ROWS} rows with ties
        ) as newest
      ) as counted order by revision`,
      { prepared: true },
    )
    const page = rows.filter(({ text }) => text !== null)
    const isLast = rows.length < PAGE_ROWS && page.length === rows.length
    const segments = page
      .map((row) => toSegment(callId, Object.values(row) as unknown as SegmentRow))
      .sort((a, b) => a.sequence - b.sequence)
    last = page.at(-1)?.revision ?? last
    if (segments.length > 0) yield { segments, last, isLast }
    if (isLast) return
  }
}

const idOf = ({ revision, base }: Seen): string => `${revision}-${base}`

/** What a viewer that comes back says it has seen; undefined when that can be nothing of this call. */
function seenOf(header: unknown, { base }: Seen): Seen | undefined {
  const match = typeof header === 'string' ? /^(\d{1,15})-(\d{1,15})$/.exec(header) : null
  const seen = match && { revision: Number(match[1]), base: Number(match[2]) }
  return seen && seen.base <= base ? seen : undefined
}

const sampled = { callId: sampleId('call'), revision: 12, segments: [sampleOf(segment, {}, 'segment')] }

export const callStreamEndpoint: Endpoint = endpoint({
  method: 'GET',
  path: '/calls/{id}/stream',
  scope: 'READ',
  operationId: 'streamCall',
  summary: 'Follow a call as it happens',
  description:
    'Server-sent events: `surface` has the whole surface, first of all and whenever more than the transcript has ' +
    'changed; `transcript` has new segments. Send the last id as `Last-Event-ID` to go on from there.',
  tag: calls.label,
  returns: {
    status: 200,
    schema: null,
    mediaTypes: ['text/event-stream'],
    examples: { 'text/event-stream': `id: 12\nevent: transcript\ndata: ${JSON.stringify(sampled)}\n\n` },
  },
  async handle({ read, params, services, caller, now }) {
    const { tenantId } = caller
    const callId = params.id
    const publicUrl = services.publicUrl()
    const surface = await readSurface(read, callId, publicUrl, now)
    if (surface === undefined) throw notFound()
    return direct((exchange) => {
      const seen = seenOf(exchange.request.headers['last-event-id'], surface.state)
      const onTrouble = (error: Error) =>
        exchange.request.log.warn({ err: error }, 'a call could not be read for its viewers; it is tried again')
      const serve = async (stream: Stream) => {
        if (seen === undefined) stream.send(frameOf('surface', surface.text, idOf(surface.state)))
        join(
          watcherOf(read.database, onTrouble),
          { tenantId, callId, publicUrl },
          { stream, seen: seen ?? surface.state, isCatchingUp: false },
        )
      }
      return services.streams.open(caller, serve).send(exchange)
    })
  },
})
