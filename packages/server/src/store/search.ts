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
const sampleRows = raw('500')

/** Rows of the sample that must hold all the words before it is worth reading on. */
const sampleHits = raw('2')

/** How far to read on: 10 ms. Words that meet in one row of 200 fill a page by then; for rarer ones the index is cheaper. */
const newestRows = raw('10000')

/** A word in more rows of the sample than this is common. */
const commonHits = raw('25')

/** The index is asked for the rarest words only, because each prefix builds a bitmap of its own there. */
const indexWordsMax = raw('4')

/** Room for such a bitmap of two million rows. In the usual 4 MB it forgets rows for pages, and a common pair that never meets takes three times as long. */
const bitmapMemory = raw(`'32MB'`)

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
    beyond as materialized (
      select exists (select from ${rows} where ${below} order by id desc offset ${sampleRows}) as any_rows
    ),
    newest as materialized (
      select id, version, record
      from (select * from ${rows} where ${below} order by id desc limit ${newestRows}) as ${rows}
      where (
          (select count(*) from (select from sample where fits and search @@ (select words from asked) limit ${sampleHits}) as hits) = ${sampleHits}
          or not (select any_rows from beyond)
        )
        and search @@ (select words from asked) ${conditions}
      order by id desc
      limit ${limit}
    ),
    chosen as materialized (
      select string_agg(word::text, ' & ')::tsquery as words, count(*) = ${tsquery.split(' & ').length} as all_words
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
