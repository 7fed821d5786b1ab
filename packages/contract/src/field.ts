// The vocabulary in which entities describe their fields: each word makes one JSON Schema with a TypeScript type.
// What JSON Schema has no word for is said in `x-` annotations, read by the server, the documents and the SDK alike.
import type { Static, TSchema, TUnsafe } from 'typebox'
import { limits } from './limits.js'

/** What an annotation may say about a field besides JSON Schema's own words. */
export interface Annotations {
  readOnly?: boolean
  writeOnly?: boolean
  default?: unknown
  description?: string
  title?: string
  enum?: readonly unknown[]
  type?: string | readonly string[]
  format?: string
  'x-required'?: boolean
  'x-references'?: string
  /** Moved by a state machine: PUT leaves it alone when it is not sent. */
  'x-state'?: boolean
  /** PATCH merges this free-form object one level deep instead of replacing it. */
  'x-merge'?: boolean
  /** Keys and values are the caller's own: size and depth are limited instead of shape. */
  'x-free-form'?: boolean
  /**
   * What a rule of the server refuses besides, in words of JSON Schema: for the documents alone, as the rule has a
   * better message.
   */
  'x-rules'?: Rules
}

/** Further words of JSON Schema. Those of a property are added to what is said of it elsewhere. */
export type Rules = Readonly<Record<string, unknown>> & { readonly properties?: Readonly<Record<string, object>> }

export type Field<T> = TUnsafe<T>

/** Only the types are the library's: to make schemas by it would load all of it wherever the contract is read. */
const field = <T>(schema: Record<string, unknown>): Field<T> => schema as TSchema as Field<T>

/** Text that must say something: at least one character that is not white space. */
export const text = (maxLength: number = limits.nameLength): Field<string> =>
  field({ type: 'string', minLength: 1, maxLength, pattern: '\\S' })
/** Text that may be empty. */
export const line = (maxLength: number = limits.nameLength): Field<string> => field({ type: 'string', maxLength })
export const longText = (): Field<string> => line(limits.textLength)
/** An enum-like value whose list belongs to the organization, not to us. */
export const word = (): Field<string> => text(limits.wordLength)
export const uuid = (references?: string): Field<string> =>
  field({ type: 'string', format: 'uuid', ...(references && { 'x-references': references }) })
export const instant = (): Field<string> => field({ type: 'string', format: 'date-time' })
export const phone = (): Field<string> =>
  field({ type: 'string', format: 'phone', description: 'E.164, for example +15550100200.' })
/** Who calls or texts, as carriers say it. Where a number was withheld, their word for that is read as null. */
export const callerId = (): Field<string> =>
  field({
    type: 'string',
    format: 'caller-id',
    description:
      'E.164, for example +15550100200, a short code of 3 to 8 digits, or a name of up to 11 letters and digits.',
  })
/** Who can be texted. */
export const recipient = (): Field<string> =>
  field({
    type: 'string',
    format: 'recipient',
    description: 'E.164, for example +15550100200, or a short code that has sent a text.',
  })
export const email = (): Field<string> => field({ type: 'string', format: 'email', maxLength: 254 })
export const uri = (): Field<string> => field({ type: 'string', format: 'uri', maxLength: limits.urlLength })
export const secureUri = (): Field<string> =>
  field({ type: 'string', format: 'uri', maxLength: limits.urlLength, pattern: '^https://' })
export const integer = (bounds: { minimum?: number; maximum?: number } = {}): Field<number> =>
  field({ type: 'integer', ...bounds })
export const number = (bounds: { minimum?: number; maximum?: number } = {}): Field<number> =>
  field({ type: 'number', ...bounds })
export const confidence = (): Field<number> => number({ minimum: 0, maximum: 1 })
export const flag = (byDefault = false): Field<boolean> => field({ type: 'boolean', default: byDefault })
export const oneOf = <const V extends readonly string[]>(values: V, byDefault?: V[number]): Field<V[number]> =>
  field({ type: 'string', enum: values, ...(byDefault !== undefined && { default: byDefault }) })
