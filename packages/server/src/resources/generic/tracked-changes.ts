// What an "updated" event says of a change: which tracked fields differ, and from what to what.
import type { AnyRow, Entity } from '@parley/contract'
import { trackedFields } from './record-values.js'
import { type ToldChange, toldChange } from './told-change.js'

export interface TrackedChanges {
  readonly changedFields: readonly string[]
  readonly changes: Readonly<Record<string, ToldChange>>
}

export function trackedChanges(entity: Entity, before: AnyRow, after: AnyRow): TrackedChanges {
  const fields = trackedFields(entity, before, after)
  const value = (record: AnyRow, field: string) => (record as unknown as Record<string, unknown>)[field]
  return { changedFields: fields, changes: Object.fromEntries(fields.map((field) => [field, toldChange(value(before, field), value(after, field))])) }
}
