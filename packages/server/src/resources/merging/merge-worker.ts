// Moves what names a merged record, where that is too much for one commit, and gives it back where such a merge was
// undone: batch after batch, each a commit of its own, taken up by any node where another one stopped. Small merges
// come here too: writes that began before the merge may have named the merged record without anybody knowing.
import { limits, mergeableEntities } from '@parley/contract'
import { raw, type Sql, sql } from '../../database/sql.js'
import type { Work } from '../../store/work.js'
import { commitAsSystem, type SystemParts } from '../generic/system-caller.js'
import { changeMerge, columns, type MergeRow, type MergeState, mergesAfter } from './merges.js'
import { moveBack } from './move-back.js'
import { countReferences, moveReferences } from './move-references.js'
import { movedBy } from './moved-references.js'

interface Claimed extends Record<string, unknown> {
  readonly tenant_id: string
  readonly id: string
  /** Nobody writes any more who began before the merge and cannot have seen it. */
  readonly is_settled: boolean
}

const isDue = raw(`status in ('moving', 'settling', 'moving_back') and due_at <= now()`)

/** A merge that is due, if there is one. */
export const findDueMerge: Sql = sql`select from merges where ${isDue} order by due_at limit 1`

/** One batch of the merge that has waited longest; true when there may be more. Any number of nodes may do this. */
export async function moveMerged(parts: SystemParts): Promise<boolean> {
  const claimed = await claim(parts)
  if (claimed === undefined) return false
  let state: MergeState | undefined
  await commitAsSystem(parts, claimed.tenant_id, 'merges', async (work) => {
    state = await moveOn(work, claimed)
  })
  // A merge that waits for others to finish their writes is looked at again by and by.
  return state !== 'settling'
}

/**
 * A transaction that has written has an id, and a statement that has not written yet has what it sees: neither may be
 * of before the merge.
 */
async function claim({ database }: SystemParts): Promise<Claimed | undefined> {
  const [row] = await database.query<Claimed>(sql`update merges m set due_at = now() + interval '10 seconds'
    from (select tenant_id, id from merges where ${isDue} order by due_at limit 1 for update skip locked) w
    where m.tenant_id = w.tenant_id and m.id = w.id
    returning m.tenant_id, m.id, m.merged_at < now() - interval '10 minutes'
      or (pg_snapshot_xmin(pg_current_snapshot()) > m.xact and not exists (
        select from pg_stat_activity a where a.datname = current_database() and a.pid <> pg_backend_pid()
          and age(a.backend_xmin) >= age(m.xact::xid))) as is_settled`)
  return row
}

async function moveOn(work: Work, { id, is_settled: isSettled }: Claimed): Promise<MergeState | undefined> {
  const merge = await readMerge(work, id)
  const entity = mergeableEntities.find(({ name }) => name === merge?.entity_type)
  if (merge === undefined || entity === undefined || merge.status === 'done' || merge.status === 'undone')
    return undefined
  const later = await mergesAfter(work, merge.into_id)
  const survivorId = later.at(-1)?.into_id ?? merge.into_id
  if (merge.status === 'moving_back') {
    const moved = await movedBy(work, merge.id, limits.mergeAtOnce)
    await moveBack(work, { entity, merge, survivorId }, moved)
    return settle(work, merge, moved.length === 0 ? 'undone' : 'moving_back', 0)
  }
  const counted = await countReferences(work, entity, merge.merged_id)
  const mergeIds = [merge.id, ...later.map((one) => one.id)]
  const moved = await moveReferences(work, { target: entity, from: merge.merged_id, to: survivorId, mergeIds }, counted)
  if (moved === 0) return settle(work, merge, isSettled ? 'done' : 'settling', 0)
  countMoved(work, later, moved)
  return settle(work, merge, merge.status, moved)
}

async function readMerge({ database, tenantId }: Work, id: string): Promise<MergeRow | undefined> {
  const [row] = await database.query<MergeRow>(
    sql`select ${columns} from merges where tenant_id = ${tenantId} and id = ${id}`,
  )
  return row
}

function settle(work: Work, merge: MergeRow, status: MergeState, moved: number): MergeState {
  const dueIn = raw(
    status === 'settling' ? `greatest(interval '1 second', (now() - merged_at) / 4)` : `interval '0 seconds'`,
  )
  changeMerge(work, merge, sql`status = ${status}, moved = moved + ${moved}::int, due_at = now() + ${dueIn}`)
  return status
}

/** It was moved for the merges that lead on from this one too, and only while all of them stand as they were read. */
function countMoved(work: Work, later: readonly MergeRow[], moved: number): void {
  for (const merge of later) changeMerge(work, merge, sql`moved = moved + ${moved}::int`)
}
