// Builds the statement of one page of search: the newest rows of a tenant that hold every word of a query.
//
// Postgres cannot plan this well by itself: it knows neither which words meet in one row nor how old the rows of a word are. So the statement leaves it no choice.
// 1. `newest` walks the newest rows by primary key and stops when the page is full: this answers whatever is common, such as the first letter somebody types.
// 2. Otherwise the word is rare or old, and `found` collects all matches by the GIN index, sorts their ids, and only then fetches the records of the page.
//    A prefix costs the index every row that has it, so `chosen` leaves common words to the rows that the rarer words find.
// A tsquery that comes from a subquery is unknown to the planner, which then always assumes few matches, and always takes the GIN index.
// docs/decisions/0002-search.md has the plans and the measurements.

import { raw, type Sql, sql } from '../database/sql.js'

/** The newest rows, in which the statement sees how common the words are: 1 ms. */
const sampleRows = raw('1000')

/** How many of the newest rows are read one by one for words that the sample holds together: 15 ms. A page of such words is mostly full by then. */
const newestRows = raw('20000')

/** A word in more rows of the sample than this is common. */
const commonHits = raw('50')

/** The words that the index is asked for at once. Each of them takes memory of its own there. */
const indexWordsMax = raw('4')

export interface SearchOptions {
  readonly table: string
  readonly tenantId: string
  /** What `tsqueryOf` made of the query. */
  readonly tsquery: string
  /** Further conditions on columns of the table, each beginning with `and`; may be empty. */
  readonly conditions: Sql
  /** The page begins below this id; undefined for the first page. */
  readonly beforeId: string | undefined
  /** Rows wanted: the page and one more. */
  readonly limit: number
}

/** Yields rows of (id, version, record as text), newest first. */
export function searchPage({ table, tenantId, tsquery, conditions, beforeId, limit }: SearchOptions): Sql {
  const rows = raw(table)
  const below = beforeId === undefined ? sql`tenant_id = ${tenantId}` : sql`tenant_id = ${tenantId} and id < ${beforeId}`
  return sql`
    with asked as materialized (
      select ${tsquery}::tsquery as words
    ),
    sample as materialized (
      select search, (true ${conditions}) as fits from ${rows} where ${below} order by id desc limit ${sampleRows}
    ),
    newest as materialized (
      select id, version, record
      from (select * from ${rows} where ${below} order by id desc limit ${newestRows}) as ${rows}
      where (select count(*) from (select from sample where fits and search @@ (select words from asked) limit 3) as seen) = 3
        and search @@ (select words from asked) ${conditions}
      order by id desc
      limit ${limit}
    ),
    chosen as materialized (
      select string_agg(word::text, ' & ')::tsquery as words
      from (
        select word, hits, min(hits) over () as fewest_hits
        from unnest(${tsquery.split(' & ')}::tsquery[]) as word, lateral (select count(*) as hits from sample where search @@ word) as counted
        order by hits
        limit ${indexWordsMax}
      ) as rarest
      where hits <= ${commonHits} or fewest_hits > ${commonHits}
    ),
    found as materialized (
      select id
      from (
        select id
        from ${rows}
        where ${below} and search @@ (select words from chosen) and (search @@ (select words from asked)) is true ${conditions}
        offset 0 -- Keeps the order and the limit out of the planner's choice of an index.
      ) as matches
      where (select count(*) from newest) < ${limit}
        and exists (select from ${rows} where ${below} order by id desc offset ${sampleRows})
        and (select set_config('work_mem', '32MB', true)) is not null
      order by id desc
      limit ${limit}
    )
    select id, version, record::text as record from newest where not exists (select from found)
    union all
    select id, version, record::text from ${rows} where tenant_id = ${tenantId} and id in (select id from found)
    order by id desc`
}
