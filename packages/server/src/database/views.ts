// The views that are derived from the registry for analysts. They are replaced in place, so that what others built on
// them and were granted survives: columns keep their places, and new ones come at the end.
import type pg from 'pg'

export interface ViewColumn {
  readonly name: string
  readonly expression: string
  readonly type: string
}

export interface View {
  readonly schema: string
  readonly name: string
  readonly columns: readonly ViewColumn[]
  readonly from: string
}

/** The table that remembers them. */
export const DERIVED = 'derived_schema'

/** Views are replaced only when their text changed, so that starting a node locks nothing. */
export async function replaceViews(client: pg.ClientBase, views: readonly View[]): Promise<void> {
  if (views.length === 0) return
  await client.query(
    `create table if not exists ${DERIVED} (only_row boolean primary key default true check ` +
      '(only_row), text text not null)',
  )
  const { rows } = await client.query<{ text: string }>(`select text from ${DERIVED}`)
  const text = JSON.stringify(views)
  if (rows[0]?.text === text) return
  await client.query('begin')
  try {
    for (const schema of new Set(views.map((view) => view.schema)))
      await client.query(`create schema if not exists ${schema}`)
    for (const view of views) await client.query(replacement(view, await columnsOf(client, view)))
    await client.query(
      `insert into ${DERIVED} (text) values ($1) on conflict (only_row) do update set text = excluded.text`,
      [text],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

interface ExistingColumn {
  readonly name: string
  readonly type: string
}

async function columnsOf(client: pg.ClientBase, { schema, name }: View): Promise<ExistingColumn[]> {
  const { rows } = await client.query<ExistingColumn>(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a
     where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    [`${schema}.${name}`],
  )
  return rows
}

/**
 * Postgres replaces a view only if its columns keep their names, types and places. One that is no longer known stays,
 * empty.
 */
function replacement({ schema, name, columns, from }: View, existing: readonly ExistingColumn[]): string {
  const kept = existing.map((old) => {
    const now = columns.find((column) => column.name === old.name)
    return `${now ? `(${now.expression})::${old.type}` : `null::${old.type}`} as "${old.name}"`
  })
  const added = columns
    .filter((column) => !existing.some((old) => old.name === column.name))
    .map(({ name: column, expression, type }) => `(${expression})::${type} as "${column}"`)
  return `create or replace view ${schema}.${name} as select ${[...kept, ...added].join(', ')} from ${from}`
}
