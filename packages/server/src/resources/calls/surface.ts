// The surface of a call: everything about it at one moment, read in one statement, so that its revision names exactly
// what it shows.
import {
  callSurface,
  calls,
  customers,
  drafts,
  type Entity,
  facts,
  people,
  type Row,
  signals,
  surfaceLimits,
  workRecords,
  workTypeDefinitions,
} from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { raw, type Sql, sql } from '../../database/sql.js'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { notFound } from '../../store/api-error.js'
import type { Reader } from '../../store/reader.js'
import { recordText } from '../../store/record-text.js'
import { etag } from '../../store/response.js'
import { type Call, segmentJson, transcriptStatus } from './composed-call.js'
import { type DraftField, draftFieldsOf } from './surface-draft-fields.js'

/**
 * How far a call and what hangs on it have come. `revision` is what is shown: it counts the versions of the linked
 * records too.
 */
export interface CallState {
  readonly callId: string
  readonly revision: number
  /** The revision of the call and what hangs on it, without the linked records. */
  readonly base: number
  readonly segmentsRevision: number
  readonly partsRevision: number
}

export interface Surface {
  readonly state: CallState
  /** The surface as it goes over the wire. */
  readonly text: string
}

type StateRow = [string, number, number, number, number]
type Parts = [
  person: string | null,
  customer: string | null,
  workRecord: string | null,
  draft: string | null,
  definition: string | null,
  facts: string,
  signals: string,
  tail: string,
  events: string,
]
type SurfaceRow = [
  ...StateRow,
  call: string,
  segmentCount: number,
  lastSequence: number | null,
  isLive: boolean,
  hasRecording: boolean,
  ...Parts,
]

const states = raw(
  `c.id, a.revision + coalesce(p.version, 0) + coalesce(u.version, 0) + coalesce(w.version, 0),
    a.revision, a.segments_revision, a.parts_revision`,
)

const linked: Sql = sql`${raw(calls.table)} c join call_activity a on a.tenant_id = c.tenant_id and a.call_id = c.id
  left join ${raw(people.table)} p on p.tenant_id = c.tenant_id and p.id = c.person_id
  left join ${raw(customers.table)} u on u.tenant_id = c.tenant_id and u.id = c.customer_id
  left join ${raw(workRecords.table)} w on w.tenant_id = c.tenant_id and w.id = c.work_record_id`

const toState = ([callId, revision, base, segmentsRevision, partsRevision]: StateRow): CallState => ({
  callId,
  revision,
  base,
  segmentsRevision,
  partsRevision,
})

/** How far some calls have come, of whichever tenants. */
export async function statesOf(
  database: Database,
  ids: readonly { tenantId: string; callId: string }[],
): Promise<CallState[]> {
  const [tenantIds, callIds] = [ids.map(({ tenantId }) => tenantId), ids.map(({ callId }) => callId)]
  const rows = await database.read<StateRow>(sql`select ${states}
    from ${linked} join unnest(${tenantIds}::uuid[], ${callIds}::uuid[]) wanted (tenant_id, id)
      on c.tenant_id = wanted.tenant_id and c.id = wanted.id`)
  return rows.map(toState)
}

const texts = (rows: Sql, text: Sql, order: Sql): Sql =>
  sql`(select coalesce(string_agg(${text}, ',' order by ${order}), '') from (${rows}) s)`
const ofCall = raw('tenant_id = c.tenant_id and call_session_id = c.id')
const max = (count: number): Sql => raw(String(count))

const shownFacts = texts(
  sql`select id, record, shape from ${raw(facts.table)} where tenant_id = c.tenant_id
    and source_call_session_id = c.id order by id desc limit ${max(surfaceLimits.facts)}`,
  recordText(facts, 's'),
  raw('s.id'),
)
const shownSignals = texts(
  sql`select id, record, shape from ${raw(signals.table)} where ${ofCall} order by id desc
    limit ${max(surfaceLimits.signals)}`,
  recordText(signals, 's'),
  raw('s.id'),
)
const shownTail = texts(
  sql`select * from call_segments where tenant_id = c.tenant_id and call_id = c.id order by sequence desc
    limit ${max(surfaceLimits.tailSegments)}`,
  segmentJson,
  raw('s.sequence'),
)
/**
 * A stored body ends with its data, with what was left out of it, if anything, and with the brace that closes it: all
 * of that goes on here.
 */
const shownEvents = texts(
  sql`select * from events where tenant_id = c.tenant_id and call_id = c.id order by xact desc, id desc
    limit ${max(surfaceLimits.events)}`,
  raw(`'{"id":"' || s.id || '","type":"' || s.type || '","at":"'
    || to_char(s.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '","data":' || substr(s.body, strpos(s.body, '"data":') + 7)`),
  raw('s.xact, s.id'),
)

/** What is linked may be absent. */
const linkedText = (entity: Entity, row: string): Sql =>
  sql`case when ${raw(row)}.record is not null then ${recordText(entity, row)} end`

