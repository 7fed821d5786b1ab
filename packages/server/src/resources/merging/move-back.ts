// Gives a restored record back what its merge moved, a bounded number at once: each field that still says what the
// merge made it say.
import { type AnyRow, type Entity, mergeableReferences, storedEntities, valueOf } from '@parley/contract'
import type { Work } from '../../store/work.js'
import { findTwin } from '../generic/reference-checks.js'
import type { MergeRow } from './merges.js'
import { changeNaming, reindexNamed, sayThatReferencesMove } from './move-references.js'
import { forgetMoved, type MovedReference } from './moved-references.js'

interface Undoing {
  readonly entity: Entity
  readonly merge: MergeRow
  /** Where the references are by now. */
  readonly survivorId: string
}

export async function moveBack(work: Work, undoing: Undoing, moved: readonly MovedReference[]): Promise<void> {
  if (moved.length > 0) sayThatReferencesMove(work)
  for (const entity of storedEntities) {
    const ofEntity = moved.filter(({ table }) => table === entity.table)
    if (ofEntity.length === 0) continue
    const records = await work.find(entity, { id: ofEntity.map(({ id }) => id) })
    for (const one of ofEntity) {
      const record = records.find(({ id }) => id === one.id)
      if (record) await giveBackReference(work, entity, record, one, undoing)
      else if (one.removed) await bringBack(work, entity, one.removed)
    }
    reindexNamed(work, entity, [...new Set(ofEntity.flatMap(referencesIn(entity)))], undoing.merge.merged_id)
  }
  forgetMoved(work, undoing.merge.id, moved)
}

const isReference = (entity: Entity, field: string): boolean =>
  mergeableReferences(entity).some((reference) => reference.field === field)
const referencesIn =
  (entity: Entity) =>
  ({ changes }: MovedReference): string[] =>
    Object.keys(changes).filter((field) => isReference(entity, field))

async function giveBackReference(
  work: Work,
  entity: Entity,
  record: AnyRow,
  { changes }: MovedReference,
  { merge, survivorId }: Undoing,
): Promise<void> {
  const back = Object.entries(changes).flatMap(([field, [before, since]]): [string, unknown][] => {
    const now = valueOf(record, field)
    if (isReference(entity, field)) return now === survivorId ? [[field, merge.merged_id]] : []
    return JSON.stringify(now) === JSON.stringify(since) ? [[field, before]] : []
  })
  // What says someone else by now is theirs, and nothing else of it goes back either.
  const isStillTheirs = back.some(([field]) => isReference(entity, field))
  if (isStillTheirs) await changeNaming(work, entity, record, Object.fromEntries(back))
}

/** A record that had to go comes back, unless its place is taken. */
async function bringBack(work: Work, entity: Entity, record: AnyRow): Promise<void> {
  const twins = await Promise.all(entity.unique.map((fields) => findTwin(work, entity, fields, record)))
  if (twins.some((twin) => twin !== undefined)) return
  work.insert(entity, { ...record, version: record.version + 1, updatedAt: work.now.toISOString() })
}
