// Compiles the work of a handler into one SQL statement and runs it: claim the idempotency key and keep the answer,
// write the rows fenced by their versions, log the events and fan them out to whoever wants them. One round trip, atomic
// by itself; a lost race leaves nothing behind.
import {
  columnName,
  columnsOf,
  type Entity,
  events as eventDefinitions,
  limits,
  shapeOf,
  streamOf,
  valueOf,
} from '@parley/contract'
import type { Database } from '../database/pool.js'
import { join, raw, type Sql, sql } from '../database/sql.js'
import type { Caller } from './caller.js'
import type { Change, Publication, Write } from './change.js'
import { isArrayField } from './entity-ddl.js'
import { eventWriter } from './event-text.js'
import { newEventId, timeOfEvent } from './id.js'
import type { Claim } from './idempotency.js'
import type { Answer } from './response.js'
import { searchText, wordsOf } from './search-words.js'
import type { Sealer } from './secret-box.js'

/** What is to be committed, and for whom. */
export interface Committed {
  readonly caller: Pick<Caller, 'tenantId' | 'organizationId' | 'environment'>
  readonly now: Date
  readonly change: Change
}

/** Whose change it is and when it happens. */
interface Context {
  readonly tenantId: string
  readonly organizationId: string
  readonly environment: string
  readonly now: Date
}

/**
 * What becomes of new events in the commit that makes them, besides the log: an insert that selects from the CTE
 * `inserted_events` (id, type, opt_in, occurred_at, subject_id) and returns a row for each that it makes.
 */
export type FanOut = (tenantId: string, now: Date) => Sql

/** A part of the statement: a CTE and, where it must touch rows, how many. */
interface Part {
  readonly name: string
  readonly body: Sql
  readonly rows?: number | undefined
}

/** Statements with few rows recur and are worth preparing; large batches are not. */
const PREPARED_ROWS = 12

/** What a commit announces, with the tenant's id, when its events were fanned out to somebody. */
export const FANNED_OUT = 'fanned out'

export interface CommitParts {
  readonly database: Database
  readonly sealer: Sealer
  readonly fanOut: FanOut
}

/** True when the change was made; false when another request had claimed the key. Throws when a race was lost. */
export async function commit(
  { database, sealer, fanOut }: CommitParts,
  { caller, now, change }: Committed,
  answer: Answer<unknown>,
  claim?: Claim,
): Promise<boolean> {
  const { tenantId, organizationId, environment } = caller
  const context = { tenantId, organizationId, environment, now }
  const rows = change.writes.length + change.publications.length
  const claiming = claim && claimPart(sealer, context, claim, answer)
  const statement = compileChange(context, change, fanOut, claiming)
  const [result] = await database.query<{ claimed: number; fanned_out?: number }>(statement, {
    prepared: rows <= PREPARED_ROWS && change.extras.every(({ recurs }) => recurs === true),
  })
  if (result?.fanned_out) change.announcements.push({ topic: FANNED_OUT, detail: tenantId })
  return result?.claimed === 1
}

function compileChange(context: Context, change: Change, fanOut: FanOut, claiming: Part | undefined): Sql {
  const { tenantId } = context
  const parts: Part[] = [
    claiming ?? { name: 'claimed_key', body: sql`select 1` },
    { name: 'not_a_replay', body: sql`select 1 from claimed_key` },
    ...inOrder(change.fences).map(({ name, seen }, index) => ({
      name: `fence_${index}`,
      body: fenceBody(tenantId, name, seen),
      rows: 1,
    })),
    ...writeParts(context, change.writes),
    ...change.extras.map(({ statement, rows, name }, index) => ({
      name: name ?? `extra_${index}`,
      body: statement,
      rows,
    })),
    ...eventParts(context, change, fanOut),
  ]
  const ctes = join(
    parts.map(({ name, body }) => sql`${raw(name)} as (${body})`),
    ',\n',
  )
  const fannedOut =
    change.publications.length > 0 ? raw(', (select count(*) from fanned_out)::int as fanned_out') : raw('')
  const checks = mustTouch(parts.filter(({ rows }) => rows !== undefined))
  return sql`with ${ctes}\nselect (select count(*) from claimed_key)::int as claimed${fannedOut}${checks}`
}

/**
 * All parts touch as many rows as they must, or there was nothing to do; the error names the first that does not. The
 * numbers are parameters, so that batches of any size share one statement.
 */
function mustTouch(parts: readonly Part[]): Sql {
  if (parts.length === 0) return raw('')
  const misses = parts.map(
    ({ name, rows }) => sql`when (select count(*) from ${raw(name)}) <> ${rows}::int then ${raw(`'${name}'`)}`,
  )
  return sql`, must(failed is null, failed)
    from (select case when not exists (select 1 from claimed_key) then null ${join(misses, ' ')} end as failed) checks`
}

