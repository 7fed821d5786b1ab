// What an entity is: one value that the database, validation, `GET /schema`, OpenAPI, the SDK and the tests all read.
// It holds no behaviour; rules live in the server's resources.
import type { Static, TSchema } from 'typebox'
import {
  type About,
  annotationsOf,
  describedFields,
  type Field,
  instant,
  integer,
  list,
  named,
  nullable,
  object,
  type ReadOnly,
  type Required,
  readOnly,
  text,
  typeOf,
  uri,
  uuid,
} from './field.js'
import { limits } from './limits.js'
import type { Scope } from './scopes.js'

export const verbs = { L: 'list', G: 'get', C: 'create', P: 'patch', U: 'put', D: 'delete' } as const
export type Verb = (typeof verbs)[keyof typeof verbs]

export type Fields = Record<string, Field<unknown>>

/** How one query parameter narrows a list. `in` takes a comma list. */
export interface Filter {
  readonly field: string
  readonly op: '=' | 'in' | '>=' | '<'
  /**
   * Answered by an index on an expression of the record. Every filter that came after the first release: a stored
   * column would rewrite the table.
   */
  readonly byExpression?: true
  /** Other spellings of a value that are accepted. */
  readonly accept?: (value: string) => string
}

/** Another name under which a field is accepted on input. */
export interface Alias {
  readonly field: string
  readonly accept?: (value: unknown) => unknown
}

/** The verbs that letters such as `LGC` stand for. */
type VerbsOf<Letters extends string> = Letters extends `${infer L}${infer Rest}`
  ? (L extends keyof typeof verbs ? (typeof verbs)[L] : never) | VerbsOf<Rest>
  : never

export interface Entity<F extends Fields = Fields, V extends Verb = Verb> {
  readonly slug: string
  /** Singular snake case: the value of `entityType` and the stem of event names. */
  readonly name: string
  readonly label: string
  readonly description: string
  readonly table: string
  readonly verbs: readonly V[]
  readonly writeScope: Scope
  readonly fields: F
  readonly search: readonly string[]
  readonly filters: Readonly<Record<string, Filter>>
  /** Query parameters of its list that are no fields: its own endpoint reads them. */
  readonly otherFilters: readonly string[]
  /** The instants that people plan by, besides `createdAt` and `updatedAt`: lists are sorted and narrowed by them. */
  readonly times: readonly string[]
  /** Sets of fields whose values no two live records of a tenant share (nulls aside). */
  readonly unique: readonly (readonly string[])[]
  /** Further fields that the service looks records up by. */
  readonly lookups: readonly string[]
  readonly aliases: Readonly<Record<string, Alias>>
  /**
   * Fields that are made from others while nobody sets them. They are never null; a null that is sent has them made
   * again.
   */
  readonly derived: readonly string[]
  /** Every change of a writable field is written to the field history. */
  readonly tracked: boolean
  /** Two records that turn out to be one can be merged: then the id of either leads to the one that stays. */
  readonly mergeable: boolean
  /** Fields that are composed from other tables at each read, and stored nowhere. */
  readonly embedded: Fields
  /** A write-only field that is encrypted beside the record and read back as `<field>Preview`. */
  readonly sealed: string | undefined
  /** Its POST makes a plain record and reaches nobody outside, so that many may come in one request or file. */
  readonly batch: boolean
}

type Definition<F extends Fields, Letters extends string> = Pick<
  Entity<F>,
  'slug' | 'name' | 'label' | 'description' | 'fields' | 'search'
> & {
  verbs: Letters
  filters: readonly string[] | Readonly<Record<string, Filter>>
  /** What each field means, for whoever reads the documents or hovers over a type of the SDK. */
  about?: About<NoInfer<F>>
} & Partial<
    Pick<
      Entity<F>,
      | 'writeScope'
      | 'otherFilters'
      | 'times'
      | 'unique'
      | 'lookups'
      | 'aliases'
      | 'derived'
      | 'tracked'
      | 'mergeable'
      | 'embedded'
      | 'sealed'
      | 'batch'
    >
  >

export function entity<F extends Fields, Letters extends string>(
  definition: Definition<F, Letters>,
): Entity<F, VerbsOf<Letters>> {
  const { about = {}, filters, ...given } = definition
  return {
    writeScope: 'WRITE',
    otherFilters: [],
    times: [],
    unique: [],
    lookups: [],
    aliases: {},
    derived: [],
    tracked: false,
    mergeable: false,
    embedded: {},
    sealed: undefined,
    batch: false,
    ...given,
    fields: describedFields(definition.fields, about),
    table: definition.slug.replaceAll('-', '_'),
    verbs: [...definition.verbs].map((letter) => verbs[letter as keyof typeof verbs] as VerbsOf<Letters>),
    filters: Array.isArray(filters) ? equal(...filters) : (filters as Readonly<Record<string, Filter>>),
  }
}

/** Equality filters named like their fields. */
export const equal = (...names: readonly string[]): Record<string, Filter> =>
  Object.fromEntries(names.map((name) => [name, { field: name, op: '=' as const }]))

/** From and until a moment, as two filters of one field. */
export const since = (field: string): Filter => ({ field, op: '>=' })
export const until = (field: string): Filter => ({ field, op: '<' })

