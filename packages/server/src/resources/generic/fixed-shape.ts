// Objects of fixed shape within a record: PATCH merges them field by field, and every key that may be left out is
// filled in, in the order of the registry, so that what is read always has all of them.
import { annotationsOf, isObject, itemsOf, propertiesOf } from '@parley/contract'
import type { TSchema } from 'typebox'
import { badRequest } from '../../store/api-error.js'

type Values = Record<string, unknown>

/** What was there with what was sent laid over it, key by key. */
export function mergedShape(schema: TSchema, before: unknown, sent: Values, path: string): Values {
  const properties = propertiesOf(schema) ?? {}
  const after: Values = isObject(before) ? { ...before } : {}
  for (const [name, value] of Object.entries(sent)) {
    const within = properties[name]
    after[name] =
      within && propertiesOf(within) && isObject(value)
        ? mergedShape(within, after[name], value, `${path}.${name}`)
        : value
  }
  requireKeys(schema, after, path)
  return after
}

/** In part is enough only where the rest is known already. */
function requireKeys(schema: TSchema, values: Values, path: string): void {
  const missing = Object.entries(propertiesOf(schema) ?? {}).find(
    ([name, one]) => values[name] === undefined && annotationsOf(one).default === undefined,
  )
  if (missing) throw badRequest(`${path}.${missing[0]}`, 'is required', 'required')
}

/** Whether a value of it can lack keys that have defaults. */
export const hasParts = (schema: TSchema): boolean =>
  propertiesOf(schema) !== undefined || propertiesOf(itemsOf(schema) ?? {}) !== undefined

/** The value with the defaults of the keys that it lacks, within lists too. */
export function completed(schema: TSchema, value: unknown): unknown {
  const items = itemsOf(schema)
  if (Array.isArray(value)) return items && propertiesOf(items) ? value.map((item) => completed(items, item)) : value
  const properties = propertiesOf(schema)
  if (properties === undefined || !isObject(value)) return value
  return Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, completed(one, value[name] ?? defaultOf(one))]),
  )
}

const defaultOf = (schema: TSchema): unknown => structuredClone(annotationsOf(schema).default)
