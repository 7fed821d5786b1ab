// Making and changing records as plain values: defaults, merges and what counts as a change. Nothing here reaches the
// database.
import {
  type AnyRow,
  annotationsOf,
  type Entity,
  type ExternalRef,
  fieldsOf,
  isNullable,
  isObject,
  limits,
  propertiesOf,
  type Row,
  valueOf,
} from '@parley/contract'
import type { TSchema } from 'typebox'
import { requireFreeForm } from '../../http/body-validation.js'
import { badRequest } from '../../store/api-error.js'
import type { Caller } from '../../store/caller.js'
import { newId, timeOf } from '../../store/id.js'
import { completed, hasParts, mergedShape } from './fixed-shape.js'

type Values = Record<string, unknown>

/** A record of this entity made now: what was sent, defaults for the rest, in the order of the registry. */
export function newRecord<E extends Entity>(
  entity: E,
  { caller, now }: { readonly caller: Pick<Caller, 'organizationId'>; readonly now: Date },
  values: Values,
): Row<E> {
  const id = newId(now)
  const createdAt = timeOf(id).toISOString()
  const bookkeeping = { id, organizationId: caller.organizationId, createdAt, updatedAt: createdAt, version: 1 }
  const refs = mergeRefs([], values['externalRefs'])
  return inOrder(entity, Object.assign(defaultsOf(entity), values, { externalRefs: refs }, bookkeeping))
}

/**
 * PATCH: what is absent stays, objects are merged. Limits hold for what comes of it, not only for the piece that was
 * sent.
 */
export function patched<E extends Entity>(entity: E, before: Row<E>, values: Values): Row<E> {
  const fields = fieldsOf(entity)
  const after: Values = { ...before, externalRefs: mergeRefs(before.externalRefs, values['externalRefs']) }
  for (const [name, value] of Object.entries(values)) {
    if (name !== 'externalRefs') after[name] = patchedField(name, fields[name] ?? {}, after[name], value)
  }
  return { ...inOrder(entity, after), ...unknownTo(entity, before) }
}

/** What a newer version beside this one has stored in the record: it stays. */
function unknownTo<E extends Entity>(entity: E, before: Row<E>): Values {
  const fields = fieldsOf(entity)
  return Object.fromEntries(
    Object.entries(before).filter(([name]) => !Object.hasOwn(fields, name) && !Object.hasOwn(entity.embedded, name)),
  )
}

/** Free-form objects are merged one level deep, those of fixed shape field by field; everything else is replaced. */
function patchedField(name: string, schema: TSchema, before: unknown, sent: unknown): unknown {
  if (!isObject(sent)) return sent
  if (propertiesOf(schema)) return mergedShape(schema, before, sent, name)
  if (!annotationsOf(schema)['x-merge']) return sent
  const after = merged(before, sent)
  requireFreeForm(after, name)
  return after
}

/** PUT: what is absent goes back to its default; what the service sets and what a state machine moves stay. */
export function replaced<E extends Entity>(entity: E, before: Row<E>, values: Values): Row<E> {
  const kept = Object.entries(fieldsOf(entity)).filter(
    ([, schema]) => annotationsOf(schema).readOnly || annotationsOf(schema)['x-state'],
  )
  const keptValues = Object.fromEntries(kept.map(([name]) => [name, valueOf(before, name)]))
  return inOrder(entity, {
    ...defaultsOf(entity),
    ...keptValues,
    ...values,
    externalRefs: mergeRefs([], values['externalRefs']),
  })
}

/** The fields in which two versions differ, bookkeeping aside. */
export function changedFields(entity: Entity, before: AnyRow, after: AnyRow): string[] {
  // Whether an older record's name was derived is decided when it is written; deciding it is no change.
  const undecided = entity.derived
    .map((name) => `${name}Derived`)
    .filter((name) => (before as unknown as Values)[name] === null)
  const bookkeeping = new Set(['updatedAt', 'version', ...undecided])
  // A row from before some key existed lacks it; that it is filled in is no change.
  const text = (record: AnyRow, name: string, schema: TSchema) =>
    JSON.stringify(completed(schema, valueOf(record, name)))
  const fields = Object.entries(fieldsOf(entity)).filter(
    ([name, schema]) => !bookkeeping.has(name) && text(before, name, schema) !== text(after, name, schema),
  )
  return fields.map(([name]) => name)
}