export const currency = (): Field<string> =>
  field({ type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' })
export const country = (): Field<string> =>
  field({ type: 'string', pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2 code.' })
/** Text of a form that a pattern tells. `form` is how a refusal says it: "must be …". */
export const matching = (pattern: string, form: string, description: string = asSentence(form)): Field<string> => {
  patternForms.set(pattern, form)
  return field({ type: 'string', pattern, maxLength: limits.nameLength, description })
}
const asSentence = (form: string): string => `${form[0]?.toUpperCase()}${form.slice(1)}.`
/** What the patterns of the contract ask for, in words. */
export const patternForms = new Map([
  ['^https://', 'an https URL'],
  ['^[A-Z]{3}$', 'an ISO 4217 code such as USD'],
  ['^[A-Z]{2}$', 'an ISO 3166-1 code of two letters such as US'],
])
export const list = <T>(items: Field<T>, maxItems: number = limits.listItems): Field<T[]> =>
  field({ type: 'array', items, maxItems, default: [] })
export const tags = (): Field<string[]> => list(word())
/** Any JSON value: of the caller's shape, of our size. */
export const anyValue = (): Field<unknown> => field({ 'x-free-form': true })
export const freeForm = (): Field<Record<string, unknown>> =>
  field({ type: 'object', additionalProperties: true, default: {}, 'x-free-form': true })
/** An object whose keys are checked by whoever takes it apart. */
export const openForm = (): Field<Record<string, unknown>> => field({ type: 'object', additionalProperties: true })
/** Of one shape or another. */
export const anyOf = <A, B>(one: Field<A>, other: Field<B>): Field<A | B> => field({ anyOf: [one, other] })
/** A free-form object that PATCH merges one level deep. */
export const mergedForm = (): Field<Record<string, unknown>> =>
  field({ type: 'object', additionalProperties: true, default: {}, 'x-free-form': true, 'x-merge': true })

type Shape = Record<string, Field<unknown>>
/** What each field of an object means, by its name. */
export type About<S> = { readonly [K in keyof S]?: string }
type OptionalKeys<S extends Shape> = { [K in keyof S]: S[K] extends Optional<unknown> ? K : never }[keyof S]
/** What an object with these keys holds. */
export type ObjectOf<S extends Shape> = { [K in Exclude<keyof S, OptionalKeys<S>>]: Static<S[K]> } & {
  [K in OptionalKeys<S>]?: Static<S[K]>
}
export type Optional<T> = Field<T> & { readonly 'x-optional': true }

/** A key that may be missing from a nested object. */
export const optional = <T>(schema: Field<T>): Optional<T> =>
  field<T>({ ...asJson(schema), 'x-optional': true }) as Optional<T>

/**
 * A nested object with known keys; unknown ones are refused. A key with a default may be left out of what is sent, and
 * is always there in what is read; PATCH merges such an object field by field.
 */
export const object = <S extends Shape>(properties: S, about: About<NoInfer<S>> = {}): Field<ObjectOf<S>> =>
  field({
    type: 'object',
    properties: describedFields(properties, about),
    required: Object.keys(properties).filter((key) => asJson(properties[key] as TSchema)['x-optional'] !== true),
    additionalProperties: false,
  })

/** The fields with what is said about each. What the kind of a field says of itself, such as a format, comes after. */
export function describedFields<S extends Shape>(fields: S, about: About<NoInfer<S>>): S {
  const told = Object.entries(about).map(([name, text]) => [name, withMeaning(fields[name], String(text))])
  return { ...fields, ...Object.fromEntries(told) }
}

function withMeaning(schema: Field<unknown> | undefined, meaning: string): Field<unknown> {
  if (schema === undefined) throw new Error(`There is no such field: ${meaning}`)
  const { description } = annotationsOf(schema)
  return described(schema, description === undefined ? meaning : `${meaning} ${description}`)
}

/** The same object with every key optional. */
export const partial = <S extends Shape>(properties: S): Field<Partial<ObjectOf<S>>> =>
  field(
    asJson(object(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, optional(schema)])))),
  )

export type Required<T> = Field<T> & { readonly 'x-required': true }
export type ReadOnly<T> = Field<T> & { readonly readOnly: true }

/** Must be sent when the record is created. */
export const required = <T>(schema: Field<T>): Required<T> => annotate(schema, { 'x-required': true }) as Required<T>
export const readOnly = <T>(schema: Field<T>): ReadOnly<T> => annotate(schema, { readOnly: true }) as ReadOnly<T>
export const stateField = <T>(schema: Field<T>): Field<T> => annotate(schema, { 'x-state': true })
/** With a sentence for whoever reads the schema. */
export const described = <T>(schema: Field<T>, description: string): Field<T> => annotate(schema, { description })
/** With the name under which documents and generated clients know a shape or a list of values. */
export const named = <T>(title: string, schema: Field<T>): Field<T> => annotate(schema, { title })
/** With what a rule of the server refuses besides. */
export const ruled = <T>(schema: Field<T>, rules: Rules): Field<T> => annotate(schema, { 'x-rules': rules })
/** One of these properties must be there, as it is described here. */
export const anyGiven = (properties: Readonly<Record<string, object>>): Rules => ({
  anyOf: Object.entries(properties).map(([name, schema]) => ({ required: [name], properties: { [name]: schema } })),
})
export const withDefault = <T>(schema: Field<T>, value: T): Field<T> => annotate(schema, { default: value })

/** May be null, and is null until something is known; the key is always there. */
export function nullable<T>(schema: Field<T>): Field<T | null> {
  const json = asJson(schema)
  if (json.type === undefined) return field({ ...json, default: null })
  return field({
    ...json,
    type: [json.type, 'null'],
    ...(Array.isArray(json.enum) && { enum: [...json.enum, null] }),
    default: null,
  })
}

export const annotationsOf = (schema: TSchema): Annotations => schema as Annotations
export const isNullable = (schema: TSchema): boolean => {
  const { type } = annotationsOf(schema)
  return type === undefined || (Array.isArray(type) && type.includes('null'))
}
/** The known keys of an object of fixed shape; undefined for whatever is none. */
export const propertiesOf = (schema: TSchema): Readonly<Record<string, TSchema>> | undefined =>
  (schema as { properties?: Readonly<Record<string, TSchema>> }).properties
/** What each item of a list looks like; undefined for whatever is no list. */
export const itemsOf = (schema: TSchema): TSchema | undefined => (schema as { items?: TSchema }).items
/** The JSON type of a schema without its null. */
export function typeOf(schema: TSchema): string | undefined {
  const { type } = annotationsOf(schema)
  return Array.isArray(type) ? (type as string[]).find((one) => one !== 'null') : (type as string | undefined)
}

function annotate<T>(schema: Field<T>, annotations: Annotations): Field<T> {
  return field({ ...asJson(schema), ...annotations })
}

function asJson(schema: TSchema): Record<string, unknown> {
  return schema as unknown as Record<string, unknown>
}
