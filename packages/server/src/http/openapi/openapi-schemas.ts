// The schemas of the OpenAPI document: ours without the annotations that only the service reads, each field with an
// example, and every object by reference to a component of its name.
import { annotationsOf, type Entity, exampleOf, limits, propertiesOf, type Rules, typeOf } from '@parley/contract'
import type { TSchema } from 'typebox'
import { wireFormats } from '../wire-formats.js'
import { lowerFirst, namesOf, nestedBase, pascalCase, sameShape, shapeOf, singular } from './openapi-names.js'

export type Json = Record<string, unknown>

/**
 * Where a schema stands: in a body that is sent whole, in one that changes what is there, in what comes back, or in an
 * event that we send.
 */
export type Use = 'request' | 'change' | 'response' | 'event'

export const isOurs = (use: Use): boolean => use === 'response' || use === 'event'

/** What is known of the place of a schema, where its own name is not enough. */
export interface Place {
  /** The field that it describes. */
  readonly field?: string
  /** What holds the field, as samples know it. */
  readonly holder?: string
  /** What the component is called when nothing else names it. */
  readonly suggested?: string | undefined
}

export interface Schemas {
  /** The schema as the document writes it. */
  of(schema: TSchema, use: Use, place?: Place): Json
  /** The name under which it stands among the components, if it has one. */
  nameOf(schema: TSchema, use: Use): string | undefined
  /** Every named schema that was asked for, by name. */
  components(): Json
}

interface Plain {
  readonly title?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly additionalProperties?: unknown
}

export const refTo = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

