// What the components of the OpenAPI document are called: a shape by its own `title`, a record by its entity, a list by
// what it lists, a body by its operation.
import { annotationsOf, type Entity, itemsOf, propertiesOf, recordSchema } from '@parley/contract'
import type { TSchema } from 'typebox'
import type { Use } from './openapi-schemas.js'

export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[-_.])(\w)/g, (_, letter: string) => letter.toUpperCase())
export const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)
export const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')

/** The record behind a name such as `TaskCreate` or `TaskSnapshot`. */
export const sameShape = (name: string): string => name.replace(/(Snapshot|Input|Create|Update|Replace|Body)$/, '')

/** What a record and its snapshot hold, or a creation and a replacement, is called alike. */
export const nestedBase = (name: string): string => name.replace(/Snapshot$/, '').replace(/Replace$/, 'Create')

/** `createTask` takes a `TaskCreate`, `updateTask` a `TaskUpdate`, `endCall` an `EndCallBody`. */
export function bodyName(operationId: string): string {
  const [, verb, name] = /^(create|update|replace)([A-Z]\w*)$/.exec(operationId) ?? []
  return verb && name ? name + pascalCase(verb) : `${pascalCase(operationId)}Body`
}

type NameOf = (schema: TSchema, use: Use) => string | undefined

export function namesOf(entities: readonly Entity[]): NameOf {
  const records = new Map(entities.map((entity) => [shapeOf(recordSchema(entity)), pascalCase(entity.name)]))
  const nameOf: NameOf = (schema, use) => {
    const { title } = annotationsOf(schema)
    // A list of values is the same wherever it stands.
    if (title !== undefined && valuesOf(schema)) return title
    if (propertiesOf(schema) === undefined) return undefined
    // What is sent is checked more strictly than what comes back, so the two cannot share a name.
    if (title !== undefined) return title + (use === 'request' || use === 'change' ? 'Input' : '')
    const record = use === 'response' || use === 'event' ? records.get(shapeOf(schema)) : undefined
    return (record && record + (use === 'event' ? 'Snapshot' : '')) ?? envelopeName(schema, use, nameOf)
  }
  return nameOf
}

/** The values that it may have besides null, where they are listed. */
function valuesOf(schema: TSchema): unknown[] | undefined {
  const { enum: values, 'x-rules': rules } = annotationsOf(schema)
  const listed = values ?? rules?.['enum']
  return Array.isArray(listed) ? listed.filter((value) => value !== null) : undefined
}

function envelopeName(schema: TSchema, use: Use, nameOf: NameOf): string | undefined {
  const { data, meta, pagination } = propertiesOf(schema) ?? {}
  if (data === undefined || meta === undefined) return undefined
  const items = itemsOf(data)
  const name = nameOf(items ?? data, use)
  return name && name + (items === undefined ? 'Lookup' : pagination === undefined ? 'List' : 'Page')
}

const shapes = new WeakMap<object, string>()

/** Two objects or lists of values of one shape are one schema, whatever is said about them where they stand. */
export function shapeOf(schema: TSchema): string {
  const known = shapes.get(schema)
  if (known !== undefined) return known
  const { properties, required, 'x-rules': rules } = schema as Record<string, unknown>
  const shape = JSON.stringify(valuesOf(schema) ?? [properties, required, rules])
  shapes.set(schema, shape)
  return shape
}
