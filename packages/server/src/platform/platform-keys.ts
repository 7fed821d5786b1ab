// Platform keys: made, listed, rotated and revoked on the database by the operator, and looked up at each request that
// comes with one. The key itself is shown once; only its hash is kept.
import type { PlatformScope } from '@parley/contract'
import type { Database } from '../database/pool.js'
import { type Sql, sql } from '../database/sql.js'
import { hashKey, mintPlatformKey } from '../http/gate/api-keys.js'
import { newId, timeOf } from '../store/id.js'

export interface PlatformKey {
  readonly id: string
  readonly name: string
  readonly scopes: readonly PlatformScope[]
  readonly prefix: string
  readonly last4: string
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
}

export interface MintedPlatformKey {
  readonly id: string
  readonly key: string
  readonly expiresAt: Date | null
}

/** What a key is asked for: what it may do, and until when. */
export interface PlatformKeyToMint {
  readonly name: string
  readonly scopes: readonly PlatformScope[]
  readonly expiresAt: Date | null
}

/** A key that works. */
export interface LivePlatformKey {
  readonly id: string
  readonly scopes: readonly PlatformScope[]
  readonly expiresAt: Date | null
}

const isLive = (now: Date): Sql => sql`revoked_at is null and (expires_at is null or expires_at > ${now}::timestamptz)`

export async function mintPlatformKeyFor(
  database: Database,
  { name, scopes, expiresAt }: PlatformKeyToMint,
  now: Date,
): Promise<MintedPlatformKey> {
  const { key, hash, prefix, last4 } = mintPlatformKey()
  const id = newId(now)
  await database.query(sql`insert into platform_keys (id, name, scopes, hash, prefix, last4, expires_at)
    values (${id}, ${name}, ${scopes}::text[], ${hash}, ${prefix}, ${last4}, ${expiresAt})`)
  return { id, key, expiresAt }
}

const LISTED_MAX = 1_000

/** Newest first. */
export async function listPlatformKeys(database: Database, isAll: boolean, now: Date): Promise<PlatformKey[]> {
  const rows = await database.query<{
    id: string
    name: string
    scopes: PlatformScope[]
    prefix: string
    last4: string
    expires_at: Date | null
    last_used_at: Date | null
    revoked_at: Date | null
  }>(sql`select id, name, scopes, prefix, last4, expires_at, last_used_at, revoked_at from platform_keys
    where ${isAll}::boolean or (${isLive(now)}) order by id desc limit ${LISTED_MAX}`)
  return rows.map(({ expires_at, last_used_at, revoked_at, ...rest }) => ({
    ...rest,
    createdAt: timeOf(rest.id).toISOString(),
    expiresAt: expires_at?.toISOString() ?? null,
    lastUsedAt: last_used_at?.toISOString() ?? null,
    revokedAt: revoked_at?.toISOString() ?? null,
  }))
}

/**
 * A new key with the scopes of an old one, which works until the grace period ends. One statement: there is no new key
 * without an end of the old one. Undefined when there is none that works.
 */
export async function rotatePlatformKey(
  database: Database,
  oldId: string,
  { graceMs, expiresAt }: { graceMs: number; expiresAt: Date | null },
  now: Date,
): Promise<MintedPlatformKey | undefined> {
  const { key, hash, prefix, last4 } = mintPlatformKey()
  const id = newId(now)
  const until = new Date(now.getTime() + graceMs)
  const rows = await database.query(sql`
    with old as (
      update platform_keys set expires_at = least(expires_at, ${until}::timestamptz)
      where id = ${oldId} and ${isLive(now)} returning name, scopes
    )
    insert into platform_keys (id, name, scopes, hash, prefix, last4, expires_at)
    select ${id}::uuid, name, scopes, ${hash}::bytea, ${prefix}, ${last4}, ${expiresAt}::timestamptz from old
    returning id`)
  return rows.length === 1 ? { id, key, expiresAt } : undefined
}

/** By its id or by itself; undefined when there is none that could be revoked. */
export async function revokePlatformKey(
  database: Database,
  wanted: { id: string } | { key: string },
  now: Date,
): Promise<{ id: string; name: string } | undefined> {
  const isWanted = 'id' in wanted ? sql`id = ${wanted.id}` : sql`hash = ${hashKey(wanted.key)}`
  const [revoked] = await database.query<{ id: string; name: string }>(
    sql`update platform_keys set revoked_at = ${now} where ${isWanted} and revoked_at is null returning id, name`,
  )
  return revoked
}

export async function findPlatformKey(
  database: Database,
  hash: Buffer,
  now: Date,
): Promise<LivePlatformKey | undefined> {
  const [row] = await database.read<[string, PlatformScope[], Date | null]>(
    sql`select id, scopes, expires_at from platform_keys where hash = ${hash} and ${isLive(now)}`,
  )
  return row && { id: row[0], scopes: row[1], expiresAt: row[2] }
}

export async function hasPlatformKeys(database: Database, now: Date): Promise<boolean> {
  const [row] = await database.read<[boolean]>(sql`select exists (select 1 from platform_keys where ${isLive(now)})`)
  return row?.[0] ?? false
}

export async function notePlatformKeyUse(database: Database, id: string, at: Date): Promise<void> {
  await database.query(
    sql`update platform_keys set last_used_at = greatest(last_used_at, ${at}::timestamptz) where id = ${id}`,
  )
}
