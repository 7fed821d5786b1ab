// Builds the statement of one page of search: the newest rows of a tenant that hold every word of a query. How text
// becomes words is in words.ts.
//
// Postgres plans this badly by itself, for it knows neither which words meet in one row nor how old the rows of a word
// are. So the statement decides while it runs:
// 1. `sample` reads the newest rows. If the words meet there now and then, `newest` reads on by primary key until the
// page is full:
//    that answers whatever is common, such as the first letter that somebody types.
// 2. Otherwise `spread` looks at rows from all over the table. If many of them hold the words, only the newest do not,
// and `walked` reads on much further.
// 3. Otherwise the words are rare, or old, or never meet. Then `found` takes all matches from the GIN index, and
// fetches only the records of the page.
//    A prefix costs the index every row that has it, so `chosen` leaves words that are common to the rows that the
// rarer words find. Each step begins with a condition that does not depend on its rows; where that fails, nothing of
// the step is executed. A tsquery that comes from a subquery is unknown to the planner, which then always assumes few
// matches, hence the GIN index. The plans and measurements are in docs/decisions/0002-search.md.

import { raw, type Sql, sql } from '../database/sql.js'

/**
 * The newest rows, which show how common the words are: half a millisecond. A tenant with fewer is searched in these
 * alone.
 */
const sampleRows = 500

/**
 * How far to read on for a page: 10,000 rows, 10 ms, for 51. Words that meet in one row of 200 fill it by then; for
 * rarer ones the index is cheaper.
 */
function newestRows(limit: number): number {
  return Math.min(Math.max(200 * limit, 2_000), 40_000)
}

/** So many rows of the sample must hold all the words before the page is expected to fill on the way. */
function sampleHits(limit: number): number {
  return Math.ceil((sampleRows * limit) / newestRows(limit))
}

/**
 * Two rows of each of so many blocks, evenly over the table's file: 0.3 ms. Evenly over time would miss an import,
 * which makes most rows within an hour.
 */
const spreadBlocks = 32

/**
 * Fewer rows of the tenant among them say nothing: it has less than a fifth of the table, or the page begins far down.
 */
const spreadRowsMin = 12

/** So few rows of a small sample may be chance. */
const spreadDoubt = 3

/** How far to read on at most, about 1 µs a row. That it is worth it is known from `spread`. */
const walkedRows = 500_000

/** A word in more rows of the sample than this is common. */
const commonHits = 25

/** The index is asked for the rarest words only, because each prefix builds a bitmap of its own there. */
const indexWordsMax = 4

/**
 * Room for such a bitmap of two million rows. In the usual 4 MB it forgets rows for pages, and a common pair that never
 * meets takes three times as long.
 */
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
  /** What is shown of a row besides its id. */
  readonly columns?: string
}

const recordColumns = 'version, record::text as record'

