// Checks of a record against others: references that must exist where the tenant's settings say so, and values that
// must be unique.
import { type AnyRow, annotationsOf, type Entity, entityNamed, fieldsOf, type Row, valueOf } from '@parley/contract'
import type { TSchema } from 'typebox'
import { type ApiError, badRequest, raceableConflict } from '../../store/api-error.js'
import { type Finding, finding, type Lookup, type Reader } from '../../store/reader.js'
import type { Work } from '../../store/work.js'

type Values = Record<string, unknown>

/** Integrations push out of order, so a reference need not exist yet, unless the tenant's settings are strict. */
export async function requireReferences(work: Work, entity: Entity, sent: Values, record: AnyRow): Promise<void> {
  if (!work.caller.settings.strictReferences) return
  const named = Object.entries(fieldsOf(entity)).flatMap(([field, schema]) =>
    referencesIn(schema, sent[field], field, record),
  )
  const found = await Promise.all(named.map(({ id, target }) => work.stored(target, id)))
  const missing = named.find((_, index) => found[index] === undefined)
  if (missing) throw noSuchRecord(missing.target, missing.path)
}

interface Reference {
  readonly path: string
  readonly id: string
  readonly target: Entity
}

/** Every reference in a value, in its lists and objects too. */
function referencesIn(schema: TSchema, value: unknown, path: string, record: AnyRow): Reference[] {
  const { items = {}, properties = {} } = schema as { items?: TSchema; properties?: Record<string, TSchema> }
  if (typeof value === 'string') {
    const target = referenced(annotationsOf(schema)['x-references'], record)
    return target ? [{ path, id: value, target }] : []
  }
  if (Array.isArray(value))
    return value.flatMap((item, index) => referencesIn(items, item, `${path}[${index}]`, record))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(properties).flatMap(([name, one]) =>
    referencesIn(one, valueOf(value, name), `${path}.${name}`, record),
  )
}

/** A record that must be there, whatever the settings. */
export async function requireRecord(read: Reader, target: Entity, id: string, field: string): Promise<void> {
  if ((await read.stored(target, id)) === undefined) throw noSuchRecord(target, field)
}

const noSuchRecord = (target: Entity, field: string): ApiError =>
  badRequest(field, `names a ${target.name} that does not exist`, 'reference')

/** `person` is an entity's name; `@subjectType` says that the record itself names it in that field. */
function referenced(reference: string | undefined, record: AnyRow): Entity | undefined {
  if (reference === undefined) return undefined
  const name = reference.startsWith('@') ? valueOf(record, reference.slice(1)) : reference
  return typeof name === 'string' ? entityNamed(name) : undefined
}

/**
 * Asked before writing, so that the answer can say what is taken; a race that slips through meets the unique index and
 * comes back here.
 */
export async function requireUnique(read: Reader, entity: Entity, record: AnyRow): Promise<void> {
  for (const fields of entity.unique) {
    const other = await findTwin(read, entity, fields, record)
    if (other && other.id !== record.id) {
      throw raceableConflict('unique', `Another ${entity.name} has the same ${fields.join(', ')}`, {
        fields,
        existingId: other.id,
      })
    }
  }
}

/** The live record that has the same values in these fields. Nulls are never the same. */
export async function findTwin<E extends Entity>(
  read: Reader,
  entity: E,
  fields: readonly string[],
  record: object,
): Promise<Row<E> | undefined> {
  const twins = twinLookup(entity, fields, record)
  if (twins === undefined) return undefined
  const [[twin]] = await read.lookUp(twins)
  return twin
}

function twinLookup<E extends Entity>(entity: E, fields: readonly string[], record: object): Finding<E> | undefined {
  const values = Object.fromEntries(fields.map((field) => [field, valueOf(record, field)]))
  if (Object.values(values).some((value) => value === null || value === undefined)) return undefined
  return finding(entity, values as never, 1)
}

/** What is asked to see whether what must be unique is taken. */
export const uniqueLookups = (entity: Entity, body: object): Lookup[][] =>
  entity.unique.flatMap((fields) => {
    const twins = twinLookup(entity, fields, body)
    return twins ? [[twins]] : []
  })
