// The shapes of request bodies, derived from an entity: what may be sent to create, patch or replace one of its
// records.
import type { TSchema } from 'typebox'
import {
  type Alias,
  type AsSent,
  type Entity,
  type Fields,
  fieldsOf,
  type SentToCreate,
  type SentToPatch,
} from './entity.js'
import {
  type About,
  annotationsOf,
  describedFields,
  type Field,
  itemsOf,
  type ObjectOf,
  object,
  optional,
  propertiesOf,
  type Rules,
  ruled,
} from './field.js'

/** `T` is what arrives: checked, under its real names, without what is ignored. */
export interface Body<T = Record<string, unknown>> {
  readonly schema: Field<T>
  /** Accepted and ignored, so that a record can be read, changed and sent back whole. */
  readonly ignored: readonly string[]
  readonly aliases: Readonly<Record<string, Alias>>
  /** A request without a body is an error. */
  readonly required: boolean
}

/** What a body holds once its shape was checked. */
export type Sent<B> = B extends Body<infer T> ? T : never

export function createBody<E extends Entity>(entity: E): Body<SentToCreate<E>> {
  return bodyOf(entity, (schema) =>
    annotationsOf(schema)['x-required'] ? sendable(schema) : optional(sendable(schema)),
  )
}

/** Like a creation; what is left out goes back to its default. */
export const putBody = <E extends Entity>(entity: E): Body<SentToCreate<E>> => createBody(entity)

/** Every field may be left out, and so may every key of an object of fixed shape. */
export function patchBody<E extends Entity>(entity: E): Body<SentToPatch<E>> {
  return bodyOf(entity, (schema) => optional(inPart(schema)))
}

type BodyOf<F extends Fields> = { [K in keyof ObjectOf<F>]: AsSent<ObjectOf<F>[K]> }

interface BodyOptions<F extends Fields> {
  readonly required?: boolean
  readonly ignored?: readonly string[]
  readonly about?: About<NoInfer<F>>
}

/** A body of its own, for an endpoint that is not a plain write of an entity. */
export function bodyWith<F extends Fields>(
  properties: F,
  { required = true, ignored = [], about = {} }: BodyOptions<F> = {},
): Body<BodyOf<F>> {
  const all = Object.entries(describedFields(properties, about))
  const sent = Object.fromEntries(all.map(([name, schema]) => [name, sendable(schema)]))
  return { schema: object(sent) as Field<unknown> as Field<BodyOf<F>>, ignored, aliases: {}, required }
}

/** A body with what a rule of the server refuses besides, for the documents. */
export const ruledBody = <T>(body: Body<T>, rules: Rules | undefined): Body<T> =>
  rules === undefined ? body : { ...body, schema: ruled(body.schema, rules) }

/** A body that takes these properties as well, or takes them in another shape. */
export function withProperties<T, F extends Fields>(body: Body<T>, added: F): Body<Omit<T, keyof F> & ObjectOf<F>> {
  const ignored = body.ignored.filter((name) => !Object.hasOwn(added, name))
  return { ...body, schema: withFields(body.schema, { ...fieldsIn(body), ...added }), ignored }
}

/** A body that takes only these of its properties; the others are accepted and ignored. */
export function withOnly<T>(body: Body<T>, isTaken: (name: string) => boolean): Body<Partial<T>> {
  const all = Object.entries(fieldsIn(body))
  const ignored = all.map(([name]) => name).filter((name) => !isTaken(name))
  const taken = Object.fromEntries(all.filter(([name]) => isTaken(name)))
  return { ...body, schema: withFields(body.schema, taken), ignored: [...body.ignored, ...ignored] }
}

const fieldsIn = ({ schema }: Body<unknown>): Fields => (schema as unknown as { properties: Fields }).properties
const withFields = <T>(schema: Field<unknown>, properties: Fields): Field<T> =>
  ({ ...schema, properties }) as Field<unknown> as Field<T>

/**
 * The schema of a body that stands within another one. What it ignores is let in by name, whatever it holds, and
 * dropped by whoever takes the body apart.
 */
export function nestedSchema<T>({ schema, ignored }: Body<T>): Field<T> {
  const setByService = { description: 'Set by the service; accepted and ignored.' }
  return { ...schema, patternProperties: { [`^(?:${ignored.join('|')})$`]: setByService } } as Field<T>
}

function bodyOf<T>(entity: Entity, shape: (schema: Field<unknown>) => Field<unknown>): Body<T> {
  const all = Object.entries(fieldsOf(entity))
  const writable = all.filter(([, schema]) => annotationsOf(schema).readOnly !== true)
  const ignored = [
    ...all.filter(([, schema]) => annotationsOf(schema).readOnly).map(([name]) => name),
    ...Object.keys(entity.embedded),
  ]
  return {
    schema: object(
      Object.fromEntries(
        writable.map(([name, schema]) => [name, shape(entity.derived.includes(name) ? orNull(schema) : schema)]),
      ),
    ) as Field<unknown> as Field<T>,
    ignored,
    aliases: entity.aliases,
    required: true,
  }
}

/** A null is taken, and asks for the field to be made again. */
const orNull = (schema: Field<unknown>): Field<unknown> =>
  ({ ...schema, type: [annotationsOf(schema).type, 'null'] }) as Field<unknown>

/** A field as it is sent: what has a default within it may be left out. */
export function sendable<T>(schema: Field<T>): Field<T> {
  return withinObject(
    schema,
    sendable,
    (name, { properties, required }) => required.includes(name) && !hasDefault(properties[name]),
  ) as Field<T>
}

/** A field as it is patched: an object of fixed shape in part; what is in a list is sent whole. */
function inPart<T>(schema: Field<T>): Field<T> {
  return (propertiesOf(schema) ? withinObject(schema, inPart, () => false) : sendable(schema)) as Field<T>
}

interface FixedShape {
  readonly properties: Readonly<Record<string, TSchema>>
  readonly required: readonly string[]
}

/** The schema with everything in it reshaped, and with those of its keys required that `isRequired` picks. */
function withinObject(
  schema: TSchema,
  reshape: (one: Field<unknown>) => TSchema,
  isRequired: (name: string, shape: FixedShape) => boolean,
): TSchema {
  const items = itemsOf(schema)
  if (items) return { ...schema, items: reshape(items as Field<unknown>) } as TSchema
  const properties = propertiesOf(schema)
  if (properties === undefined) return schema
  const { required = [] } = schema as Partial<FixedShape>
  const reshaped = Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, reshape(one as Field<unknown>)]),
  )
  return {
    ...schema,
    properties: reshaped,
    required: Object.keys(properties).filter((name) => isRequired(name, { properties, required })),
  } as TSchema
}

const hasDefault = (schema: TSchema | undefined): boolean =>
  schema !== undefined && annotationsOf(schema).default !== undefined