/**
 * The fields in which two versions differ that somebody could have set: what history and events tell. External
 * references say nothing about the record itself.
 */
export function trackedFields(entity: Entity, before: AnyRow, after: AnyRow): string[] {
  const fields = fieldsOf(entity)
  return changedFields(entity, before, after).filter(
    (name) => name !== 'externalRefs' && annotationsOf(fields[name] ?? {}).readOnly !== true,
  )
}

/** Whatever a rule left open that may not stay open. */
export function requireComplete(entity: Entity, record: AnyRow): void {
  for (const [name, schema] of Object.entries(fieldsOf(entity))) {
    if (name === entity.sealed) continue
    const value = valueOf(record, name)
    if (value === undefined || (value === null && !isNullable(schema)))
      throw badRequest(name, 'is required', 'required')
  }
}

/** Entries are known by system and id; a new one is added while there is room, a known one updated. */
export function mergeRefs(before: readonly ExternalRef[], sent: unknown): ExternalRef[] {
  const refs = [...before]
  for (const { system, externalId, url } of (sent ?? []) as ExternalRef[]) {
    const at = refs.findIndex((ref) => ref.system === system && ref.externalId === externalId)
    if (at < 0) refs.push({ system, externalId, url: url ?? null })
    else refs[at] = { system, externalId, url: url === undefined ? (refs[at]?.url ?? null) : url }
  }
  if (refs.length > Math.max(limits.externalRefs, before.length)) {
    throw badRequest(
      'externalRefs',
      `must have at most ${limits.externalRefs} items, with the ${before.length} that the record has`,
      'maxItems',
    )
  }
  return refs
}

/**
 * As much of a text as a field holds, cut between characters: half of a surrogate pair is no text that can be stored.
 */
export const shortened = (text: string, length: number = limits.nameLength): string =>
  text.length <= length ? text : [...text].slice(0, length).join('')

/** A null removes a key; one that was made as null stays, or a copy that is sent back would not be what was read. */
function merged(before: unknown, sent: Values): Values {
  const known = isObject(before) ? before : {}
  const result: Values = { ...known, ...sent }
  for (const [key, value] of Object.entries(sent)) if (value === null && known[key] !== null) delete result[key]
  return result
}

/** What making a record of an entity takes: put together once, because it is asked for at every write. */
interface Plan {
  readonly fields: readonly { readonly name: string; readonly schema: TSchema; readonly hasParts: boolean }[]
  readonly defaults: readonly (readonly [name: string, value: unknown])[]
}

const plans = new WeakMap<Entity, Plan>()

function planOf(entity: Entity): Plan {
  const known = plans.get(entity)
  if (known) return known
  const fields = Object.entries(fieldsOf(entity))
  const made = {
    fields: fields
      .filter(([name]) => name !== entity.sealed)
      .map(([name, schema]) => ({ name, schema, hasParts: hasParts(schema) })),
    defaults: fields.flatMap(([name, schema]) => {
      const value = annotationsOf(schema).default
      return value === undefined ? [] : [[name, value] as const]
    }),
  }
  plans.set(entity, made)
  return made
}

/** Most defaults are null or empty, and need no cloning. */
function ownCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Object.keys(value).length > 0) return structuredClone(value)
  return Array.isArray(value) ? [] : {}
}

function defaultsOf(entity: Entity): Values {
  const values: Values = {}
  for (const [name, value] of planOf(entity).defaults) values[name] = ownCopy(value)
  return values
}

/** The same keys in the same order, whichever way the record came to be: its bytes depend on its values alone. */
function inOrder<E extends Entity>(entity: E, values: Values): Row<E> {
  const record: Values = {}
  for (const { name, schema, hasParts } of planOf(entity).fields)
    record[name] = hasParts ? completed(schema, values[name]) : values[name]
  return record as Row<E>
}
