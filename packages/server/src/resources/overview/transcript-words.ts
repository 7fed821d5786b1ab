// Makes the words under which calls are found by what was said. The queue is written together with the segments, so
// that nothing is lost; any number of nodes may work on it.
import type { Database } from '../../database/pool.js'
import { type Sql, sql } from '../../database/sql.js'
import { searchText } from '../../store/search-words.js'

interface Due extends Record<string, unknown> {
  readonly tenant_id: string
  readonly call_id: string
  readonly changes: number
  readonly text: string | null
}

const batchMax = 20
/** A transcript of three hours. What is said after that is not searchable. */
const segmentsMax = 5_000

/** A transcript that is due, if there is one. */
export const findDueTranscript: Sql = sql`select from transcripts_due where due_at <= now() order by due_at limit 1`

/** One batch; true when there may be more. */
export async function indexTranscripts(database: Database): Promise<boolean> {
  // The lease lets others take what a node that died had begun.
  const due = await database.query<Due>(sql`
    with taken as (
      select tenant_id, call_id from transcripts_due where due_at <= now() order by due_at limit ${batchMax}
      for update skip locked
    ),
    leased as (
      update transcripts_due d set due_at = now() + interval '30 seconds' from taken t
      where d.tenant_id = t.tenant_id and d.call_id = t.call_id returning d.tenant_id, d.call_id, d.changes
    )
    select l.*, (select string_agg(s.text, ' ' order by s.sequence) from (
        select text, sequence from call_segments where tenant_id = l.tenant_id and call_id = l.call_id
        order by sequence limit ${segmentsMax}) s) as text
    from leased l`)
  if (due.length === 0) return false
  await keepWords(database, due)
  return due.length === batchMax
}

/** What was said meanwhile makes the call due again. */
async function keepWords(database: Database, due: readonly Due[]): Promise<void> {
  const column = <T>(value: (one: Due) => T) => due.map(value)
  const given = sql`unnest(${column(({ tenant_id }) => tenant_id)}::uuid[], ${column(({ call_id }) => call_id)}::uuid[],
    ${column(({ changes }) => changes)}::bigint[], ${column(({ text }) => searchText([text ?? '']))}::text[])
    as g (tenant_id, call_id, changes, words)`
  await database.query(sql`
    with kept as (
      insert into call_transcripts (tenant_id, id, search)
      select tenant_id, call_id, array_to_tsvector(string_to_array(words, ' ')) from ${given} order by 1, 2
      on conflict (tenant_id, id) do update set search = excluded.search
    ),
    done as (
      delete from transcripts_due d using ${given}
      where d.tenant_id = g.tenant_id and d.call_id = g.call_id and d.changes = g.changes
    )
    update transcripts_due d set due_at = now() + interval '3 seconds' from ${given}
    where d.tenant_id = g.tenant_id and d.call_id = g.call_id and d.changes <> g.changes`)
}
