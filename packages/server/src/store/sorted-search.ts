// One page of search in another order than newest first. Matches of common words are met by reading on in that order;
// where that does not fill the page, the words are rare, and all their matches are taken from the index and sorted.
import { raw, type Sql, sql } from '../database/sql.js'
import { isAfter, keySql, type PageOptions, turn, valuedRows } from './order.js'
import { recordText } from './record-text.js'

/** How far to read on, about 5 µs a row: words in one row of forty fill a page of 50 by then. */
const walkedRows = 2_000

/** Yields rows of (id, version, record as text). `tsquery` is what `tsqueryOf` made of the query. */
export function sortedSearchPage(options: PageOptions & { readonly tsquery: string }): Sql {
  const { entity, tenantId, conditions, order, limit, tsquery } = options
  const [rows, size, key] = [raw(entity.table), sql`${limit}::int`, keySql(options)]
  const isWalkable = raw(String(options.after?.value !== null || order.field === 'createdAt'))
  const ahead = valuedRows({ ...options, conditions: raw(''), limit: walkedRows }, sql`*, ${key} as sort_value`)
  return sql`
    with asked as materialized (select ${tsquery}::tsquery as words),
    walked as materialized (
      select id from (${ahead}) as ${rows} where ${isWalkable} and search @@ (select words from asked)${conditions}
      order by sort_value ${turn(order)}, id ${turn(order)} limit ${size}
    ),
    found as materialized (
      select id from (
        select id, ${key} as sort_value from ${rows}
        where tenant_id = ${tenantId} and search @@ (select words from asked) and ${isAfter(options)}${conditions}
        offset 0 -- Keeps the order and the limit below from drawing the planner to another index.
      ) as matches
      where (select count(*) from walked) < ${size}
      order by sort_value ${turn(order)} nulls last, id ${turn(order)} limit ${size}
    )
    select id, version, ${recordText(entity)} as record from ${rows}
    where tenant_id = ${tenantId} and id in (select id from found union all select id from walked
      where (select count(*) from walked) = ${size})
    order by ${key} ${turn(order)} nulls last, id ${turn(order)}`
}