function claimPart(sealer: Sealer, { tenantId, now }: Context, claim: Claim, answer: Answer<unknown>): Part {
  const body = answer.body ?? ''
  const kept = answer.secret ? sealer.seal(body) : Buffer.from(body)
  return {
    name: 'claimed_key',
    body: sql`insert into idempotency_keys (tenant_id, key, fingerprint, status, body, sealed, headers, created_at)
      values (${tenantId}, ${claim.key}, ${claim.fingerprint}, ${answer.status}, ${kept}, ${answer.secret === true},
        ${JSON.stringify(answer.headers ?? {})}, ${now})
      on conflict (tenant_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
        body = excluded.body, sealed = excluded.sealed, headers = excluded.headers, created_at = excluded.created_at
        where idempotency_keys.created_at < excluded.created_at - interval '24 hours'
      returning 1`,
  }
}

/**
 * Two changes that take the same fences take them in the same order, so that neither waits for the other in a circle.
 */
const inOrder = (fences: Change['fences']): Change['fences'] => [...fences].sort((a, b) => (a.name < b.name ? -1 : 1))

function fenceBody(tenantId: string, name: string, seen: number): Sql {
  return sql`insert into fences as f (tenant_id, name, version) select ${tenantId}::uuid, ${name}::text, 1 from not_a_replay
    on conflict (tenant_id, name) do update set version = f.version + 1, touched_at = now()
      where f.version = ${seen}::int returning 1`
}

/**
 * One CTE per table and kind, tables in a fixed order, rows in the order of their ids, so that two changes lock in the
 * same order.
 */
function writeParts(context: Context, writes: readonly Write[]): Part[] {
  const groups = new Map<string, Write[]>()
  for (const write of writes) {
    const name = `${write.kind}_${write.entity.table}`
    const group = groups.get(name)
    if (group) group.push(write)
    else groups.set(name, [write])
  }
  return [...groups]
    .sort(([, [a]], [, [b]]) => ((a?.entity.table ?? '') < (b?.entity.table ?? '') ? -1 : 1))
    .flatMap(([name, group]) => {
      const { entity, kind } = group[0] as Write
      const rows = [...group].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
      if (kind === 'insert') return [{ name, body: insertBody(context, entity, rows), rows: rows.length }]
      if (kind === 'update') return [{ name, body: updateBody(context, entity, rows), rows: rows.length }]
      return [{ name, body: removeBody(context, entity, rows), rows: rows.length }, buryPart(context, entity, name)]
    })
}

const idOf = (write: Write): string => (write.kind === 'remove' ? write.id : write.record.id)

const arrayFields = (entity: Entity): string[] => columnsOf(entity).filter((field) => isArrayField(entity, field))

/** Everything of a row that the store writes itself, as VALUES; Postgres generates the rest from `record`. */
function storedValues(entity: Entity, write: Exclude<Write, { kind: 'remove' }>): Sql {
  const { record } = write
  const words = write.searchUnchanged ? null : wordsOfRecord(entity, record, write.words)
  const values = [
    sql`${record.id}::uuid`,
    sql`${record.version}::int`,
    sql`${record.updatedAt}::timestamptz`,
    sql`${JSON.stringify(record)}::json`,
    sql`${shapeOf(entity)}::int`,
    sql`array_to_tsvector(string_to_array(${words}, ' '))`,
    ...(entity.sealed ? [sql`${write.sealed ?? null}::bytea`] : []),
    ...arrayFields(entity).map((field) => sql`${valueOf(record, field)}::text[]`),
    ...(write.kind === 'update' ? [sql`${write.seen}::int`] : []),
  ]
  return sql`(${join(values, ', ')})`
}

/** The words under which a record is found, joined by spaces. */
export function wordsOfRecord(entity: Entity, record: object, further: readonly string[] = []): string {
  const values = entity.search.map((field) => valueOf(record, field))
  return searchText([...values.filter((value) => typeof value === 'string'), ...further])
}

const ownColumns = (entity: Entity): string[] => [
  'id',
  'version',
  'updated_at',
  'record',
  'shape',
  'search',
  ...(entity.sealed ? ['sealed'] : []),
  ...arrayFields(entity).map((field) => columnName(field)),
]

const valuesOf = (entity: Entity, rows: readonly Write[]): Sql =>
  join(
    rows.map((row) => storedValues(entity, row as Exclude<Write, { kind: 'remove' }>)),
    ', ',
  )