export function createSchemas(entities: readonly Entity[]): Schemas {
  const names = namesOf(entities)
  const made = new Map<string, Json>()
  const shapes = new Map<string, string>()
  const keep = (name: string, shape: string, write: () => Json): void => {
    const known = shapes.get(name)
    if (known !== undefined && known !== shape) throw new Error(`Two shapes are called ${name}: title one of them`)
    shapes.set(name, shape)
    if (known === undefined) made.set(name, write())
  }
  const of: Schemas['of'] = (schema, use, place = {}) => {
    const given = names(schema, use) ?? (propertiesOf(schema) && place.suggested)
    if (given === undefined) return write(schema, use, place, of)
    const name = shapes.get(nestedBase(given)) === shapeOf(schema) && !isOurs(use) ? nestedBase(given) : given
    keep(name, shapeOf(schema), () => bare(write(schema, use, withinComponent(name, place), of)))
    return referred(name, schema, use)
  }
  return { of, nameOf: names, components: () => Object.fromEntries([...made].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/** Its fields are held by what samples call it: the field that it describes, else its name. */
const withinComponent = (name: string, { field, holder }: Place): Place => ({
  holder: field ?? holder ?? lowerFirst(sameShape(name)),
  suggested: nestedBase(name),
})

function referred(name: string, schema: TSchema, use: Use): Json {
  const { type, readOnly, default: byDefault } = annotationsOf(schema)
  const description = describe(schema, use)
  const ref = refTo('schemas', name)
  const said = {
    ...(readOnly && use !== 'event' && { readOnly }),
    ...(description !== undefined && { description }),
    ...(isOurs(use) && isPlain(byDefault) && { default: byDefault }),
  }
  return Array.isArray(type) ? { anyOf: [ref, { type: 'null' }], ...said } : { ...ref, ...said }
}

/** What is said of a schema at one place does not belong to its component. */
function bare(json: Json): Json {
  const { default: _, readOnly: __, title: ___, description: ____, examples: _____, ...rest } = json
  const values = Array.isArray(rest['enum']) ? rest['enum'].filter((value) => value !== null) : undefined
  return values ? { type: 'string', enum: values } : { ...rest, type: 'object' }
}

const internal = new Set([
  'title',
  'x-required',
  'x-optional',
  'x-state',
  'x-merge',
  'x-free-form',
  'x-rules',
  '~unsafe',
])

/** Generators cannot write an object or a list down as a default; what is empty or null needs none. */
const isPlain = (value: unknown): boolean => value !== undefined && typeof value !== 'object'

function write(schema: TSchema, use: Use, place: Place, of: Schemas['of']): Json {
  const { properties, items, additionalProperties, ...rest } = schema as Plain & Json
  const json: Json = Object.fromEntries(Object.entries(rest).filter(([key]) => !internal.has(key)))
  // A default in a body would tell generated clients to send it, and so to reset what nobody meant to change, also in a
  // creation under a known external reference. There it is said in words.
  if (!isOurs(use) || !isPlain(json['default'])) delete json['default']
  // To tools an event is a request, in which nothing read-only may stand.
  if (use === 'event') delete json['readOnly']
  const { patterns, hidesFormat } = wireFormats[String(json['format'])] ?? {}
  if (patterns) json['pattern'] = isOurs(use) ? patterns.given : patterns.taken
  if (hidesFormat) delete json['format']
  const description = describe(schema, use)
  if (description !== undefined) json['description'] = description
  if (properties) json['properties'] = writeFields(properties, use, place, of)
  if (items) json['items'] = of(items, itemUse(use), itemPlace(place))
  if (Array.isArray(rest['anyOf']))
    json['anyOf'] = rest['anyOf'].map((one) => of(one as TSchema, use, itemPlace(place)))
  // Answers may gain fields over time; bodies with unknown fields are refused.
  if (additionalProperties !== undefined && !(isOurs(use) && additionalProperties === false))
    json['additionalProperties'] = additionalProperties
  if (place.field !== undefined && isLeaf(schema)) json['examples'] = [exampleOf(schema, place.field, place.holder)]
  const whole = isOurs(use) ? json : withRules({ ...safeRange(schema), ...json }, annotationsOf(schema)['x-rules'])
  return eitherType(whole)
}

const writeFields = (properties: Readonly<Record<string, TSchema>>, use: Use, place: Place, of: Schemas['of']): Json =>
  Object.fromEntries(
    Object.entries(properties).map(([name, one]) => {
      const suggested = place.suggested && place.suggested + pascalCase(name)
      return [name, of(one, use, { field: name, holder: place.holder ?? '', suggested })]
    }),
  )

/** What is in a list is sent whole, in a change too. */
const itemUse = (use: Use): Use => (use === 'change' ? 'request' : use)

const itemPlace = ({ field, suggested }: Place): Place => ({
  ...(field !== undefined && { holder: singular(field) }),
  suggested: suggested && singular(suggested),
})

/** What is no object of known fields, nor a list of them: those are shown by their fields. */
function isLeaf(schema: TSchema): boolean {
  const { items, properties, anyOf } = schema as Plain & { anyOf?: unknown }
  return anyOf === undefined && properties === undefined && (items === undefined || isLeaf(items))
}

/** A type is one word, or null besides: what may be a text or a list is one of two schemas. */
function eitherType(json: Json): Json {
  const types = Array.isArray(json['type']) ? json['type'].filter((type) => type !== 'null') : []
  if (types.length < 2) return json
  const { type: _, description, examples, items, maxItems, ...text } = json
  const lists = { type: 'array', items, ...(maxItems !== undefined && { maxItems }) }
  const said = { ...(description !== undefined && { description }), ...(examples !== undefined && { examples }) }
  return { ...said, anyOf: [{ type: 'string', ...text }, lists] }
}

/** No number that is sent may be larger than every program can hold. */
export function safeRange(schema: TSchema): Json {
  const isNumber = ['integer', 'number'].includes(typeOf(schema) ?? '')
  return isNumber ? { minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } : {}
}

/** What holds for the whole of a body is a condition, which generators leave alone: to them `anyOf` is another type. */
function withRules(json: Json, { properties = {}, ...words }: Rules = {}): Json {
  const known = json['properties'] as Record<string, Json> | undefined
  if (known === undefined) return { ...json, ...words }
  const told = Object.entries(properties).map(([name, rules]) => [name, { ...known[name], ...rules }])
  const { required, ...conditions } = words
  return {
    ...json,
    ...(required !== undefined && { required }),
    ...(Object.keys(conditions).length > 0 && { if: conditions, else: { not: {} } }),
    properties: { ...known, ...Object.fromEntries(told) },
  }
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
    use === 'request' && isPlain(byDefault) ? `\`${byDefault}\` unless you say otherwise.` : undefined,
    isFree && !isOurs(use) ? freeFormLimits : undefined,
    wireFormats[format ?? '']?.localized && !isOurs(use) ? nationalForms : undefined,
    merges && use === 'change'
      ? 'Merged one level deep; a null removes a key. The limits hold for the result.'
      : undefined,
    isFixed && use === 'change' ? 'Merged field by field.' : undefined,
  ]
  return sentences.filter((sentence) => sentence !== undefined).join(' ') || undefined
}
