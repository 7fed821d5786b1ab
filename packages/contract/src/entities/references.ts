// Which fields of which records name another record, as their annotations say: what has to follow when two records
// become one.

import { type AnyRow, type Entity, fieldsOf, valueOf } from '../entity.js'
import { annotationsOf } from '../field.js'
import { entities, entityNamed, storedEntities } from './index.js'

/** A field that holds the id of another record: of one kind, or of the kind that another field names. */
export interface Reference {
  readonly entity: Entity
  readonly field: string
  /** An entity's name, or `@subjectType`. */
  readonly names: string
}

/** The fields of an entity that may name a record that can be merged. Asked at every write, so it is found once. */
export function mergeableReferences(entity: Entity): readonly Reference[] {
  const known = byEntity.get(entity)
  if (known) return known
  const found = Object.entries(fieldsOf(entity)).flatMap(([field, schema]): Reference[] => {
    const names = annotationsOf(schema)['x-references']
    return names !== undefined && mayBeMerged(names) ? [{ entity, field, names }] : []
  })
  byEntity.set(entity, found)
  return found
}

const byEntity = new WeakMap<Entity, readonly Reference[]>()

const mayBeMerged = (names: string): boolean => names.startsWith('@') || entityNamed(names)?.mergeable === true

/** Every field of every record that may name one of this entity. */
export const referencesTo = (target: Entity): Reference[] =>
  storedEntities.flatMap((entity) =>
    mergeableReferences(entity).filter(({ names }) => names.startsWith('@') || names === target.name),
  )

/** The ids in a record that may lead to another record by now. */
export const mergeableIdsIn = (entity: Entity, record: AnyRow): string[] =>
  mergeableReferences(entity).flatMap(({ field }) => {
    const id = valueOf(record, field)
    return typeof id === 'string' ? [id] : []
  })

/** The entities whose records can be merged. */
export const mergeableEntities: readonly Entity[] = entities.filter(({ mergeable }) => mergeable)
