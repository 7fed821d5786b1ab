// Compiles the work of a handler into one SQL statement and runs it: claim the idempotency key and keep the answer,
// write the rows fenced by their versions, log the events and fan them out to whoever wants them. One round trip,
// atomic by itself; a lost race leaves nothing behind.
import { errorCode } from '../database/error-code.js'
import type { Database } from '../database/pool.js'
import { arrayLiteral, join, raw, type Sql, sql } from '../database/sql.js'
import type { Span, Tracing } from '../telemetry/tracing.js'
import { type Caller, PLATFORM_ID } from './caller.js'
import type { Change } from './change.js'
import { eventParts, type FanOut } from './commit-events.js'
import { type Part, writeParts } from './commit-rows.js'
import { type Claim, claimParts } from './idempotency.js'
import { mergedReferencePart } from './merged-ids.js'
import type { Answer } from './response.js'
import type { Sealer } from './secret-box.js'

/** What is to be committed, and for whom. */
export interface Committed {
  readonly caller: Pick<Caller, 'tenantId' | 'organizationId' | 'environment' | 'aboutOrganizationId'>
  readonly now: Date
  readonly change: Change
}

/** Statements with few rows recur and are worth preparing; large batches are not. */
const PREPARED_ROWS = 12

/** What a commit announces, with the id of each tenant to whose subscriptions its events were fanned out. */
export const FANNED_OUT = 'fanned out'

export interface CommitParts {
  readonly database: Database
  readonly sealer: Sealer
  readonly fanOut: FanOut
  readonly tracing?: Tracing | undefined
  /** Of what the commit is part of. */
  readonly traceparent?: string | undefined
  /**
   * Where there are several servers: who lives on the one of `database`. Whoever was held up between asking where that
   * is and writing there may come after it has left.
   */
  readonly isHere?: LivesHere | undefined
}

/** How a statement asks whether somebody lives on its server, or has left it. */
export interface LivesHere {
  tenant(id: Sql): Sql
  organization(id: Sql): Sql
}

/** The part that fails where the tenant does not live on this server any more. */
export const LIVES_HERE = 'lives_here'

/** True when the change was made; false when another request had claimed the key. Throws when a race was lost. */
export async function commit(
  parts: CommitParts,
  work: Committed,
  answer: Answer<unknown>,
  claim?: Claim,
): Promise<boolean> {
  const { change } = work
  const rows = change.writes.length + change.publications.length
  const span = spanOf(parts, work)
  const statement = compileCommit({ ...parts, traceparent: span?.traceparent }, work, answer, claim)
  const [result] = await parts.database
    .query<{ claimed: boolean; fanned_out?: (string | null)[] }>(statement, {
      prepared: rows <= PREPARED_ROWS && change.extras.every(({ recurs }) => recurs === true),
    })
    .catch((error: unknown) => {
      span?.end(errorCode(error) ?? 'error')
      throw error
    })
  span?.end()
  for (const detail of new Set(result?.fanned_out))
    if (detail !== null) change.announcements.push({ topic: FANNED_OUT, detail })
  return result?.claimed === true
}

/** Of a commit that is part of a trace. */
function spanOf({ tracing, traceparent: parent }: CommitParts, { caller, change }: Committed): Span | undefined {
  if (parent === undefined) return undefined
  return tracing?.start({
    name: 'commit',
    kind: 'client',
    parent,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': 'commit',
      'parley.tenant.id': caller.tenantId,
      'parley.commit.writes': change.writes.length,
      'parley.commit.events': change.publications.length,
    },
  })
}

/** The whole of a commit as one statement. */
export function compileCommit(
  { sealer, fanOut, traceparent, isHere }: Omit<CommitParts, 'database'>,
  { caller, now, change }: Committed,
  answer: Answer<unknown>,
  claim?: Claim,
): Sql {
  const { tenantId, organizationId, environment } = caller
  const context = { tenantId, organizationId, environment, now }
  const parts: Part[] = [
    ...(claim ? claimParts(sealer, context, claim, answer) : [{ name: 'not_a_replay', body: sql`select 1` }]),
    ...livingPart(isHere, caller),
    ...fenceParts(tenantId, inOrder(change.fences)),
    ...mergedReferencePart(tenantId, change),
    ...writeParts(context, change.writes),
    ...change.extras.map(({ statement, rows, name }, index) => ({
      name: name ?? `extra_${index}`,
      body: statement,
      rows,
    })),
    ...eventParts(context, change, fanOut, traceparent),
  ]
  const ctes = join(
    parts.map(({ name, body }) => sql`${raw(name)} as (${body})`),
    ',\n',
  )
  const fannedOut =
    change.publications.length > 0
      ? raw(', (select array[min(tenant_id::text), max(tenant_id::text)] from fanned_out) as fanned_out')
      : raw('')
  const checks = mustTouch(parts.filter(({ rows }) => rows !== undefined))
  return sql`with ${ctes}\nselect exists (select from not_a_replay) as claimed${fannedOut}${checks}`
}

/** The platform itself lives on the directory, and never leaves it. */
function livingPart(
  isHere: LivesHere | undefined,
  { tenantId, aboutOrganizationId: about }: Committed['caller'],
): Part[] {
  if (isHere === undefined || (tenantId === PLATFORM_ID && about === undefined)) return []
  const isLiving =
    about === undefined ? isHere.tenant(sql`${tenantId}::uuid`) : isHere.organization(sql`${about}::uuid`)
  return [{ name: LIVES_HERE, body: sql`select 1 where ${isLiving}`, rows: 1 }]
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
  return sql`, lose_race(case when not exists (select from not_a_replay) then null ${join(misses, ' ')} end)`
}

/**
 * Two changes that take the same fences take them in the same order, so that neither waits for the other in a circle.
 */
const inOrder = (fences: Change['fences']): Change['fences'] => [...fences].sort((a, b) => (a.name < b.name ? -1 : 1))

/** One part each, so that few share a prepared statement; of many, all at once. */
function fenceParts(tenantId: string, fences: Change['fences']): Part[] {
  if (fences.length <= FEW_FENCES)
    return fences.map(({ name, seen }, index) => ({
      name: `fence_${index}`,
      body: fenceBody(tenantId, name, seen),
      rows: 1,
    }))
  const body = sql`insert into fences as f (tenant_id, name, version)
    select ${tenantId}::uuid, u.name, u.seen + 1
    from unnest(${arrayLiteral(fences.map(({ name }) => name))}::text[],
      ${arrayLiteral(fences.map(({ seen }) => seen))}::int[]) u (name, seen), not_a_replay
    on conflict (tenant_id, name) do update set version = f.version + 1, touched_at = now()
      where f.version = excluded.version - 1 returning 1`
  return [{ name: 'fence_0', body, rows: fences.length }]
}

const FEW_FENCES = 4

function fenceBody(tenantId: string, name: string, seen: number): Sql {
  return sql`insert into fences as f (tenant_id, name, version) select ${tenantId}::uuid, ${name}::text, 1
    from not_a_replay
    on conflict (tenant_id, name) do update set version = f.version + 1, touched_at = now()
      where f.version = ${seen}::int returning 1`
}
