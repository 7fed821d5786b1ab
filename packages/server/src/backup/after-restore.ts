// What must not live on in a restored database: sessions and links that were ended or used since, and maybe keys. Which
// keys are alive in it is told, because some of them may have been revoked since.
import type pg from 'pg'

export interface LivingKey {
  readonly id: string
  readonly organization: string
  readonly environment: string
  readonly name: string
  readonly scope: string
  /** How it begins and ends. */
  readonly key: string
  readonly lastUsedAt: string | null
}

export interface Ended {
  readonly sessions: number
  readonly links: number
}

/** Sessions, and links that sign in, invite or reset a password. */
export async function endSessions(client: pg.ClientBase): Promise<Ended> {
  const sessions = await client.query('delete from user_sessions')
  const links = await client.query('delete from one_time_links where used_at is null')
  return { sessions: sessions.rowCount ?? 0, links: links.rowCount ?? 0 }
}

const KEYS_MAX = 10_000
const isAlive = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > now())'

/** Those of organizations, and those of the platform, which belong to none. */
export async function livingKeys(client: pg.ClientBase): Promise<LivingKey[]> {
  const { rows } = await client.query<Omit<LivingKey, 'lastUsedAt'> & { last_used_at: Date | null }>(
    `select k.id, o.name as organization, t.environment, k.name, k.scope, k.prefix || '…' || k.last4 as key,
        k.last_used_at
      from api_keys k join tenants t on t.id = k.tenant_id join organizations o on o.id = t.organization_id
      where ${isAlive}
    union all select k.id, '-', 'platform', k.name, array_to_string(k.scopes, ','), k.prefix || '…' || k.last4,
        k.last_used_at
      from platform_keys k where ${isAlive}
    order by organization, environment, id limit ${KEYS_MAX}`,
  )
  return rows.map(({ last_used_at, ...key }) => ({ ...key, lastUsedAt: last_used_at?.toISOString() ?? null }))
}

export async function revokeKeys(client: pg.ClientBase): Promise<number> {
  const ofOrganizations = await client.query(`update api_keys k set revoked_at = now() where ${isAlive}`)
  const ofPlatform = await client.query(`update platform_keys k set revoked_at = now() where ${isAlive}`)
  return (ofOrganizations.rowCount ?? 0) + (ofPlatform.rowCount ?? 0)
}
