// What an "updated" event says of a change: which tracked fields differ, and from what to what.
import { type AnyRow, type Entity, valueOf } from '@parley/contract'
import { trackedFields } from './record-values.js'
import { type ToldChange, toldChange } from './told-change.js'

export interface TrackedChanges {
  readonly changedFields: readonly string[]
  readonly changes: Readonly<Record<string, ToldChange>>
}

export function trackedChanges(entity: Entity, before: AnyRow, after: AnyRow): TrackedChanges {
  const fields = trackedFields(entity, before, after)
  return {
    changedFields: fields,
    changes: Object.fromEntries(
      fields.map((field) => [field, toldChange(valueOf(before, field), valueOf(after, field))]),
    ),
  }
}
