// Builds the statement of one page of search: the newest rows of a tenant that hold every word of a query. How text becomes words is in words.ts.
//
// Postgres plans this badly by itself, for it knows neither which words meet in one row nor how old the rows of a word are. So the statement decides while it runs:
// 1. `sample` reads the newest rows. If the words meet there now and then, `newest` reads on by primary key until the page is full:
//    that answers whatever is common, such as the first letter that somebody types.
// 2. Otherwise the words are rare, or old, or never meet. Then `found` takes all matches from the GIN index, and fetches only the records of the page.
//    A prefix costs the index every row that has it, so `chosen` leaves words that are common in the sample to the rows that the rarer words find.
// Each step begins with a condition that does not depend on its rows; where that fails, nothing of the step is executed. A tsquery that comes from a subquery
// is unknown to the planner, which then always assumes few matches, hence the GIN index. The plans and measurements are in docs/decisions/0002-search.md.

import { raw, type Sql, sql } from '../database/sql.js'

/** The newest rows, which show how common the words are: half a millisecond. A tenant with fewer is searched in these alone. */
const sampleRows = 500

/** How far to read on for a page: 10,000 rows, 10 ms, for 51. Words that meet in one row of 200 fill it by then; for rarer ones the index is cheaper. */
function newestRows(limit: number): number {
  return Math.min(Math.max(200 * limit, 2_000), 40_000)
}

/** So many rows of the sample must hold all the words before the page is expected to fill on the way. */
function sampleHits(limit: number): number {
  return Math.ceil((sampleRows * limit) / newestRows(limit))
}

/** A word in more rows of the sample than this is common. */
const commonHits = 25

/** The index is asked for the rarest words only, because each prefix builds a bitmap of its own there. */
const indexWordsMax = 4

/** Room for such a bitmap of two million rows. In the usual 4 MB it forgets rows for pages, and a common pair that never meets takes three times as long. */
const bitmapMemory = '32MB'

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
  const words = tsquery.split(' & ')
  const sample = literal(sampleRows)
  const hits = literal(sampleHits(limit))
  const below = beforeId === undefined ? sql`tenant_id = ${tenantId}` : sql`tenant_id = ${tenantId} and id < ${beforeId}`
  return sql`
    with asked as materialized (
      select ${tsquery}::tsquery as words
    ),
    sample as materialized (
      select search, (true ${conditions}) as fits from ${rows} where ${below} order by id desc limit ${sample}
    ),
    beyond as materialized (
      select exists (select from ${rows} where ${below} order by id desc offset ${sample}) as any_rows
    ),
    newest as materialized (
      select id, version, record
      from (select * from ${rows} where ${below} order by id desc limit ${literal(newestRows(limit))}) as ${rows}
      where (
          (select count(*) from (select from sample where fits and search @@ (select words from asked) limit ${hits}) as hits) = ${hits}
          or not (select any_rows from beyond)
        )
        and search @@ (select words from asked) ${conditions}
      order by id desc
      limit ${limit}
    ),
    chosen as materialized (
      select string_agg(word::text, ' & ')::tsquery as words, count(*) = ${literal(words.length)} as all_words
      from (
        select word, hits, min(hits) over () as fewest_hits
        from unnest(${words}::tsquery[]) as word, lateral (select count(*) as hits from sample where search @@ word) as counted
        order by hits
        limit ${literal(indexWordsMax)}
      ) as rarest
      where hits <= ${literal(commonHits)} or fewest_hits > ${literal(commonHits)}
    ),
    found as materialized (
      select id
      from (
        select id
        from ${rows}
        where ${below} and search @@ (select words from chosen) and ((select all_words from chosen) or search @@ (select words from asked)) ${conditions}
        offset 0 -- Keeps the order and the limit below from drawing the planner to another index.
      ) as matches
      where (select count(*) from newest) < ${limit}
        and (select any_rows from beyond)
        and (select set_config('work_mem', ${bitmapMemory}, true)) is not null
      order by id desc
      limit ${limit}
    )
    select id, version, record::text as record from newest where not exists (select from found)
    union all
    select id, version, record::text from found join ${rows} using (id) where tenant_id = ${tenantId}
    order by id desc`
}

/** A number that the planner shall see: for a limit that it does not know it would expect a tenth of all rows. */
function literal(value: number): Sql {
  return raw(String(value))
}
