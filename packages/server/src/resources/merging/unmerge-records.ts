// `POST …/unmerge`: a merged record is there again as it was, and what the merge moved goes back to it, unless somebody
// has changed it since. What came after the merge stays where it is.
import { type AnyRow, type Entity, externalRefs, limits, type Merge, type Row, valueOf } from '@parley/contract'
import { sql } from '../../database/sql.js'
import type { Input } from '../../http/endpoint.js'
import { conflict, notFound, raceableConflict } from '../../store/api-error.js'
import { firstIdAt } from '../../store/id.js'
import { type Answer, json } from '../../store/response.js'
import type { Work } from '../../store/work.js'
import { addHistory } from '../generic/field-history.js'
import { trackedFields } from '../generic/record-values.js'
import { requireUnique } from '../generic/reference-checks.js'
import { REFERENCES_TO_MOVE } from './merge-records.js'
import type { Mergeable } from './mergeable.js'
import {
  changeMerge,
  isStanding,
  latestMergeOf,
  type MergeRow,
  mergesAfter,
  presentMerge,
  unmergeUntil,
} from './merges.js'
import { moveBack } from './move-back.js'
import { movedBy } from './moved-references.js'
import { giveBack, type Taken } from './take-over.js'

export async function unmergeRecord<E extends Entity>(
  kind: Mergeable<E>,
  input: Input,
): Promise<Answer<Row<E> | Merge>> {
  const { work, params, now } = input
  const id = params['id'] ?? ''
  const merge = await latestMergeOf(work, id)
  if (merge === undefined || !isStanding(merge)) return unmergedBefore(work, kind.entity, id, merge)
  const { record, taken } = merge
  if (record === null || taken === null || unmergeUntil(merge.merged_at) <= now)
    throw conflict('unmerge_too_late', `A merge can be undone for ${limits.unmergeDays} days, and this one is older`)
  return unmerge(kind, input, merge, { record, taken })
}

/** Asked for again, it is answered as it stands. */
async function unmergedBefore<E extends Entity>(
  work: Work,
  entity: E,
  id: string,
  merge: MergeRow | undefined,
): Promise<Answer<Row<E> | Merge>> {
  const record = await work.get(entity, id)
  if (record === undefined) throw notFound()
  if (merge === undefined) throw raceableConflict('not_merged', `This ${entity.name} is not merged into another`, {})
  return merge.status === 'moving_back' ? json(202, presentMerge(merge)) : work.respond(200, record)
}

async function unmerge<E extends Entity>(
  kind: Mergeable<E>,
  input: Input,
  merge: MergeRow,
  { record, taken }: { readonly record: AnyRow; readonly taken: Taken },
): Promise<Answer<Row<E> | Merge>> {
  const { work, now } = input
  const { entity } = kind
  const later = await mergesAfter(work, merge.into_id)
  const survivorId = later.at(-1)?.into_id ?? merge.into_id
  await returnTaken(kind, input, survivorId, taken)
  // Those that were merged in between do not keep what was never theirs.
  for (const { id, record: between } of later) if (between) keepWithout(work, entity, id, between, taken)
  const restored = await restore(work, entity, record, survivorId)
  work.change.restored.add(restored.id)
  await requireUnique(work, entity, restored)
  work.insert(entity, restored)
  await kind.fence(work, restored)
  const moved = await movedBy(work, merge.id, limits.mergeAtOnce + 1)
  const isSmall = moved.length <= limits.mergeAtOnce
  if (isSmall) await moveBack(work, { entity, merge, survivorId }, moved)
  const status = isSmall ? 'undone' : 'moving_back'
  changeMerge(work, merge, sql`status = ${status}, undone_at = ${now}::timestamptz, due_at = now()`)
  forgetDeletion(work, merge)
  recordUnmerge(work, entity, restored, survivorId)
  kind.publishUnmerged(work, restored, survivorId)
  if (!isSmall) work.announce(REFERENCES_TO_MOVE)
  return isSmall ? work.respond(200, restored) : json(202, presentMerge({ ...merge, status, undone_at: now }))
}

/** The one that stayed gives back what it took over. It may be gone by now. */
async function returnTaken<E extends Entity>(
  { entity, rules }: Mergeable<E>,
  input: Input,
  survivorId: string,
  taken: Taken,
): Promise<void> {
  const { work } = input
  const before = await work.get(entity, survivorId)
  if (before === undefined || before.id !== survivorId) return
  const wanted = giveBack(entity, before, taken)
  const completed = (await rules.complete?.(input, wanted, before)) ?? wanted
  const after = work.update(entity, completed)
  await rules.after?.({ work, input, record: after, before })
  for (const field of trackedFields(entity, before, after)) {
    const [previousValue, newValue] = [valueOf(before, field), valueOf(after, field)]
    addHistory(work, entity, survivorId, { field, previousValue, newValue, changeType: 'unmerge' })
  }
}

function keepWithout(work: Work, entity: Entity, mergeId: string, between: AnyRow, taken: Taken): void {
  const record = giveBack(entity, between, taken)
  work.addStatement(
    sql`update merges set record = ${JSON.stringify(record)}::json from not_a_replay
      where tenant_id = ${work.tenantId}::uuid and id = ${mergeId}::uuid and record is not null`,
  )
}

/** The merged record at its next version, with those of its external references that nobody has taken off meanwhile. */
async function restore<E extends Entity>(work: Work, entity: E, record: AnyRow, survivorId: string): Promise<Row<E>> {
  const was = record as Row<E>
  const rows = await work.find(externalRefs, { entityType: entity.name, entityId: [survivorId, was.id] })
  const isThere = ({ system, externalId }: AnyRow['externalRefs'][number]) =>
    rows.some((row) => row.system === system && row.externalId === externalId)
  return {
    ...was,
    externalRefs: was.externalRefs.filter(isThere),
    version: was.version + 1,
    updatedAt: work.now.toISOString(),
  }
}

/** A client that keeps a copy must not take it for deleted. Ids tell the time, so a short range holds the row. */
function forgetDeletion(work: Work, { merged_id: recordId, merged_at: at }: MergeRow): void {
  const [from, to] = [firstIdAt(at), firstIdAt(new Date(at.getTime() + 1))]
  work.addStatement(
    sql`delete from deleted_records d using not_a_replay where d.tenant_id = ${work.tenantId}::uuid
      and d.id >= ${from}::uuid and d.id < ${to}::uuid and d.record_id = ${recordId}::uuid`,
  )
}

function recordUnmerge(work: Work, entity: Entity, restored: AnyRow, survivorId: string): void {
  const entry = { field: null, newValue: null, changeType: 'unmerge' as const }
  addHistory(work, entity, restored.id, { ...entry, previousValue: { id: survivorId } })
  addHistory(work, entity, survivorId, { ...entry, previousValue: { id: restored.id } })
}
