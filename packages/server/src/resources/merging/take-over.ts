// What the one that stays takes over from the one that is merged: whatever it does not say itself. And what it gives
// back when the merge is undone: whatever nobody has changed since.
import {
  annotationsOf,
  type Entity,
  type ExternalRef,
  fieldsOf,
  isObject,
  type Row,
  valueOf,
  writableFields,
} from '@parley/contract'
import { ApiError, conflict } from '../../store/api-error.js'
import { patched } from '../generic/record-values.js'
import type { Mergeable } from './mergeable.js'

/** What was taken over. */
export interface Taken {
  /** Fields that said nothing, with what they say since. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Of free-form objects, the keys that were not there, with what they say since. */
  readonly keys: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly externalRefs: readonly ExternalRef[]
}

type Values = Record<string, unknown>

/** The one that stays with what it takes over, not completed yet. */
export function takeOver<E extends Entity>(kind: Mergeable<E>, survivor: Row<E>, merged: Row<E>): [Row<E>, Taken] {
  const taken = takenFrom(kind, survivor, merged)
  const values = { ...taken.fields, ...taken.keys, externalRefs: taken.externalRefs }
  try {
    return [patched(kind.entity, survivor, values), taken]
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw conflict('merged_too_large', `Together they would hold more than one record may: ${error.message}`)
  }
}

function takenFrom<E extends Entity>(kind: Mergeable<E>, survivor: Row<E>, merged: Row<E>): Taken {
  const { entity } = kind
  const schemas = fieldsOf(entity)
  const fields: Values = {}
  const keys: Record<string, Values> = {}
  for (const name of writableFields(entity)) {
    const [own, other] = [valueOf(survivor, name), valueOf(merged, name)]
    if (name === 'externalRefs' || isEmpty(other)) continue
    if (annotationsOf(schemas[name] ?? {})['x-merge']) {
      const missing = missingKeys(own, other)
      if (Object.keys(missing).length > 0) keys[name] = missing
    } else if (entity.derived.includes(name)) {
      if (isGiven(merged, name) && !isGiven(survivor, name) && kind.isNameless(survivor)) fields[name] = other
    } else if (isEmpty(own)) fields[name] = other
  }
  const isOwn = (ref: ExternalRef) => survivor.externalRefs.some((own) => isSameRef(own, ref))
  return { fields, keys, externalRefs: merged.externalRefs.filter((ref) => !isOwn(ref)) }
}

/** Somebody set it: it was not derived. */
const isGiven = (record: object, field: string): boolean => valueOf(record, `${field}Derived`) === false

export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

const missingKeys = (own: unknown, other: unknown): Values => {
  const known = isObject(own) ? own : {}
  const offered = isObject(other) ? other : {}
  return Object.fromEntries(Object.entries(offered).filter(([key, value]) => isEmpty(known[key]) && !isEmpty(value)))
}

const isSameRef = (a: ExternalRef, b: ExternalRef): boolean => a.system === b.system && a.externalId === b.externalId
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The record without what it took over, as far as it still says so; not completed yet. */
export function giveBack<E extends Entity>(entity: E, record: Row<E>, taken: Taken): Row<E> {
  const schemas = fieldsOf(entity)
  const values: Values = {}
  for (const [name, value] of Object.entries(taken.fields))
    if (isSame(valueOf(record, name), value)) values[name] = nothingIn(schemas[name])
  for (const [name, keys] of Object.entries(taken.keys)) {
    const now = valueOf(record, name)
    const unchanged = Object.keys(keys).filter((key) => isObject(now) && isSame(now[key], keys[key]))
    values[name] = Object.fromEntries(unchanged.map((key) => [key, null]))
  }
  const isTaken = (ref: ExternalRef) => taken.externalRefs.some((one) => isSameRef(one, ref))
  return { ...patched(entity, record, values), externalRefs: record.externalRefs.filter((ref) => !isTaken(ref)) }
}

const nothingIn = (schema: object | undefined): unknown => {
  const byDefault: unknown = schema && valueOf(schema, 'default')
  return byDefault ?? null
}