export const externalRef = named(
  'RecordRef',
  object(
    { system: text(limits.wordLength), externalId: text(), url: nullable(uri()) },
    {
      system: 'The other system, in your own word for it. No two records of one kind share `system` and `externalId`.',
      externalId: 'What the record is called there.',
      url: 'Where people find it there.',
    },
  ),
)
export type ExternalRef = { system: string; externalId: string; url?: string | null }

const identity = describedFields(
  { id: readOnly(uuid()), organizationId: readOnly(uuid()) },
  { id: 'Made by Parley; later records have greater ids.', organizationId: 'The organization that it belongs to.' },
)
const bookkeeping = describedFields(
  {
    externalRefs: list(externalRef, limits.externalRefs),
    createdAt: readOnly(instant()),
    updatedAt: readOnly(instant()),
    version: readOnly(integer({ minimum: 1 })),
  },
  {
    externalRefs:
      'What it is called in other systems. Creating with a reference that is known updates the record that has it.',
    createdAt: 'When Parley first stored it.',
    updatedAt: 'When it last changed.',
    version: 'Rises by one with every change; send it in `If-Match` to change only what you have seen.',
  },
)

/** Some of the fields, where something else tells them too: an event, the body of an action. */
export const pick = <F extends Fields, K extends keyof F>(fields: F, ...names: readonly K[]): Pick<F, K> =>
  Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<F, K>

/** All fields that can be said of a record, in the order in which it is written. */
export function fieldsOf(entity: Entity): Fields {
  let fields = fieldsByEntity.get(entity)
  if (fields === undefined) {
    fields = { ...identity, ...entity.fields, ...bookkeeping } as Fields
    fieldsByEntity.set(entity, fields)
  }
  return fields
}

/** Asked at every request, so it is put together once. */
const fieldsByEntity = new WeakMap<Entity, Fields>()

/** The record as the API returns it. */
export function recordSchema<E extends Entity>(entity: E): Field<Row<E>> {
  const { [entity.sealed ?? '']: _, ...fields } = { ...fieldsOf(entity), ...entity.embedded }
  return object(fields) as Field<unknown> as Field<Row<E>>
}

export type Row<E extends Entity> = { [K in keyof E['fields']]: Static<E['fields'][K]> } & AnyRow

/** A record of any entity, where only the common fields are known. */
export type AnyRow = {
  id: string
  organizationId: string
  externalRefs: ExternalRef[]
  createdAt: string
  updatedAt: string
  version: number
}

/** What a record says in a field that is known by name alone. */
export const valueOf = (record: object, field: string): unknown => Reflect.get(record, field)

/** A field as it is sent: what has a default within it may be left out. */
export type AsSent<T> = T extends readonly (infer Item)[]
  ? AsSent<Item>[]
  : T extends Record<string, unknown>
    ? string extends keyof T
      ? T
      : { [K in keyof T as HasDefault<T[K]> extends true ? never : K]: AsSent<T[K]> } & {
          [K in keyof T as HasDefault<T[K]> extends true ? K : never]?: AsSent<T[K]>
        }
    : T

/** Lists, flags, free-form objects and whatever may be null have one. */
type HasDefault<T> = null extends T
  ? true
  : T extends readonly unknown[] | boolean
    ? true
    : string extends keyof T
      ? true
      : false

type Writable<F extends Fields> = { [K in keyof F as F[K] extends ReadOnly<unknown> ? never : K]: AsSent<Static<F[K]>> }
type RequiredKeys<F extends Fields> = { [K in keyof F]: F[K] extends Required<unknown> ? K : never }[keyof F]

/** What a PATCH may say of a record. */
export type SentToPatch<E extends Entity> = Partial<Writable<E['fields']>> & { externalRefs?: ExternalRef[] }

/** What makes a record: as a PATCH, with what must be said. */
export type SentToCreate<E extends Entity> = SentToPatch<E> &
  Pick<Writable<E['fields']>, RequiredKeys<E['fields']> & keyof Writable<E['fields']>>

/** The fields that a body may set: everything but what the service sets itself. */
export const writableFields = (entity: Entity): string[] =>
  Object.entries(fieldsOf(entity))
    .filter(([, schema]) => annotationsOf(schema).readOnly !== true)
    .map(([name]) => name)

/** The fields that a list can be sorted by, with `-` in front for the latest first, and be narrowed to a span of. */
export const timeFields = (entity: Pick<Entity, 'times'>): string[] => [...entity.times, 'createdAt', 'updatedAt']

/** The parameter of a span's inclusive start and of its exclusive end. */
export const fromParameter = (field: string): string => `${field}From`
export const beforeParameter = (field: string): string => `${field}Before`

/** The fields that have a column of their own, beside the record. */
export function columnsOf(entity: Entity): string[] {
  const filters = Object.values(entity.filters).filter(({ byExpression }) => byExpression === undefined)
  const names = [...filters.map((filter) => filter.field), ...entity.unique.flat(), ...entity.lookups]
  return [...new Set(names)]
}

export const columnName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The Postgres type of a field's column. */
export function columnType(schema: TSchema): 'uuid' | 'timestamptz' | 'double precision' | 'boolean' | 'text' {
  const { format } = annotationsOf(schema)
  if (format === 'uuid') return 'uuid'
  if (format === 'date-time') return 'timestamptz'
  const type = typeOf(schema)
  if (type === 'number' || type === 'integer') return 'double precision'
  return type === 'boolean' ? 'boolean' : 'text'
}

export const takes = (entity: Entity, verb: Verb): boolean => entity.verbs.includes(verb)
