// `POST …/merge`: one record becomes part of another. Its id leads to the other from then on; what named it is moved in
// the same commit when it is little, and by the worker in batches when it is much.
import {
  type AnyRow,
  contactMethods,
  type Entity,
  limits,
  type Merge,
  type MergeRequest,
  type Row,
  valueOf,
} from '@parley/contract'
import type { Input } from '../../http/endpoint.js'
import { badRequest, conflict, notFound, raceableConflict } from '../../store/api-error.js'
import { newId } from '../../store/id.js'
import { type Answer, json } from '../../store/response.js'
import type { Work } from '../../store/work.js'
import { requireMatch } from '../generic/crud.js'
import { addHistory } from '../generic/field-history.js'
import { newRecord, trackedFields } from '../generic/record-values.js'
import type { Mergeable } from './mergeable.js'
import { addMerge, isStanding, latestMergeOf, type MergeRow, presentMerge } from './merges.js'
import { countReferences, moveReferences, sayThatReferencesMove, totalOf } from './move-references.js'
import { type MovedReference, rememberMoved } from './moved-references.js'
import { isEmpty, takeOver } from './take-over.js'

/** Announced when there is something for the worker to move. */
export const REFERENCES_TO_MOVE = 'references to move'

export async function mergeRecords<E extends Entity>(
  kind: Mergeable<E>,
  input: Input<MergeRequest>,
): Promise<Answer<Row<E> | Merge>> {
  const { work, params, body } = input
  const id = params['id'] ?? ''
  const { entity } = kind
  const earlier = await latestMergeOf(work, id)
  const merged = await work.get(entity, id)
  if (merged === undefined) throw notFound()
  if (body.intoId === id) throw badRequest('intoId', `must name another ${entity.name}`, 'itself')
  const survivor = await work.get(entity, body.intoId)
  if (survivor === undefined) throw badRequest('intoId', `names a ${entity.name} that does not exist`, 'reference')
  if (earlier && isStanding(earlier)) return mergedBefore(work, entity, earlier, merged, survivor)
  if (earlier?.status === 'moving_back')
    throw conflict('unmerge_under_way', 'What the last merge moved is still on its way back; try again when it is done')
  if (merged.id === survivor.id)
    throw raceableConflict('already_merged', `They are one ${entity.name} already`, { mergedIntoId: survivor.id })
  requireMatch(input, merged)
  return mergeInto(kind, input, merged, survivor)
}

/** Asked for again, it is answered as it stands. Something else cannot be done to what is part of another. */
function mergedBefore<E extends Entity>(
  work: Work,
  { name }: Entity,
  earlier: MergeRow,
  current: Row<E>,
  survivor: Row<E>,
): Answer<Row<E> | Merge> {
  if (current.id !== survivor.id)
    throw raceableConflict(
      'already_merged',
      `It is part of another ${name} already; merge that one, or unmerge first`,
      {
        mergedIntoId: current.id,
      },
    )
  return earlier.status === 'moving' ? json(202, presentMerge(earlier)) : work.respond(200, survivor)
}

async function mergeInto<E extends Entity>(
  kind: Mergeable<E>,
  input: Input<MergeRequest>,
  merged: Row<E>,
  before: Row<E>,
): Promise<Answer<Row<E> | Merge>> {
  const { work, now } = input
  const { entity, rules } = kind
  const [wanted, taken] = takeOver(kind, before, merged)
  const counted = await countReferences(work, entity, merged.id)
  const isSmall = totalOf(counted) <= limits.mergeAtOnce
  work.remove(entity, merged, before.id)
  const completed = (await rules.complete?.(plain(input), wanted, before)) ?? wanted
  const survivor = work.update(entity, completed)
  await rules.after?.({ work, input: plain(input), record: survivor, before })
  await kind.fence(work, merged)
  const move = { target: entity, from: merged.id, to: survivor.id, mergeIds: [newId(now)] }
  const kept = await keepAddresses(work, entity, merged, survivor)
  const moved = isSmall ? await moveReferences(work, move, counted) : 0
  rememberMoved(work, move.mergeIds, kept)
  const row: MergeRow = {
    id: move.mergeIds[0] ?? '',
    entity_type: entity.name === 'person' ? 'person' : 'customer',
    merged_id: merged.id,
    display_name: String(valueOf(merged, 'displayName')),
    into_id: survivor.id,
    status: isSmall ? 'settling' : 'moving',
    moved,
    merged_at: now,
    undone_at: null,
    record: merged,
    taken,
  }
  addMerge(work, row)
  recordMerge(work, entity, merged, before, survivor)
  kind.publishMerged(work, survivor, merged)
  if (!isSmall) {
    sayThatReferencesMove(work)
    work.announce(REFERENCES_TO_MOVE)
  }
  return isSmall ? work.respond(200, survivor) : json(202, presentMerge(row))
}

/** The rules of an ordinary write have no use for what this one was sent. */
const plain = (input: Input<MergeRequest>): Input => ({ ...input, body: {} })

/**
 * A number or address that only the merged record had becomes a contact method of the other: whoever calls from it is
 * known.
 */
async function keepAddresses(work: Work, entity: Entity, merged: AnyRow, survivor: AnyRow): Promise<MovedReference[]> {
  const kept: MovedReference[] = []
  for (const [channel, field] of [['phone', 'primaryPhone'] as const, ['email', 'primaryEmail'] as const]) {
    const value = valueOf(merged, field)
    if (typeof value !== 'string' || value === valueOf(survivor, field)) continue
    const known = await work.find(contactMethods, { normalizedValue: value, ownerId: [merged.id, survivor.id] }, 1)
    if (known.length > 0) continue
    const owner = { ownerType: entity.name, ownerId: survivor.id }
    const method = newRecord(contactMethods, work, { channel, value, normalizedValue: value, ...owner })
    work.insert(contactMethods, method)
    const changes = { ownerId: [merged.id, survivor.id] as const }
    kept.push({ table: contactMethods.table, id: method.id, changes, removed: null })
  }
  return kept
}

/** What gave way in each field in which the two differed, and on both records that they are one. */
function recordMerge(work: Work, entity: Entity, merged: AnyRow, before: AnyRow, survivor: AnyRow): void {
  const called = (record: AnyRow) => ({ id: record.id, displayName: valueOf(record, 'displayName') })
  const entry = { field: null, changeType: 'merge' as const }
  addHistory(work, entity, merged.id, { ...entry, previousValue: null, newValue: called(survivor) })
  addHistory(work, entity, survivor.id, { ...entry, previousValue: called(merged), newValue: null })
  const taken = new Set(trackedFields(entity, before, survivor))
  for (const field of new Set([...taken, ...trackedFields(entity, merged, survivor)])) {
    const previousValue = valueOf(taken.has(field) ? before : merged, field)
    const change = { field, previousValue, newValue: valueOf(survivor, field), changeType: 'merge' as const }
    if (taken.has(field) || !isEmpty(previousValue)) addHistory(work, entity, survivor.id, change)
  }
}
