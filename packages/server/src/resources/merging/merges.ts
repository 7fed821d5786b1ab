// The rows of merges: which stand, where they lead, and how the API shows one.
import { type AnyRow, limits, type Merge } from '@parley/contract'
import { raw, type Sql, sql } from '../../database/sql.js'
import type { Reader } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import type { Taken } from './take-over.js'

export type MergeState = Merge['status'] | 'settling'

export interface MergeRow extends Record<string, unknown> {
  readonly id: string
  readonly entity_type: Merge['entityType']
  readonly merged_id: string
  readonly display_name: string | null
  readonly into_id: string
  readonly status: MergeState
  readonly moved: number
  readonly merged_at: Date
  readonly undone_at: Date | null
  /** The merged record as it was; null when it is too late to undo. */
  readonly record: AnyRow | null
  readonly taken: Taken | null
}

/** What is shown of a merge. */
export const columns = raw(
  `id, entity_type, merged_id, record ->> 'displayName' as display_name, into_id, status, moved, merged_at, undone_at`,
)
const standing = raw(`status in ('moving', 'settling', 'done')`)
const dayMs = 24 * 60 * 60 * 1_000

/** A merge as the API shows it. That stragglers may still turn up is no affair of the caller's. */
export const presentMerge = (row: MergeRow): Merge => ({
  id: row.id,
  entityType: row.entity_type,
  mergedId: row.merged_id,
  displayName: row.display_name,
  intoId: row.into_id,
  status: row.status === 'settling' ? 'done' : row.status,
  moved: row.moved,
  mergedAt: row.merged_at.toISOString(),
  unmergeUntil: unmergeUntil(row.merged_at).toISOString(),
  undoneAt: row.undone_at?.toISOString() ?? null,
})

export const unmergeUntil = (mergedAt: Date): Date => new Date(mergedAt.getTime() + limits.unmergeDays * dayMs)

/** The newest merge of this id into another, standing or undone. */
export async function latestMergeOf({ database, tenantId }: Reader, mergedId: string): Promise<MergeRow | undefined> {
  const [row] = await database.query<MergeRow>(sql`select ${columns}, record, taken from merges
    where tenant_id = ${tenantId} and merged_id = ${mergedId} order by id desc limit 1`)
  return row
}

export const isStanding = ({ status }: MergeRow): boolean => status !== 'moving_back' && status !== 'undone'

/** The merges that lead on from one, the nearest first: what it moves is moved for them too. */
export async function mergesAfter({ database, tenantId }: Reader, intoId: string): Promise<MergeRow[]> {
  return database.query<MergeRow>(sql`with recursive way as (
      select m.*, 1 as step from merges m where m.tenant_id = ${tenantId} and m.merged_id = ${intoId} and ${standing}
      union all
      select m.*, way.step + 1 from way join merges m on m.tenant_id = way.tenant_id and m.merged_id = way.into_id
        and m.${standing} where way.step < 1000
    ) select ${columns}, record, taken from way order by step`)
}

/** The merges into a record, newest first. */
export async function mergesInto({ database, tenantId }: Reader, intoId: string): Promise<Merge[]> {
  const rows = await database.query<MergeRow>(sql`select ${columns} from merges
    where tenant_id = ${tenantId} and into_id = ${intoId} order by id desc limit ${raw(String(limits.listItems))}`)
  return rows.map(presentMerge)
}

/** A merge of either of the two records. */
export async function findMerge(
  { database, tenantId }: Reader,
  recordId: string,
  id: string,
): Promise<Merge | undefined> {
  const [row] = await database.query<MergeRow>(sql`select ${columns} from merges
    where tenant_id = ${tenantId} and id = ${id} and ${recordId}::uuid in (merged_id, into_id)`)
  return row && presentMerge(row)
}

/** Writes a new merge, as part of the change that makes it. */
export function addMerge(work: Work, row: MergeRow): void {
  work.addStatement(
    sql`insert into merges (tenant_id, id, entity_type, merged_id, into_id, status, moved, merged_at, record, taken)
      select ${work.tenantId}::uuid, ${row.id}::uuid, ${row.entity_type}, ${row.merged_id}::uuid, ${row.into_id}::uuid,
        ${row.status}, ${row.moved}::int, ${row.merged_at}::timestamptz, ${JSON.stringify(row.record)}::json,
        ${JSON.stringify(row.taken)}::json
      from not_a_replay returning 1`,
    1,
  )
}

/** Brings a merge on, as part of a change that holds only while the merge is as it was read. */
export function changeMerge(work: Work, { id, status, moved }: MergeRow, changes: Sql): void {
  work.addStatement(
    sql`update merges set ${changes} from not_a_replay where tenant_id = ${work.tenantId}::uuid and id = ${id}::uuid
      and status = ${status} and moved = ${moved}::int returning 1`,
    1,
  )
}
