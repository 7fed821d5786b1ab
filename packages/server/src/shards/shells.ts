// The shell of an organization: its row and those of its tenants in the directory, which users and their roles refer
// to. What they say is true where the organization lives; the directory hears of it a few seconds later.
import type { Database } from '../database/pool.js'
import { type Sql, sql } from '../database/sql.js'
import type { Shard, Shards } from './shards.js'

/** What is known of an organization and its tenants, as rows in JSON, to be written to another server. */
export interface Shell {
  readonly organization: string
  readonly tenants: string
}

export async function readShell(database: Database, organizationId: string): Promise<Shell | undefined> {
  const [row] = await database.query<{ organization: string; tenants: string }>(sql`
    select row_to_json(o)::text as organization,
      (select json_agg(t order by t.id)::text from tenants t where t.organization_id = o.id) as tenants
    from organizations o where o.id = ${organizationId}`)
  return row
}

/** Makes the rows, or makes them say what the shell does. */
export const shellStatement = ({ organization, tenants }: Shell): Sql => sql`
    with organization as (
      insert into organizations select * from json_populate_record(null::organizations, ${organization})
      on conflict (id) do update set name = excluded.name, api_enabled = excluded.api_enabled, limits = excluded.limits)
    insert into tenants select * from json_populate_recordset(null::tenants, ${tenants})
      on conflict (id) do update set settings = excluded.settings, version = excluded.version,
        updated_at = excluded.updated_at`

export async function writeShell(database: Database, shell: Shell): Promise<void> {
  await database.query(shellStatement(shell))
}

const BATCH = 500

/** Tells the directory what changed on a server since a revision of its keys and organizations; returns the next. */
export async function refreshShells({ main }: Shards, shard: Shard, seen: number): Promise<number> {
  const { name, database } = shard
  const [row] = await database.read<[number]>(sql`select revision from auth_revision`)
  const revision = row?.[0] ?? seen
  if (revision === seen) return seen
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const changed = await database.query<{ id: string; shell: object }>(sql`
      select o.id, json_build_object('id', o.id, 'name', o.name, 'api_enabled', o.api_enabled, 'limits', o.limits)
        as shell
      from organizations o where o.id > ${after}
        and (${seen}::bigint < 0 or exists (
          select from auth_changes c where c.organization_id = o.id and c.revision > ${seen}::bigint))
      order by o.id limit ${BATCH}`)
    const told = JSON.stringify(changed.map(({ shell }) => shell))
    await main.database.query(sql`update organizations o
      set name = n.name, api_enabled = n.api_enabled, limits = n.limits
      from json_populate_recordset(null::organizations, ${told}) n
        join organization_homes h on h.organization_id = n.id and h.shard = ${name}
      where o.id = n.id and (o.name, o.api_enabled, o.limits::text) is distinct from
        (n.name, n.api_enabled, n.limits::text)`)
    after = changed.at(-1)?.id ?? after
    if (changed.length < BATCH) return revision
  }
}
