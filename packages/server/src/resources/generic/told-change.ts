// What a field was and what it became, as the field history and "updated" events tell it. A small value is told whole.
// Of a large object only the keys that changed are told, of a large text its beginning; `$omitted` marks both, so that
// a record that is changed often is not repeated each time.
import { isObject, limits } from '@parley/contract'

import { shortened } from './record-values.js'

/** How a field changed. */
export interface ToldChange {
  readonly from: unknown
  readonly to: unknown
}

export const toldChange = (from: unknown, to: unknown): ToldChange => ({ from: told(from, to), to: told(to, from) })

function told(value: unknown, other: unknown): unknown {
  const bytes = bytesOf(value)
  if (bytes <= limits.historyValueBytes) return value
  const $omitted = { bytes }
  if (typeof value === 'string') return { $omitted, start: shortened(value) }
  if (!isObject(value)) return { $omitted }
  const changed = changedKeys(value, isObject(other) ? other : {})
  return bytesOf(changed) <= limits.historyValueBytes ? { ...changed, $omitted } : { $omitted }
}

const changedKeys = (value: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([key, one]) => !Object.hasOwn(other, key) || JSON.stringify(one) !== JSON.stringify(other[key]),
    ),
  )

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')
