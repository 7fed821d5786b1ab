// What a fact's value may be: exactly of its definition's type, with no coercion. Nothing here reads or writes.
import type { factDefinitions, Row, valueTypes } from '@parley/contract'
import { isRealDay } from '../../http/wire-formats.js'
import { badRequest } from '../../store/api-error.js'

export type ValueType = (typeof valueTypes)[number]
type Typing = Pick<Row<typeof factDefinitions>, 'valueType' | 'enumValues'>

const dayPattern = /^(\d{4})-(\d\d)-(\d\d)$/

/** Undefined when the value fits; else what it would have to be. */
export function typeMismatch({ valueType, enumValues }: Typing, value: unknown): string | undefined {
  switch (valueType) {
    case 'string':
      return typeof value === 'string' ? undefined : 'must be a string'
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? undefined : 'must be a finite number'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'enum':
      return typeof value === 'string' && enumValues?.includes(value)
        ? undefined
        : `must be one of: ${(enumValues ?? []).join(', ')}`
    case 'date':
      return isDay(value) ? undefined : 'must be a real date as YYYY-MM-DD'
    case 'json':
      return value === undefined ? 'is required' : undefined
    default:
      return valueType satisfies never
  }
}

function isDay(value: unknown): boolean {
  const match = typeof value === 'string' ? dayPattern.exec(value) : null
  if (match === null) return false
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  return year >= 1 && isRealDay(year, month, day)
}

/**
 * The type of a key that nobody has defined. Text is never taken for a date: the next value may be "next Tuesday", and
 * it must not be lost.
 */
export function inferredType(value: unknown): ValueType {
  if (value === null || value === undefined)
    throw badRequest('value', 'must not be null, unless a fact definition says that it is json', 'value_type')
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'json'
}

/** Whether two values say the same; the order of an object's keys does not matter. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return { object: entries.map(([key, one]) => [key, sorted(one)]) }
}
