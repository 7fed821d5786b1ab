// Keeps a page within a number of bytes, whatever its rows hold and however they are ordered, before they leave the
// database.
import { raw, type Sql, sql } from '../database/sql.js'

/**
 * Wraps a statement of ordered rows of `columns` and `text`: the row that fills the page is its last, and the texts of
 * those after it are null. They are still rows, so that whoever asked for one more than a page sees that another
 * follows.
 */
export const withinBytes = (columns: string, text: string, rows: Sql, bytesMax: number): Sql =>
  sql`select ${raw(columns)}, case when bytes_before < ${bytesMax}::bigint then ${raw(text)} end as ${raw(text)} from (
    select *, coalesce(sum(octet_length(${raw(text)}))
        over (rows between unbounded preceding and 1 preceding), 0) as bytes_before
    from (${rows}) as ordered
  ) as counted`
