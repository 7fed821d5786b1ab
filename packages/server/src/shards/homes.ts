// Which server an organization lives on, and whose a key is: the directory, on the server of DATABASE_URL.
import type { Database } from '../database/pool.js'
import { sql } from '../database/sql.js'
import type { LivesHere } from '../store/commit.js'
import { MAIN, type Shard, type Shards } from './shards.js'

/** Where an organization lives. */
export async function homeOf(directory: Database, organizationId: string): Promise<string> {
  const [row] = await directory.read<[string]>(
    sql`select shard from organization_homes where organization_id = ${organizationId}`,
  )
  return row?.[0] ?? MAIN
}

const onMain: LivesHere = {
  tenant: (id) => sql`not exists (select from tenants t
    join organization_homes h on h.organization_id = t.organization_id where t.id = ${id} and h.shard <> ${MAIN})`,
  organization: (id) =>
    sql`not exists (select from organization_homes h where h.organization_id = ${id} and h.shard <> ${MAIN})`,
}

/** The rows of those who have left are gone. */
const elsewhere: LivesHere = {
  tenant: (id) => sql`exists (select from tenants t where t.id = ${id})`,
  organization: (id) => sql`exists (select from organizations o where o.id = ${id})`,
}

/** How a statement asks who lives on a server; undefined where there is only one. */
export const isHereOf = ({ all }: Shards, { name }: Shard): LivesHere | undefined =>
  all.length === 1 ? undefined : name === MAIN ? onMain : elsewhere

/**
 * Whether what was read on a server before this is asked was true there: the organization has not opened on another
 * one. The server itself is asked, so that nobody waits for a directory that is away.
 */
export async function isStillAt({ name, database }: Shard, organizationId: string): Promise<boolean> {
  const { organization } = name === MAIN ? onMain : elsewhere
  const rows = await database.read(sql`select 1 where ${organization(sql`${organizationId}::uuid`)}
    and not exists (select from moving_organizations where organization_id = ${organizationId}
      and state in ('gone', 'arriving'))`)
  return rows.length > 0
}

/** Which of these organizations live on other servers than the directory, by the database there. */
export async function homesElsewhere(
  shards: Shards,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<Database, readonly string[]>> {
  const rows = await shards.main.database.read<[string, string]>(sql`select shard, organization_id
    from organization_homes where organization_id = any (${organizationIds}::uuid[]) and shard <> ${MAIN}`)
  const found = new Map<Database, string[]>()
  for (const [name, id] of rows) {
    const { database } = shards.named(name)
    found.set(database, [...(found.get(database) ?? []), id])
  }
  return found
}

/** Where the organization of a key lives; undefined when the directory has not heard of the key. */
export async function homeOfKey(directory: Database, hash: string): Promise<string | undefined> {
  const [row] = await directory.read<[string | null]>(sql`
    select h.shard from key_homes k left join organization_homes h on h.organization_id = k.organization_id
    where k.hash = ${Buffer.from(hash, 'base64')}`)
  return row && (row[0] ?? MAIN)
}

/** Writes down whose keys these are. */
export async function registerKeys(
  directory: Database,
  organizationId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await directory.query(sql`insert into key_homes (hash, organization_id)
    select hash, ${organizationId}::uuid from unnest(${hashes}::bytea[]) hash on conflict do nothing`)
}

/**
 * The server of a key, whatever the directory knows: each is asked. A server that does not answer may have it, so then
 * nobody can say that there is no such key.
 */
export async function searchKey(shards: Shards, hash: string): Promise<string | undefined> {
  const asked = await Promise.allSettled(shards.all.map((shard) => ownerOfKey(shard, hash)))
  for (const [index, answer] of asked.entries()) {
    const shard = shards.all[index]
    if (answer.status === 'rejected' || answer.value === undefined || shard === undefined) continue
    if (shard !== shards.main)
      await registerKeys(shards.main.database, answer.value, [Buffer.from(hash, 'base64')]).catch(() => undefined)
    return shard.name
  }
  const failed = asked.find((answer) => answer.status === 'rejected')
  if (failed) throw failed.reason
  return undefined
}

async function ownerOfKey({ database }: Shard, hash: string): Promise<string | undefined> {
  const [row] = await database.read<[string]>(sql`
    select t.organization_id from api_keys k join tenants t on t.id = k.tenant_id
    where k.hash = ${Buffer.from(hash, 'base64')} and k.revoked_at is null`)
  return row?.[0]
}

/** The server with the least in it, of those that answer: where a new organization goes. */
export async function roomiestShard(shards: Shards): Promise<Shard> {
  if (shards.all.length === 1) return shards.main
  const sizes = await Promise.all(
    shards.all.map(async (shard) => {
      const [row] = await shard.database
        .read<[number]>(sql`select pg_database_size(current_database())`)
        .catch(() => [undefined])
      return { shard, bytes: row?.[0] ?? Number.POSITIVE_INFINITY }
    }),
  )
  return sizes.reduce((best, one) => (one.bytes < best.bytes ? one : best)).shard
}

/** From now on the organization lives there. */
export async function settleIn(directory: Database, organizationId: string, shard: string): Promise<void> {
  await directory.query(sql`insert into organization_homes (organization_id, shard)
    values (${organizationId}, ${shard}) on conflict (organization_id) do update set shard = excluded.shard`)
}