/** Yields rows of (id, version, record as text), or of the id and other columns, newest first. */
export function searchPage(options: SearchOptions): Sql {
  const { tenantId, tsquery, conditions, limit, columns = recordColumns } = options
  const rows = raw(options.table)
  const below = belowPage(options)
  const words = tsquery.split(' & ')
  const isNewestEnough = sql`(${meetInSample(limit)} or not (select any_rows from beyond))`
  return sql`
    with asked as materialized (
      select ${tsquery}::tsquery as words
    ),
    sample as materialized (
      select search, (true ${conditions}) as fits from ${rows} where ${below} order by id desc
        limit ${literal(sampleRows)}
    ),
    beyond as materialized (
      select exists (select from ${rows} where ${below} order by id desc offset ${literal(sampleRows)}) as any_rows
    ),
    newest as materialized (${readOn(options, newestRows(limit), isNewestEnough)}),
    unfilled as materialized (
      select any_rows and (select count(*) from newest) < ${limit} as is_open from beyond
    ),
    spread as materialized (
      select search, (true ${conditions}) as fits
      from (select * from ${rows} where ctid = any (array(${spreadPlaces(options.table)})) offset 0) as ${rows}
      where (select is_open from unfilled) and ${below}
    ),
    chosen as materialized (
      select string_agg(word::text, ' & ')::tsquery as words, count(*) = ${literal(words.length)} as all_words,
        sum(hits) as hits
      from (
        select word, hits, min(hits) over () as fewest_hits
        from unnest(${words}::tsquery[]) as word, lateral (${hitsOfWord}) as counted
        order by hits
        limit ${literal(indexWordsMax)}
      ) as rarest
      where hits <= ${literal(commonHits)} or fewest_hits > ${literal(commonHits)}
    ),
    walked as materialized (${readOn(options, walkedRows, isWalkShorter)}),
    found as materialized (
      select id
      from (
        select id
        from ${rows}
        where ${below} and search @@ (select words from chosen) and ((select all_words from chosen)
          or search @@ (select words from asked)) ${conditions}
        offset 0 -- Keeps the order and the limit below from drawing the planner to another index.
      ) as matches
      where (select is_open from unfilled)
        and (select count(*) from walked) < ${limit}
        and (select set_config('work_mem', ${bitmapMemory}, true)) is not null
      order by id desc
      limit ${limit}
    )
    select * from newest where not (select is_open from unfilled)
    union all
    select * from walked where not exists (select from found)
    union all
    select id, ${raw(columns)} from found join ${rows} using (id) where tenant_id = ${tenantId}
    order by id desc`
}

function belowPage({ tenantId, beforeId }: SearchOptions): Sql {
  return beforeId === undefined ? sql`tenant_id = ${tenantId}` : sql`tenant_id = ${tenantId} and id < ${beforeId}`
}

/** The matches among the next `rowsMax` rows, until the page is full; nothing is read unless the condition holds. */
function readOn(options: SearchOptions, rowsMax: number, condition: Sql): Sql {
  const rows = raw(options.table)
  return sql`
    select id, ${raw(options.columns ?? recordColumns)}
    from (select * from ${rows} where ${belowPage(options)} order by id desc limit ${literal(rowsMax)}) as ${rows}
    where ${condition} and search @@ (select words from asked) ${options.conditions}
    order by id desc
    limit ${options.limit}`
}

function meetInSample(limit: number): Sql {
  const hits = literal(sampleHits(limit))
  return sql`(select count(*) from (select from sample where fits and search @@ (select words from asked)
    limit ${hits}) as hits) = ${hits}`
}

/** In how many of 500 rows a word is: of the newest, or of those all over the table if there it is clearly in more. */
const hitsOfWord = sql`
  select greatest(
    (select count(*) from sample where search @@ word),
    (select (count(*) filter (where search @@ word) - ${literal(spreadDoubt)}) * ${literal(sampleRows)} /
      nullif(count(*), 0) from spread)
  ) as hits`

/**
 * No more rows come before the first match than are no match at all. Reading those is worth it if `found` would have
 * more to do: it fetches each row with the chosen words, and the index goes through the rows of each of them. Where
 * matches are few it is not tried, because the page might not fill.
 */
const isWalkShorter = sql`(
  select seen >= ${literal(spreadRowsMin)} and matches * 10 >= seen
    and seen - matches < fetched + seen * (select hits from chosen) / ${literal(sampleRows)}
  from (
    select count(*) as seen,
      count(*) filter (where fits and search @@ (select words from asked)) as matches,
      count(*) filter (where search @@ (select words from chosen)) as fetched
    from spread
  ) as counted
)`

/**
 * Where rows may lie. `offset 0` around their fetching keeps the planner from reading the tenant's rows to look for
 * these places among them.
 */
function spreadPlaces(table: string): Sql {
  const blocks = literal(spreadBlocks)
  return sql`
    select format('(%s,%s)', pg_relation_size(${table}::regclass) / current_setting('block_size')::integer * block /
      ${blocks}, place)::tid
    from generate_series(0, ${blocks} - 1) as block, generate_series(1, 2) as place`
}

/** A number that the planner shall see: for a limit that it does not know it would expect a tenth of all rows. */
function literal(value: number): Sql {
  return raw(String(value))
}
