// What an "updated" event says of a change: which tracked fields differ, and from what to what.
import type { AnyRow, Entity } from '@parley/contract'
import { changedFields } from './record.js'
import { type ToldChange, toldChange } from './told-change.js'

export interface TrackedChanges {
  readonly changedFields: readonly string[]
  readonly changes: Readonly<Record<string, ToldChange>>
}

/** External references are written by whoever syncs, and say nothing about the record itself: they are not tracked. */
export function trackedChanges(entity: Entity, before: AnyRow, after: AnyRow): TrackedChanges {
  const fields = changedFields(entity, before, after).filter((field) => field !== 'externalRefs')
  const value = (record: AnyRow, field: string) => (record as unknown as Record<string, unknown>)[field]
  return { changedFields: fields, changes: Object.fromEntries(fields.map((field) => [field, toldChange(value(before, field), value(after, field))])) }
}
