// Reading records of one tenant by key, for any entity. Lists are in list-reader.ts; a handler that writes reads
// through its `Work`, which sees what it has already written.
import { type AnyRow, type Entity, type Row, valueOf } from '@parley/contract'
import type { Database } from '../database/pool.js'
import { arrayLiteral, filled, fixed, join, raw, type Sql, sql } from '../database/sql.js'
import type { Fence } from './change.js'
import { comparedColumn, conditionsOf, conditionsSql, type Where } from './conditions.js'
import { nextNumber } from './contention/counter.js'
import { expressionType } from './entity-ddl.js'
import { recordText } from './record-text.js'

export interface Stored {
  readonly id: string
  readonly version: number
  /** The record as it goes over the wire. */
  readonly text: string
}

/** The records of an entity with these values, up to a limit. */
export interface Finding<E extends Entity = Entity> {
  readonly kind: 'records'
  readonly entity: E
  readonly where: Where
  readonly limit: number
  readonly isNewestFirst: boolean
  /** See `findingBy`. */
  readonly narrowest?: string
}

/** What does not exist yet has no version; its fence stands for it. */
export interface FenceReading {
  readonly kind: 'fence'
  readonly name: string
}

export type Lookup = Finding | FenceReading

/** What a look-up gives. */
type Found<L extends Lookup> = L extends Finding<infer E> ? Row<E>[] : Fence
type AllFound<L extends readonly Lookup[]> = { [I in keyof L]: Found<L[I]> }

const FIND_LIMIT = 1_000

type WhereOf<E extends Entity> = { readonly [K in keyof Row<E>]?: unknown }

/** Oldest first. An array means any of its values. */
export const finding = <E extends Entity>(entity: E, where: WhereOf<E>, limit: number = FIND_LIMIT): Finding<E> => ({
  kind: 'records',
  entity,
  where,
  limit,
  isNewestFirst: false,
})

export const findingNewest = <E extends Entity>(entity: E, where: WhereOf<E>, limit: number): Finding<E> => ({
  ...finding(entity, where, limit),
  isNewestFirst: true,
})

/** By the index of the field that narrows most, where several have one; the others are texts. */
export const findingBy = <E extends Entity>(
  narrowest: string,
  ...asked: Parameters<typeof finding<E>>
): Finding<E> => ({
  ...finding(...asked),
  narrowest,
})

export const fenceNamed = (name: string): FenceReading => ({ kind: 'fence', name })

export class Reader {
  constructor(
    readonly database: Database,
    readonly tenantId: string,
  ) {}

  async get<E extends Entity>(entity: E, id: string): Promise<Row<E> | undefined> {
    const found = await this.stored(entity, id)
    return found && JSON.parse(found.text)
  }

  /** The record with this id, or the one that it was merged into. */
  stored(entity: Entity, id: string): Promise<Stored | undefined> {
    const found = this.storedAt(entity, id)
    return entity.mergeable ? found.then((one) => one ?? this.survivorOf(entity, id)) : found
  }

  /** As of one moment: it may be merged, or there again, in between. */
  private async survivorOf(entity: Entity, id: string): Promise<Stored | undefined> {
    const [row] = await this.database.read<[string, number, string]>(sql`select id, version, ${recordText(entity)}
      from ${raw(entity.table)} where tenant_id = ${this.tenantId}
        and id = survivor_of(${this.tenantId}::uuid, ${id}::uuid)`)
    return row && { id: row[0], version: row[1], text: row[2] }
  }

  private storedAt(entity: Entity, id: string): Promise<Stored | undefined> {
    return this.database.coalesce(`${entity.table} ${this.tenantId} ${id}`, async () => {
      const statement = filled(storedStatement(entity), (value) => (value === TENANT ? this.tenantId : id))
      const [row] = await this.database.read<[number, string]>(statement)
      return row && { id, version: row[0], text: row[1] }
    })
  }