/** The surface now; undefined when there is no such call. */
export async function readSurface(
  { database, tenantId }: Reader,
  callId: string,
  publicUrl: string,
  now: Date,
): Promise<Surface | undefined> {
  const [row] =
    await database.read<SurfaceRow>(sql`select ${states}, ${recordText(calls, 'c')}, a.segment_count, a.last_sequence,
      a.is_live,
      exists (select from voicemail_recordings r where r.tenant_id = c.tenant_id and r.voicemail_id = c.voicemail_id),
      ${linkedText(people, 'p')}, ${linkedText(customers, 'u')}, ${linkedText(workRecords, 'w')},
        ${linkedText(drafts, 'd')}, ${linkedText(workTypeDefinitions, 't')}, ${shownFacts}, ${shownSignals},
        ${shownTail}, ${shownEvents}
    from ${linked}
      left join lateral (select record, shape from ${raw(drafts.table)} where ${ofCall}
        order by status = 'rejected', id desc limit 1) d on true
      left join ${raw(workTypeDefinitions.table)} t on t.tenant_id = c.tenant_id
        and t.canonical_kind = coalesce(d.record ->> 'canonicalKind', d.record -> 'payload' ->> 'canonicalKind')
    where c.tenant_id = ${tenantId} and c.id = ${callId}`)
  if (row === undefined) return undefined
  const [
    id,
    revision,
    base,
    segmentsRevision,
    partsRevision,
    call,
    segmentCount,
    lastSequence,
    isLive,
    hasRecording,
    ...parts
  ] = row
  const state = toState([id, revision, base, segmentsRevision, partsRevision])
  const shown: Shown = { state, call, segmentCount, lastSequence, isLive, hasRecording, parts }
  return { state, text: textOf(shown, `${publicUrl}/api/v1`, now) }
}

interface Shown {
  readonly state: CallState
  readonly call: string
  readonly segmentCount: number
  readonly lastSequence: number | null
  readonly isLive: boolean
  readonly hasRecording: boolean
  readonly parts: Parts
}

/** Joins what was read into the surface. Only what decides something is parsed. */
function textOf(
  { state, call, segmentCount, lastSequence, isLive, hasRecording, parts }: Shown,
  api: string,
  now: Date,
): string {
  const [person, customer, workRecord, draft, definition, facts, signals, tail, events] = parts
  const record: Call = JSON.parse(call)
  const { callId, revision } = state
  const status = transcriptStatus(segmentCount, isLive)
  const head = JSON.stringify({
    callId,
    organizationId: record.organizationId,
    asOf: now.toISOString(),
    revision,
    live: isLive,
  })
  const transcript = {
    status,
    segmentCount,
    lastSequence,
    segmentsUrl: `${api}/calls/${callId}/transcript`,
    streamUrl: `${api}/calls/${callId}/stream`,
  }
  const fields: [string, string][] = [
    ['call', `${call.slice(0, -1)},"transcriptStatus":"${status}","transcriptSegmentCount":${segmentCount}}`],
    ['person', person ?? 'null'],
    ['customer', customer ?? 'null'],
    ['workRecord', workRecord ?? 'null'],
    ['draft', draft ?? 'null'],
    ['draftFields', JSON.stringify(fieldsOf(draft, definition, facts))],
    ['facts', `[${facts}]`],
    ['signals', `[${signals}]`],
    ['transcript', `${JSON.stringify(transcript).slice(0, -1)},"tail":[${tail}]}`],
    [
      'summary',
      JSON.stringify({
        text: record.summary,
        status: record.summary !== null ? 'available' : isLive ? 'pending' : 'none',
      }),
    ],
    ['recording', JSON.stringify(recordingOf(record, hasRecording, api))],
    ['events', `[${events}]`],
  ]
  return `${head.slice(0, -1)},${fields.map(([name, text]) => `"${name}":${text}`).join(',')}}`
}

function fieldsOf(draft: string | null, definition: string | null, facts: string): DraftField[] {
  const parsed = <T>(text: string | null): T | null => (text === null ? null : JSON.parse(text))
  return draftFieldsOf(
    parsed<Row<typeof drafts>>(draft),
    parsed<Row<typeof workTypeDefinitions>>(definition),
    JSON.parse(`[${facts}]`) as [],
  )
}

/** The call's own recording as it was given, else the voicemail's, under the address that does not expire. */
function recordingOf(
  { recordingUrl, recordingStatus, voicemailId }: Call,
  hasRecording: boolean,
  api: string,
): { status: string; url: string | null } {
  if (recordingUrl !== null || !hasRecording) return { status: recordingStatus, url: recordingUrl }
  return { status: 'available', url: `${api}/voicemails/${voicemailId}/recording` }
}

export const callSurfaceEndpoint: Endpoint = endpoint({
  method: 'GET',
  path: '/calls/{id}/surface',
  scope: 'READ',
  operationId: 'getCallSurface',
  summary: 'Get all about a call at this moment',
  description: 'The ETag is the revision, which rises with every change of the call or what hangs on it.',
  tag: calls.label,
  returns: { status: 200, schema: callSurface },
  async handle({ read, params, services, now }) {
    const surface = await readSurface(read, params.id, services.publicUrl(), now)
    if (surface === undefined) throw notFound()
    return { status: 200, body: surface.text, headers: { etag: etag(surface.state.revision) } }
  },
})
