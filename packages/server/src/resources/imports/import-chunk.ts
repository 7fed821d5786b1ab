// Writes some rows of a file: through the handlers of single requests, with how far the import came in the same commit,
// so that a crash before it leaves nothing and after it repeats nothing.
import type { BatchItem } from '@parley/contract'
import { sql } from '../../database/sql.js'
import type { Services } from '../../http/endpoint.js'
import { ApiError } from '../../store/api-error.js'
import type { Caller } from '../../store/caller.js'
import type { Change } from '../../store/change.js'
import type { FanOut } from '../../store/commit-events.js'
import { type Committing, commitWithRetry } from '../../store/commit-with-retry.js'
import { Work } from '../../store/work.js'
import { type BatchTarget, type ItemResult, runItems } from '../generic/batch.js'
import type { FileRow } from './csv-rows.js'
import { addProgress, type Progress, requireImport, type StoredImport } from './import-jobs.js'
import type { MappedRow } from './map-rows.js'

export interface ChunkParts extends Committing {
  readonly clock: () => Date
  readonly onCommit: (change: Change) => void | Promise<void>
  readonly services: Services
  readonly leaseMs: number
  /** Refused rows that are kept of one import. */
  readonly errorsMax: number
}

export interface ReadRow {
  readonly row: FileRow
  readonly mapped: MappedRow
}

export interface Importing {
  readonly held: StoredImport
  readonly target: BatchTarget
  readonly caller: Caller
}

/** Somebody else has the import, or it was canceled. */
export class NotHeld extends Error {}

/** Events are logged, and nobody is told. */
const toNobody: FanOut = () => sql`select null as tenant_id where false`

/**
 * Writes a chunk after the rows that are done. It is worked on while the one before is being committed, and commits
 * after it; what it read too early is a lost race like any other. Where it cannot be committed as a whole, each row is
 * tried alone, so that one that nobody foresaw fails by itself.
 */
export async function writeChunk(
  parts: ChunkParts,
  importing: Importing,
  rows: readonly ReadRow[],
  done: number,
  before: Promise<void> = Promise.resolve(),
): Promise<void> {
  try {
    await commitRows(parts, importing, rows, done, before)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 503) throw error
    if (rows.length === 1) return commitRows(parts, importing, [refused(rows[0] as ReadRow, error)], done)
    for (const [index, row] of rows.entries()) await writeChunk(parts, importing, [row], done + index)
  }
}

const refused = ({ row }: ReadRow, error: ApiError): ReadRow => ({ row, mapped: { problem: error.message } })

async function commitRows(
  parts: ChunkParts,
  { held, target, caller }: Importing,
  rows: readonly ReadRow[],
  done: number,
  before: Promise<void> = Promise.resolve(),
): Promise<void> {
  const { database, sealer, services, clock, leaseMs } = parts
  const { id, dryRun, silent, failed } = held.job
  const requestId = `import:${id}`
  const committing = silent ? { ...parts, fanOut: toNobody } : parts
  const items = rows.flatMap(({ mapped }): BatchItem[] =>
    typeof mapped === 'object' && 'item' in mapped ? [mapped.item] : [],
  )
  const begin = () => new Work(database, caller, clock(), requestId)
  const outcome = await commitWithRetry(committing, begin, async (work) => {
    const current = await requireImport(work, id)
    if (current.claim !== held.claim || current.job.status !== 'running') throw new NotHeld()
    const nothing = work.change.saved()
    const input = { work, caller, now: work.now, requestId, query: {}, sealer, services }
    const results = await runItems(target, input, items)
    await before
    if (dryRun) work.change.goBackTo(nothing)
    const told = tally(rows, results)
    work.addStatement(addProgress(held, done, told.progress, leaseMs), 1)
    if (told.errors.length > 0 && failed < parts.errorsMax) work.addStatement(keepErrors(held, told.errors))
  })
  if (outcome.kind === 'done') await parts.onCommit(outcome.change)
}

interface RefusedRow {
  readonly row: FileRow
  readonly reason: string
}

function tally(rows: readonly ReadRow[], results: readonly ItemResult[]): { progress: Progress; errors: RefusedRow[] } {
  const progress = { done: rows.length, created: 0, updated: 0, skipped: 0, failed: 0 }
  const errors: RefusedRow[] = []
  let next = 0
  for (const { row, mapped } of rows) {
    if (mapped === 'blank') progress.skipped += 1
    else if ('problem' in mapped) errors.push({ row, reason: mapped.problem })
    else {
      const result = results[next++]
      if (result && 'error' in result) errors.push({ row, reason: result.error.message })
      else if (result?.status === 201) progress.created += 1
      else progress.updated += 1
    }
  }
  return { progress: { ...progress, failed: errors.length }, errors }
}

function keepErrors({ tenantId, job }: StoredImport, errors: readonly RefusedRow[]) {
  const kept = JSON.stringify(errors.map(({ row, reason }) => ({ line: row.line, cells: row.cells, reason })))
  return sql`insert into import_errors (tenant_id, import_id, line, cells, reason)
    select ${tenantId}::uuid, ${job.id}::uuid, e.line, e.cells, e.reason
    from json_to_recordset(${kept}::json) as e (line integer, cells json, reason text), not_a_replay
    on conflict do nothing returning 1`
}
