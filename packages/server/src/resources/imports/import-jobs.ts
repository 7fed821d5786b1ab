// Imports as they are stored: how one is read, and the moves of its status.
import type { ImportJob } from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { raw, type Sql, sql } from '../../database/sql.js'
import { notFound } from '../../store/api-error.js'
import type { Caller } from '../../store/caller.js'
import { timeOf } from '../../store/id.js'

/** What a commit announces when an import has its file, or was canceled and leaves files to remove. */
export const IMPORT_CHANGED = 'import changed'

export interface StoredImport {
  readonly tenantId: string
  readonly job: ImportJob
  readonly actor: Caller['actor']
  readonly claim: string | null
  readonly attempts: number
}

interface ImportRow extends Record<string, unknown> {
  tenant_id: string
  id: string
  entity: string
  format: ImportJob['format']
  mapping: Record<string, unknown>
  match_by: ImportJob['matchBy']
  default_country: string | null
  dry_run: boolean
  silent: boolean
  actor: Caller['actor']
  status: ImportJob['status']
  error: string | null
  received_bytes: number
  rows: number | null
  done: number
  created: number
  updated: number
  skipped: number
  failed: number
  attempts: number
  claim: string | null
  finished_at: Date | null
}

const columns = raw(`tenant_id, id, entity, format, mapping, match_by, default_country, dry_run, silent, actor, status,
  error, received_bytes, rows, done, created, updated, skipped, failed, attempts, claim, finished_at`)

const toStored = (row: ImportRow): StoredImport => ({
  tenantId: row.tenant_id,
  actor: row.actor,
  claim: row.claim,
  attempts: row.attempts,
  job: {
    id: row.id,
    entity: row.entity,
    format: row.format,
    mapping: row.mapping,
    matchBy: row.match_by,
    defaultCountry: row.default_country,
    dryRun: row.dry_run,
    silent: row.silent,
    status: row.status,
    error: row.error,
    receivedBytes: row.received_bytes,
    rows: row.rows,
    done: row.done,
    created: row.created,
    updated: row.updated,
    skipped: row.skipped,
    failed: row.failed,
    createdAt: timeOf(row.id).toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  },
})

interface Tenanted {
  readonly database: Database
  readonly tenantId: string
}

export async function listImports(
  { database, tenantId }: Tenanted,
  below: string | undefined,
  limit: number,
): Promise<ImportJob[]> {
  const rows = await database.query<ImportRow>(
    sql`select ${columns} from imports where tenant_id = ${tenantId}::uuid
      ${below === undefined ? raw('') : sql`and id < ${below}::uuid`} order by id desc limit ${limit}`,
  )
  return rows.map((row) => toStored(row).job)
}

export async function requireImport({ database, tenantId }: Tenanted, id: string): Promise<StoredImport> {
  const [row] = await database.query<ImportRow>(
    sql`select ${columns} from imports where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`,
  )
  if (row === undefined) throw notFound()
  return toStored(row)
}

/** Part of the commit that makes an import. */
export function insertImport(tenantId: string, job: ImportJob, actor: Caller['actor'], now: Date): Sql {
  return sql`insert into imports (tenant_id, id, entity, format, mapping, match_by, default_country, dry_run, silent,
      actor, status, touched_at)
    select ${tenantId}::uuid, ${job.id}::uuid, ${job.entity}, ${job.format}, ${JSON.stringify(job.mapping)}::json,
      ${job.matchBy}, ${job.defaultCountry}::text, ${job.dryRun}::boolean, ${job.silent}::boolean,
      ${JSON.stringify(actor)}::json, ${job.status}, ${now}::timestamptz from not_a_replay returning 1`
}

const isDue = raw(`status in ('queued', 'running') and (leased_until is null or leased_until < now())`)

/** An import that may be claimed, if there is one. */
export const findDueImport: Sql = sql`select from imports where ${isDue} limit 1`

/** Takes one import that waits, or whose worker has not been heard of for a lease. */
export async function claimImport(
  database: Database,
  claim: string,
  leaseMs: number,
): Promise<StoredImport | undefined> {
  const [row] = await database.query<ImportRow>(
    sql`update imports i set status = 'running', claim = ${claim}::uuid, attempts = i.attempts + 1,
        leased_until = now() + ${leaseMs} * interval '1 ms'
      from (
        select tenant_id, id from imports where ${isDue} order by touched_at limit 1 for update skip locked
      ) due where i.tenant_id = due.tenant_id and i.id = due.id returning ${raw(qualified)}`,
  )
  return row && toStored(row)
}

const qualified = `i.tenant_id, i.id, i.entity, i.format, i.mapping, i.match_by, i.default_country, i.dry_run, i.silent,
  i.actor, i.status, i.error, i.received_bytes, i.rows, i.done, i.created, i.updated, i.skipped, i.failed, i.attempts,
  i.claim, i.finished_at`

const isHeld = ({ tenantId, job, claim }: StoredImport): Sql =>
  sql`i.tenant_id = ${tenantId}::uuid and i.id = ${job.id}::uuid and i.claim = ${claim}::uuid
    and i.status = 'running'`

export async function renewLease(database: Database, held: StoredImport, leaseMs: number): Promise<boolean> {
  const rows = await database.query(
    sql`update imports i set leased_until = now() + ${leaseMs} * interval '1 ms' where ${isHeld(held)} returning 1`,
  )
  return rows.length === 1
}

export async function saveRows(
  database: Database,
  held: StoredImport,
  rows: number,
  columns: readonly string[],
): Promise<void> {
  await database.query(
    sql`update imports i set rows = ${rows}::int, columns = ${JSON.stringify(columns)}::json where ${isHeld(held)}`,
  )
}

/** What a chunk of rows came to. */
export interface Progress {
  readonly done: number
  readonly created: number
  readonly updated: number
  readonly skipped: number
  readonly failed: number
}

/** Part of the commit that writes the rows: it must touch one row, or somebody else has the import by now. */
export const addProgress = (held: StoredImport, doneBefore: number, progress: Progress, leaseMs: number): Sql =>
  sql`update imports i set done = i.done + ${progress.done}::int, created = i.created + ${progress.created}::int,
      updated = i.updated + ${progress.updated}::int, skipped = i.skipped + ${progress.skipped}::int,
      failed = i.failed + ${progress.failed}::int, attempts = 0, leased_until = now() + ${leaseMs} * interval '1 ms'
    from not_a_replay where ${isHeld(held)} and i.done = ${doneBefore}::int returning 1`

/** Ends it; whoever was faster, such as a cancellation, stands. */
export async function finishImport(
  database: Database,
  held: StoredImport,
  status: 'completed' | 'failed',
  error: string | null,
  now: Date,
): Promise<void> {
  await database.query(
    sql`update imports i set status = ${status}, error = ${error}::text, finished_at = ${now}::timestamptz,
      claim = null, leased_until = null where ${isHeld(held)}`,
  )
}

/** Gives it back, to go on at once or after a pause. */
export async function releaseImport(database: Database, held: StoredImport, pauseMs: number): Promise<void> {
  await database.query(
    sql`update imports i set claim = null, leased_until = now() + ${pauseMs} * interval '1 ms' where ${isHeld(held)}`,
  )
}
