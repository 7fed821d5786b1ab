// The schemas of the OpenAPI document: ours without the annotations that only the service reads, and by reference where
// they have a name. A schema is named by its own `title`, or by the entity whose record or body it is.
import {
  annotationsOf,
  createBody,
  type Entity,
  limits,
  patchBody,
  propertiesOf,
  type Rules,
  recordSchema,
  typeOf,
} from '@parley/contract'
import type { TSchema } from 'typebox'
import { wireFormats } from '../wire-formats.js'

export type Json = Record<string, unknown>

/**
 * Where a schema stands: in a body that is sent whole, in one that changes what is there, in what comes back, or in an
 * event that we send.
 */
export type Use = 'request' | 'change' | 'response' | 'event'

const isOurs = (use: Use): boolean => use === 'response' || use === 'event'

export interface Schemas {
  /** The schema as the document writes it. */
  of(schema: TSchema, use: Use): Json
  /** The name under which it stands among the components, if it has one. */
  nameOf(schema: TSchema, use: Use): string | undefined
  /** Every named schema that was asked for, by name. */
  components(): Json
}

interface Plain {
  readonly title?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly items?: TSchema
  readonly additionalProperties?: unknown
}

export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[-_.])(\w)/g, (_, letter: string) => letter.toUpperCase())
export const refTo = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

export function createSchemas(entities: readonly Entity[]): Schemas {
  const names = entityNames(entities)
  const made = new Map<string, Json>()
  const nameOf = (schema: TSchema, use: Use): string | undefined => {
    const { title, properties } = schema as Plain
    if (properties === undefined) return undefined
    return (
      (isOurs(use) ? envelopeParts[Object.keys(properties).join()] : undefined) ??
      titled(title, use) ??
      names.get(use + shapeOf(schema))
    )
  }
  const of = (schema: TSchema, use: Use): Json => {
    const name = nameOf(schema, use)
    if (name === undefined) return written(schema, use, of)
    if (!made.has(name)) {
      made.set(name, {})
      made.set(name, bare(written(schema, use, of)))
    }
    return referred(name, schema, use)
  }
  return { of, nameOf, components: () => Object.fromEntries([...made].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/** The two parts that every envelope has. */
const envelopeParts: Readonly<Record<string, string>> = { 'limit,nextCursor': 'Pagination', requestId: 'Meta' }

/** What is sent is checked more strictly than what comes back, so the two cannot share a name. */
const titled = (title: string | undefined, use: Use): string | undefined =>
  title && title + (use === 'response' ? '' : use === 'event' ? 'Snapshot' : 'Input')

function entityNames(entities: readonly Entity[]): Map<string, string> {
  const names = entities.flatMap((entity) => {
    const name = pascalCase(entity.name)
    return [
      [`response${shapeOf(recordSchema(entity))}`, name],
      [`event${shapeOf(recordSchema(entity))}`, `${name}Snapshot`],
      [`request${shapeOf(createBody(entity).schema)}`, `${name}Create`],
      [`change${shapeOf(patchBody(entity).schema)}`, `${name}Update`],
    ] as const
  })
  return new Map(names)
}

const shapes = new WeakMap<object, string>()

/** Two objects of one shape are one schema, whatever is said about them where they stand. */
function shapeOf(schema: TSchema): string {
  const known = shapes.get(schema)
  if (known !== undefined) return known
  const { properties, required } = schema as Plain
  const shape = JSON.stringify([properties, required])
  shapes.set(schema, shape)
  return shape
}

function referred(name: string, schema: TSchema, use: Use): Json {
  const { type, readOnly, description } = schema as Plain & { readOnly?: boolean; description?: string }
  const ref = refTo('schemas', name)
  const said = { ...(readOnly && use !== 'event' && { readOnly }), ...(description !== undefined && { description }) }
  return Array.isArray(type) ? { anyOf: [ref, { type: 'null' }], ...said } : { ...ref, ...said }
}

/** What is said of a schema at one place does not belong to its component. */
function bare(json: Json): Json {
  const { default: _, readOnly: __, title: ___, ...rest } = json
  return { ...rest, type: 'object' }
}

const internal = new Set(['x-required', 'x-optional', 'x-state', 'x-merge', 'x-free-form', 'x-rules', '~unsafe'])

function written(schema: TSchema, use: Use, of: Schemas['of']): Json {
  const { properties, items, additionalProperties, ...rest } = schema as Plain & Json
  const json: Json = Object.fromEntries(Object.entries(rest).filter(([key]) => !internal.has(key)))
  // A default in a PATCH would tell generated clients to send it, and so to reset what nobody meant to change.
  if (use === 'change') delete json['default']
  // To tools an event is a request, in which nothing read-only may stand.
  if (use === 'event') delete json['readOnly']
  const { patterns } = wireFormats[String(json['format'])] ?? {}
  if (patterns) json['pattern'] = isOurs(use) ? patterns.given : patterns.taken
  const description = describe(schema, use)
  if (description !== undefined) json['description'] = description
  if (properties)
    json['properties'] = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, of(one, use)]))
  if (items) json['items'] = of(items, use)
  for (const word of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(rest[word])) json[word] = (rest[word] as TSchema[]).map((one) => of(one, use))
  // Answers may gain fields over time; bodies with unknown fields are refused.
  if (additionalProperties !== undefined && !(isOurs(use) && additionalProperties === false))
    json['additionalProperties'] = additionalProperties
  return isOurs(use) ? json : withRules({ ...safeRange(schema), ...json }, annotationsOf(schema)['x-rules'])
}

/** No number that is sent may be larger than every program can hold. */
export function safeRange(schema: TSchema): Json {
  const isNumber = ['integer', 'number'].includes(typeOf(schema) ?? '')
  return isNumber ? { minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } : {}
}

function withRules(json: Json, { properties = {}, ...words }: Rules = {}): Json {
  const known = json['properties'] as Record<string, Json> | undefined
  const told = Object.entries(properties).map(([name, rules]) => [name, { ...known?.[name], ...rules }])
  return { ...json, ...words, ...(known && { properties: { ...known, ...Object.fromEntries(told) } }) }
}

const freeFormLimits =
  `Any JSON of at most ${limits.freeFormBytes / 1024} KiB and ${limits.freeFormKeys} keys, ` +
  `nested at most ${limits.freeFormDepth} levels deep.`

const nationalForms = 'National forms are read too once `settings.defaultCountry` of the organization is set.'

function describe(schema: TSchema, use: Use): string | undefined {
  const { description, format, 'x-merge': merges, 'x-free-form': isFree, default: byDefault } = annotationsOf(schema)
  // A body has no default, and what stands in it is said of its fields.
  const isFixed = byDefault !== undefined && propertiesOf(schema) !== undefined
  const sentences = [
    description,
    isFree && !isOurs(use) ? freeFormLimits : undefined,
    wireFormats[format ?? '']?.localized && !isOurs(use) ? nationalForms : undefined,
    merges && use === 'change'
      ? 'Merged one level deep; a null removes a key. The limits hold for the result.'
      : undefined,
    isFixed && use === 'change' ? 'Merged field by field.' : undefined,
  ]
  return sentences.filter((sentence) => sentence !== undefined).join(' ') || undefined
}
