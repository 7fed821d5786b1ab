// The shapes of request bodies, derived from an entity: what may be sent to create, patch or replace one of its records.
import type { TSchema } from 'typebox'
import { type Alias, type Entity, type Fields, fieldsOf } from './entity.js'
import { annotationsOf, type Field, object, optional } from './field.js'

export interface Body {
  readonly schema: Field<Record<string, unknown>>
  /** Accepted and ignored, so that a record can be read, changed and sent back whole. */
  readonly ignored: readonly string[]
  readonly aliases: Readonly<Record<string, Alias>>
  /** A request without a body is an error. */
  readonly required: boolean
}

export function createBody(entity: Entity): Body {
  return bodyOf(entity, (schema) => (annotationsOf(schema)['x-required'] ? schema : optional(schema)))
}

/** Like a creation; what is left out goes back to its default. */
export const putBody = (entity: Entity): Body => createBody(entity)

/** Every field may be left out. Objects that are merged may be sent in part, and a null in them removes a key. */
export function patchBody(entity: Entity): Body {
  return bodyOf(entity, (schema) => optional(annotationsOf(schema)['x-merge'] ? inPart(schema) : schema))
}

/** A body of its own, for an endpoint that is not a plain write of an entity. */
export function bodyWith(properties: Fields, options: { required?: boolean } = {}): Body {
  return { schema: object(properties) as Body['schema'], ignored: [], aliases: {}, required: options.required ?? true }
}

/** The schema of a body that stands within another one. What it ignores is let in by name, whatever it holds, and dropped by whoever takes the body apart. */
export function nestedSchema({ schema, ignored }: Body): Body['schema'] {
  const setByService = { description: 'Set by the service; accepted and ignored.' }
  return { ...schema, patternProperties: { [`^(?:${ignored.join('|')})$`]: setByService } } as unknown as Body['schema']
}

function bodyOf(entity: Entity, shape: (schema: Field<unknown>) => Field<unknown>): Body {
  const all = Object.entries(fieldsOf(entity))
  const writable = all.filter(([, schema]) => annotationsOf(schema).readOnly !== true)
  const ignored = [...all.filter(([, schema]) => annotationsOf(schema).readOnly).map(([name]) => name), ...Object.keys(entity.embedded)]
  return {
    schema: object(
      Object.fromEntries(writable.map(([name, schema]) => [name, shape(entity.derived.includes(name) ? (orNull(schema) as Field<unknown>) : schema)])),
    ) as Body['schema'],
    ignored,
    aliases: entity.aliases,
    required: true,
  }
}

function inPart(schema: Field<unknown>): Field<unknown> {
  const { properties, ...rest } = schema as unknown as { properties?: Record<string, TSchema> } & Record<string, unknown>
  if (properties === undefined) return schema
  const optionals = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, orNull(one)]))
  return { ...rest, properties: optionals, required: [] } as unknown as Field<unknown>
}

function orNull(schema: TSchema): TSchema {
  const { type, enum: values } = annotationsOf(schema)
  const types = Array.isArray(type) ? type : [type]
  return { ...schema, type: [...new Set([...types, 'null'])], ...(values && { enum: [...new Set([...values, null])] }) } as TSchema
}
