// Reading records of one tenant, for any entity. What goes to a caller stays the text that was stored; only rules parse it.
import { columnName, columnType, type Entity, fieldsOf, type Row } from '@parley/contract'
import type { Database } from '../database/pool.js'
import { join, raw, type Sql, sql } from '../database/sql.js'
import type { Fence } from './change.js'
import { firstIdAt } from './id.js'
import { searchPage } from './search.js'
import { tsqueryOf } from './words.js'

export interface Stored {
  readonly id: string
  readonly version: number
  /** The record as it goes over the wire. */
  readonly text: string
}

/** One condition of a list. `in` takes an array. */
export interface Condition {
  readonly field: string
  readonly op: '=' | 'in' | '>=' | '<'
  readonly value: unknown
}

export interface ListOptions {
  readonly conditions?: readonly Condition[] | undefined
  readonly q?: string | undefined
  /** The telephone number that `q` is, in E.164: rows that hold it are found however they write it. */
  readonly number?: string | undefined
  readonly beforeId?: string | undefined
  readonly limit: number
}

/** A page as one text: the records joined by commas, and the last id when another page follows. */
export interface JoinedPage {
  readonly text: string
  readonly lastId: string | null
}

export interface Reader {
  readonly tenantId: string
  readonly database: Database
  get<E extends Entity>(entity: E, id: string): Promise<Row<E> | undefined>
  stored(entity: Entity, id: string): Promise<Stored | undefined>
  /** Newest first. Asking for one more than a page tells whether another page follows. */
  list(entity: Entity, options: ListOptions): Promise<Stored[]>
  /** The same for the newest page of a plain list, joined by the database: half the work of fifty rows one by one. */
  joined(entity: Entity, beforeId: string | undefined, limit: number): Promise<JoinedPage>
  /** All records with these values, oldest first, up to a limit. */
  find<E extends Entity>(entity: E, where: { [K in keyof Row<E>]?: unknown }, limit?: number): Promise<Row<E>[]>
  /** The secret beside a record, still sealed. */
  sealed(entity: Entity, id: string): Promise<Buffer | undefined>
  /** Must be read before what it guards, so that a change in between is noticed. */
  fence(name: string): Promise<Fence>
  /** The next number of a counter. Gaps are possible: it is taken whether or not the change is made. */
  next(counter: string): Promise<number>
}

const FIND_LIMIT = 1_000

export function readerOf(database: Database, tenantId: string): Reader {
  const reader: Reader = {
    tenantId,
    database,
    async get<E extends Entity>(entity: E, id: string) {
      const found = await reader.stored(entity, id)
      return found && (JSON.parse(found.text) as Row<E>)
    },
    stored: (entity, id) =>
      database.together(`${entity.table} ${tenantId} ${id}`, async () => {
        const [row] = await database.read<[number, string]>(
          sql`select version, record::text from ${raw(entity.table)} where tenant_id = ${tenantId} and id = ${id}`,
        )
        return row && { id, version: row[0], text: row[1] }
      }),
    async list(entity, options) {
      const { conditions = [], q, number, beforeId, limit } = options
      const where = conditionsSql(entity, conditions)
      if (q !== undefined) return search(database, entity, tenantId, tsqueryOf(q, number), where, beforeId, limit)
      const page = sql`select id, version, record::text from ${raw(entity.table)}
        where tenant_id = ${tenantId}${beforeId ? sql` and id < ${beforeId}` : raw('')}${where} order by id desc limit ${raw(String(limit))}`
      if (conditions.length === 0) return (await database.read<[string, number, string]>(page)).map(([id, version, text]) => ({ id, version, text }))
      // Filters differ in how much they leave, so each such list is planned for its own values.
      return (await database.query<{ id: string; version: number; record: string }>(page)).map(({ id, version, record }) => ({ id, version, text: record }))
    },
    async joined(entity, beforeId, limit) {
      const [table, size] = [raw(entity.table), raw(String(limit))]
      const [row] = await database.read<[string | null, string | null]>(sql`
        select page.text, case when exists (select from ${table} where tenant_id = ${tenantId} and id < page.last_id) then page.last_id end
        from (
          select string_agg(record::text, ',') as text, (array_agg(id))[${size}] as last_id
          from (select id, record from ${table} where tenant_id = ${tenantId}${beforeId ? sql` and id < ${beforeId}` : raw('')} order by id desc limit ${size}) as newest
        ) as page`)
      return { text: row?.[0] ?? '', lastId: row?.[1] ?? null }
    },
    async find<E extends Entity>(entity: E, where: { [K in keyof Row<E>]?: unknown }, limit = FIND_LIMIT) {
      const conditions = Object.entries(where).map(([field, value]) => ({ field, op: '=' as const, value }))
      const rows = await database.read<[string]>(sql`select record::text from ${raw(entity.table)}
        where tenant_id = ${tenantId}${conditionsSql(entity, conditions)} order by id limit ${raw(String(limit))}`)
      return rows.map(([text]) => JSON.parse(text) as Row<E>)
    },
    async sealed(entity, id) {
      const [row] = await database.read<[Buffer | null]>(sql`select sealed from ${raw(entity.table)} where tenant_id = ${tenantId} and id = ${id}`)
      return row?.[0] ?? undefined
    },
    async fence(name) {
      const [row] = await database.read<[number]>(sql`select version from fences where tenant_id = ${tenantId} and name = ${name}`)
      return { name, seen: row?.[0] ?? 0 }
    },
    async next(counter) {
      const [row] = await database.query<{ value: number }>(
        sql`insert into counters as c (tenant_id, name, value) values (${tenantId}, ${counter}, 1)
          on conflict (tenant_id, name) do update set value = c.value + 1 returning value`,
        { prepared: true },
      )
      return row?.value ?? 1
    },
  }
  return reader
}

async function search(
  database: Database,
  entity: Entity,
  tenantId: string,
  tsquery: string | undefined,
  conditions: Sql,
  beforeId: string | undefined,
  limit: number,
) {
  if (tsquery === undefined) return []
  const rows = await database.query<{ id: string; version: number; record: string }>(
    searchPage({ table: entity.table, tenantId, tsquery, conditions, beforeId, limit }),
  )
  return rows.map(({ id, version, record }) => ({ id, version, text: record }))
}

function conditionsSql(entity: Entity, conditions: readonly Condition[]): Sql {
  return join(
    conditions.map((condition) => sql` and ${conditionSql(entity, condition)}`),
    '',
  )
}

function conditionSql(entity: Entity, { field, op, value }: Condition): Sql {
  // The creation time is in the id, so it needs no column.
  if (field === 'createdAt') return sql`id ${raw(op)} ${firstIdAt(new Date(String(value)))}::uuid`
  if (field === 'updatedAt') return sql`updated_at ${raw(op)} ${value}::timestamptz`
  const type = raw(columnType(fieldsOf(entity)[field] ?? {}))
  const column = raw(`"${columnName(field)}"`)
  if (value === null) return sql`${column} is null`
  return op === 'in' ? sql`${column} = any (${value}::${type}[])` : sql`${column} ${raw(op)} ${value}::${type}`
}
