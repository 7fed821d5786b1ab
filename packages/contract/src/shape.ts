// The shape of stored records, so that an entity can grow: a record that was stored before a field existed is completed
// when it is read. Fields are only ever added, so the number of keys tells an older shape from a newer one.
import type { TSchema } from 'typebox'
import { type Entity, fieldsOf } from './entity.js'
import { annotationsOf, isNullable, itemsOf, propertiesOf } from './field.js'

/** What completes a value: the keys it should have with what they are when missing, or the items of a list. */
export interface ShapeTemplate {
  readonly default?: unknown
  /** Null is a value of its own, and stays. */
  readonly nullable?: true
  readonly fields?: Readonly<Record<string, ShapeTemplate>>
  readonly items?: ShapeTemplate
}

/** Rises with every key that is added anywhere in the record. */
export function shapeOf(entity: Entity): number {
  let shape = shapes.get(entity)
  if (shape === undefined) {
    shape = keysIn(shapeTemplate(entity))
    shapes.set(entity, shape)
  }
  return shape
}

/** Asked at every write, so it is counted once. */
const shapes = new WeakMap<Entity, number>()

export function shapeTemplate(entity: Entity): ShapeTemplate {
  const stored = Object.entries(fieldsOf(entity)).filter(([name]) => name !== entity.sealed)
  return { fields: Object.fromEntries(stored.map(([name, schema]) => [name, templateOf(schema)])) }
}

/** A key without a default of its own takes what the default of the whole object says. */
function templateOf(schema: TSchema, inherited?: unknown): ShapeTemplate {
  const properties = propertiesOf(schema)
  const items = itemsOf(schema)
  const missing = annotationsOf(schema).default ?? inherited ?? (isNullable(schema) ? null : undefined)
  const within: Readonly<Record<string, unknown>> =
    properties && typeof missing === 'object' && missing !== null ? { ...missing } : {}
  return {
    ...(missing !== undefined && { default: missing }),
    ...(isNullable(schema) && { nullable: true as const }),
    ...(properties && {
      fields: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, templateOf(one, within[name])]),
      ),
    }),
    ...(items && { items: templateOf(items) }),
  }
}

const keysIn = ({ fields = {}, items }: ShapeTemplate): number =>
  Object.values(fields).reduce((sum, field) => sum + 1 + keysIn(field), items ? keysIn(items) : 0)
