// Reading records of one tenant by key, for any entity. Lists are in list-reader.ts; a handler that writes reads
// through its `Work`, which sees what it has already written.
import type { AnyRow, Entity, Row } from '@parley/contract'
import type { Database } from '../database/pool.js'
import { join, raw, type Sql, sql } from '../database/sql.js'
import type { Fence } from './change.js'
import { conditionsOf, conditionsSql, type Where } from './conditions.js'
import { readSurvivors } from './merged-ids.js'
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
  async stored(entity: Entity, id: string): Promise<Stored | undefined> {
    const found = await this.storedAt(entity, id)
    if (found || !entity.mergeable) return found
    const survivor = (await readSurvivors(this.database, this.tenantId, [id])).get(id)
    return survivor === undefined ? undefined : this.storedAt(entity, survivor)
  }

  private storedAt(entity: Entity, id: string): Promise<Stored | undefined> {
    return this.database.coalesce(`${entity.table} ${this.tenantId} ${id}`, async () => {
      const [row] = await this.database.read<[number, string]>(sql`select version, ${recordText(entity)}
        from ${raw(entity.table)} where tenant_id = ${this.tenantId} and id = ${id}`)
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
  async next(counter: string): Promise<number> {
    const [row] = await this.database.query<{ value: number }>(
      sql`insert into counters as c (tenant_id, name, value) values (${this.tenantId}, ${counter}, 1)
        on conflict (tenant_id, name) do update set value = c.value + 1 returning value`,
      { prepared: true },
    )
    return row?.value ?? 1
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

function lookupSql(tenantId: string, lookup: Lookup, place: number): Sql {
  const at = raw(`${place}::int`)
  if (lookup.kind === 'fence')
    return sql`select ${at}, null::text, version from fences where tenant_id = ${tenantId} and name = ${lookup.name}`
  const { entity, where, limit, isNewestFirst } = lookup
  return sql`select ${at}, ${recordText(entity)}, null::int from ${raw(entity.table)}
    where tenant_id = ${tenantId}${conditionsSql(entity, conditionsOf(where))}
      order by id ${raw(isNewestFirst ? 'desc' : 'asc')} limit ${limit}::int`
}
