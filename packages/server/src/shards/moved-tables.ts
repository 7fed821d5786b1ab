// Which tables hold rows of tenants, by the catalog, so that a table of tomorrow moves along without a word here.
import type { Database } from '../database/pool.js'
import { raw, type Sql, sql } from '../database/sql.js'

export interface MovedTable {
  readonly name: string
  /** Its primary key with the type of each column, `tenant_id` first; none where rows have no key. */
  readonly key: readonly KeyColumn[]
  /** Those that are written; generated ones follow by themselves. */
  readonly columns: readonly string[]
  /** Its rows stand in the order of transactions, which another server counts otherwise. */
  readonly hasXact: boolean
  /** It holds records, which only commits write. */
  readonly isEntity: boolean
  readonly hasClaim: boolean
}

export interface KeyColumn {
  readonly name: string
  readonly type: string
}

/**
 * Tables by which a request that names no organization finds its tenant. Their rows are on one server at a time: they
 * are carried over while the organization is closed.
 */
export const doors: readonly string[] = ['api_keys', 'calendar_feeds', 'integration_connections']

export async function movedTables(database: Database): Promise<MovedTable[]> {
  const rows = await database.query<MovedTable & Record<string, unknown>>(sql`
    select c.relname as name,
      coalesce((select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
          order by k.place)
        from pg_index i, unnest(i.indkey::int[]) with ordinality k (number, place)
          join pg_attribute a on a.attnum = k.number
        where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid), '[]') as key,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      has_column(c.oid, 'xact') as "hasXact", has_column(c.oid, 'claim') as "hasClaim",
      has_column(c.oid, 'record') and has_column(c.oid, 'version') as "isEntity"
    from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      and has_column(c.oid, 'tenant_id')
    order by c.relname`)
  return rows
}

/** The row filter of a publication, which takes constants only. */
export const filterOf = (tenantIds: readonly string[]): string =>
  tenantIds.map((id) => `tenant_id = '${id}'`).join(' or ')

export const isOfTenants = (tenantIds: readonly string[]): Sql => sql`tenant_id = any (${tenantIds}::uuid[])`

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Each server says these by itself: in which transaction a row came, and whether it came with its organization. */
const ofOneServer: readonly string[] = ['xact', 'moved_in']

/** A row as text, the same on every server. */
export const rowText = ({ columns }: MovedTable): Sql =>
  raw(`row(${columns.filter((name) => !ofOneServer.includes(name)).map((name) => `t.${quoted(name)}`)})::text`)
