// A schema as an agent reads it: JSON Schema without what only the service reads, and without what costs more words
// than it tells.
import { isObject } from '@parley/contract'

const told = new Set([
  'type',
  'enum',
  'format',
  'description',
  'properties',
  'required',
  'items',
  'minimum',
  'maximum',
  'maxLength',
  'additionalProperties',
])

export function plainSchema(schema: object): Record<string, unknown> {
  const entries = Object.entries(schema).filter(([key, value]) => told.has(key) && !isNothing(value))
  return Object.fromEntries(entries.map(([key, value]) => [key, plainWord(key, value)]))
}

function plainWord(key: string, value: unknown): unknown {
  if (key === 'items' && isObject(value)) return plainSchema(value)
  if (key !== 'properties' || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, isObject(one) ? plainSchema(one) : one]))
}

const isNothing = (value: unknown): boolean => value === true || (Array.isArray(value) && value.length === 0)