  /** All records with these values, oldest first, up to a limit. An array means any of its values. */
  async find<E extends Entity>(entity: E, where: WhereOf<E>, limit: number = FIND_LIMIT): Promise<Row<E>[]> {
    const [found] = await this.lookUp(finding(entity, where, limit))
    return found
  }

  /**
   * Several look-ups in one statement, so in one round trip and as of one moment: a fence among them guards the records
   * beside it.
   */
  async lookUp<L extends readonly [Lookup, ...Lookup[]]>(...lookups: L): Promise<AllFound<L>> {
    const rows = await this.rowsOf(lookups)
    return lookups.map((lookup, index) => this.shaped(lookup, rows[index] ?? [])) as unknown as AllFound<L>
  }

  /** The rows of each look-up, in the order of the look-ups. */
  protected rowsOf(lookups: readonly Lookup[]): Promise<readonly FoundRow[][]> {
    return readLookups(this.database, this.tenantId, lookups)
  }

  protected shaped(lookup: Lookup, rows: readonly FoundRow[]): AnyRow[] | Fence {
    if (lookup.kind === 'fence') return { name: lookup.name, seen: rows[0]?.[2] ?? 0 }
    return rows.map(([, text]): AnyRow => JSON.parse(text ?? 'null'))
  }

  /** The secret beside a record, still sealed. */
  async sealed(entity: Entity, id: string): Promise<Buffer | undefined> {
    const [row] = await this.database.read<[Buffer | null]>(
      sql`select sealed from ${raw(entity.table)} where tenant_id = ${this.tenantId} and id = ${id}`,
    )
    return row?.[0] ?? undefined
  }

  /** Read it before what it guards, or beside it with `lookUp`, so that a change in between is noticed. */
  async readFence(name: string): Promise<Fence> {
    const [fence] = await this.lookUp(fenceNamed(name))
    return fence
  }

  /** The next number of a counter. Gaps are possible: it is taken whether or not the change is made. */
  next(counter: string): Promise<number> {
    return nextNumber(this.database, this.tenantId, counter)
  }
}

export type FoundRow = [place: number, text: string | null, version: number | null]

async function readLookups(database: Database, tenantId: string, lookups: readonly Lookup[]): Promise<FoundRow[][]> {
  const parts = lookups.map((lookup, place) => lookupSql(tenantId, lookup, place))
  const [only, ...others] = parts
  if (only === undefined) return []
  const whole =
    others.length === 0
      ? only
      : join(
          parts.map((part) => sql`(${part})`),
          '\nunion all ',
        )
  const found: FoundRow[][] = lookups.map(() => [])
  for (const row of await database.read<FoundRow>(whole)) found[row[0]]?.push(row)
  return found
}

const TENANT = 'tenant'
const storedStatements = new WeakMap<Entity, Sql>()

/** Always the same for an entity: it is put together once, and then only filled. */
function storedStatement(entity: Entity): Sql {
  const known =
    storedStatements.get(entity) ??
    fixed(sql`select version, ${recordText(entity)} from ${raw(entity.table)}
      where tenant_id = ${TENANT} and id = ${'id'}`)
  storedStatements.set(entity, known)
  return known
}

function lookupSql(tenantId: string, lookup: Lookup, place: number): Sql {
  const at = raw(`${place}::int`)
  if (lookup.kind === 'fence')
    return sql`select ${at}, null::text, version from fences where tenant_id = ${tenantId} and name = ${lookup.name}`
  const { entity, where, limit, isNewestFirst, narrowest } = lookup
  return sql`select ${at}, ${recordText(entity)}, null::int from ${raw(entity.table)}
    where tenant_id = ${tenantId}${conditionsSql(entity, conditionsOf(where), narrowest)}
      order by id ${raw(isNewestFirst ? 'desc' : 'asc')} limit ${limit}::int`
}

/**
 * The rows of many look-ups: those that differ in their values alone become one statement. Fences are read first: what
 * is read after a fence is guarded by it.
 */