function insertBody({ tenantId }: Context, entity: Entity, rows: readonly Write[]): Sql {
  const columns = raw(ownColumns(entity).join(', '))
  return sql`insert into ${raw(entity.table)} (tenant_id, ${columns})
    select ${tenantId}::uuid, r.* from (values ${valuesOf(entity, rows)}) r (${columns}), not_a_replay returning 1`
}

function updateBody({ tenantId }: Context, entity: Entity, rows: readonly Write[]): Sql {
  const columns = ownColumns(entity)
  // A secret or search words that are not said are kept.
  const isKept = (name: string) => name === 'sealed' || name === 'search'
  const sets = columns
    .filter((name) => name !== 'id')
    .map((name) => (isKept(name) ? `${name} = coalesce(r.${name}, t.${name})` : `${name} = r.${name}`))
  return sql`update ${raw(entity.table)} t set ${raw(sets.join(', '))}
    from (values ${valuesOf(entity, rows)}) r (${raw([...columns, 'seen'].join(', '))}), not_a_replay
    where t.tenant_id = ${tenantId}::uuid and t.id = r.id and t.version = r.seen returning 1`
}

function removeBody({ tenantId }: Context, entity: Entity, rows: readonly Write[]): Sql {
  const values = join(
    rows.map((row) => sql`(${idOf(row)}::uuid, ${row.kind === 'remove' ? row.seen : 0}::int)`),
    ', ',
  )
  return sql`delete from ${raw(entity.table)} t using (values ${values}) r (id, seen), not_a_replay
    where t.tenant_id = ${tenantId}::uuid and t.id = r.id and t.version = r.seen returning t.id, t.record, t.search`
}

function buryPart({ tenantId, now }: Context, entity: Entity, removed: string): Part {
  const words = wordsOf(entity.name).join(' ')
  return {
    name: `keep_deleted_${entity.table}`,
    body: sql`insert into deleted_records (tenant_id, id, entity_type, record_id, deleted_at, record, search)
      select ${tenantId}::uuid, uuid_v7(${now}), ${entity.name}, id, ${now}, record,
        search || array_to_tsvector(string_to_array(${words}, ' ') || string_to_array(id::text, '-'))
      from ${raw(removed)} returning 1`,
  }
}

function eventParts(context: Context, { publications, writes }: Change, fanOut: FanOut): Part[] {
  if (publications.length === 0) return []
  const textOf = eventWriter()
  const written = new Map(
    writes.flatMap((write) => (write.kind === 'remove' ? [] : [[write.record.id, write] as const])),
  )
  const rows = publications.map((publication) => eventRow(context, publication, textOf, written))
  return [
    {
      name: 'inserted_events',
      body: sql`insert into events (tenant_id, id, type, opt_in, occurred_at, subject_id, call_id, body, search)
        select ${context.tenantId}::uuid, r.* from (values ${join(rows, ', ')}) r, not_a_replay
        returning id, type, opt_in, occurred_at, subject_id`,
    },
    { name: 'fanned_out', body: fanOut(context.tenantId, context.now) },
  ]
}

function eventRow(
  { organizationId, environment, now }: Context,
  { type, data }: Publication,
  textOf: ReturnType<typeof eventWriter>,
  written: Written,
): Sql {
  const eventId = newEventId(now)
  // As `createdAt` of a record: events are in the order of their times because they are in the order of their ids.
  const occurredAt = timeOfEvent(eventId).toISOString()
  const definition = eventDefinitions[type]
  const subject = data[definition.subject] ?? Object.values(data).find((value) => typeof value === 'string') ?? null
  const body = textOf({ eventId, type, occurredAt, organizationId, environment }, data)
  const words = wordsOfEvent(eventId, type, written.get(String(subject)))
  return sql`(${eventId}::text, ${type}::text, ${definition.optIn}::boolean, ${occurredAt}::timestamptz,
    ${subject}::uuid, ${streamOf(data)}::uuid, ${body}::text, array_to_tsvector(string_to_array(${words}::text, ' ')))`
}

type Written = ReadonlyMap<string, Exclude<Write, { kind: 'remove' }>>

/**
 * An event is found by its type, its id, and the words of the record it is about, as they were then; of a long text by
 * its beginning.
 */
function wordsOfEvent(eventId: string, type: string, write: ReturnType<Written['get']>): string {
  const record: object = write?.record ?? {}
  const values = (write?.entity.search ?? [])
    .map((field) => valueOf(record, field))
    .filter((value) => typeof value === 'string')
  return searchText([
    type,
    eventId,
    ...values.map((value) => value.slice(0, limits.nameLength)),
    ...(write?.words ?? []),
  ])
}