export async function readManyLookups(
  database: Database,
  tenantId: string,
  lookups: readonly Lookup[],
): Promise<FoundRow[][]> {
  const found: FoundRow[][] = lookups.map(() => [])
  const places = new Map<string, number[]>()
  for (const [place, lookup] of lookups.entries()) {
    const key = keyOf(lookup)
    places.set(key, [...(places.get(key) ?? []), place])
  }
  const read = async (group: readonly number[]) => {
    const asked = group.flatMap((place) => lookups[place] ?? [])
    const rows = isAlike(asked)
      ? await readAlike(database, tenantId, asked)
      : await readLookups(database, tenantId, asked)
    for (const [index, place] of group.entries()) found[place] = rows[index] ?? []
  }
  const fences = places.get(FENCES)
  if (fences) {
    const names = fences.flatMap((place) => fenceName(lookups[place]))
    const versions = await readFences(database, tenantId, names)
    for (const [index, place] of fences.entries()) found[place] = versionRow(versions.get(names[index] ?? ''))
  }
  await Promise.all([...places].filter(([key]) => key !== FENCES).map(([, group]) => read(group)))
  return found
}

const FENCES = 'fences'
const fenceName = (lookup: Lookup | undefined): string[] => (lookup?.kind === 'fence' ? [lookup.name] : [])
const versionRow = (version: number | undefined): FoundRow[] => (version === undefined ? [] : [[0, null, version]])

async function readFences(
  database: Database,
  tenantId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await database.read<[string, number]>(sql`select name, version from fences
    where tenant_id = ${tenantId}::uuid and name = any (${arrayLiteral(names)}::text[])`)
  return new Map(rows)
}

/** Look-ups with the same key ask the same question of other values. */
function keyOf(lookup: Lookup): string {
  if (lookup.kind === 'fence') return FENCES
  const { entity, where, limit, isNewestFirst, narrowest } = lookup
  const isPlain = Object.entries(where).every(([field, value]) => typeof value === 'string' && field !== 'createdAt')
  return JSON.stringify([entity.table, isPlain ? Object.keys(where) : where, limit, isNewestFirst, narrowest])
}

const isAlike = (lookups: readonly Lookup[]): lookups is readonly Finding[] =>
  lookups.length > 1 &&
  lookups.every((one) => one.kind === 'records' && Object.values(one.where).every((value) => typeof value === 'string'))

async function readAlike(database: Database, tenantId: string, lookups: readonly Finding[]): Promise<FoundRow[][]> {
  const [first] = lookups
  if (first === undefined) return []
  const { entity, where, limit, isNewestFirst } = first
  const fields = Object.keys(where)
  const columns = fields.map((field) => {
    const values = lookups.map((lookup) => String(valueOf(lookup.where, field)))
    return sql`${arrayLiteral(values)}::${raw(typeOf(entity, field))}[]`
  })
  const conditions = fields.map((field, index) => `${columnOf(first, field)} = k.value_${index}`).join(' and ')
  const names = fields.map((_, index) => `value_${index}`).join(', ')
  const rows = await database.read<FoundRow>(sql`select k.place::int, r.record, null::int
    from unnest(${join(columns, ', ')}) with ordinality k (${raw(names)}, place)
    cross join lateral (
      select ${recordText(entity)} as record from ${raw(entity.table)}
      where tenant_id = ${tenantId}::uuid and ${raw(conditions)}
      order by id ${raw(isNewestFirst ? 'desc' : 'asc')} limit ${limit}::int
    ) r order by k.place`)
  const found: FoundRow[][] = lookups.map(() => [])
  for (const row of rows) found[row[0] - 1]?.push(row)
  return found
}

const columnOf = ({ entity, narrowest }: Finding, field: string): string =>
  field === 'id' ? 'id' : comparedColumn(entity, field, narrowest)
const typeOf = (entity: Entity, field: string): string => (field === 'id' ? 'uuid' : expressionType(entity, field))
