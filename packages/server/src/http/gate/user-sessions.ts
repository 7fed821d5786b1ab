// Sessions of people who signed in here: an opaque value in the `__session` cookie, kept as its hash. Each request
// looks its session up, so that one that was ended is refused everywhere at once. How a session begins is for others.
import { hash, randomBytes } from 'node:crypto'
import { defaultSettings, type Environment, type Role, scopeOfRole, type TenantSettings } from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { sql } from '../../database/sql.js'
import type { AuthenticatedCaller } from './authenticate.js'

/** A signed-in user, whatever the organization. */
export interface UserSession {
  readonly id: string
  readonly userId: string
}

/** What a session finds where an organization is named. */
export interface Visit {
  readonly session: UserSession
  /** Undefined where the user is no member, or there is no such organization. */
  readonly caller: AuthenticatedCaller | undefined
}

export interface UserSessions {
  /** Whether this value was a good session here before: to look it up again is no guess. */
  isFamiliar(value: string): boolean
  find(value: string, now: Date): Promise<UserSession | undefined>
  visit(value: string, organizationId: string, environment: Environment, now: Date): Promise<Visit | undefined>
  /** Notes that a session was used, so that it does not lapse. */
  noteUse(session: UserSession, at: Date): void
  start(): void
  stop(): Promise<void>
}

export interface UserSessionOptions {
  readonly database: Database
  /** A session that is not used for so long is over. */
  readonly idleMs: number
  readonly onTrouble: (error: Error) => void
}

/** A value that only its holder knows, and the hash that is kept of it. */
export interface MintedSecret {
  readonly value: string
  readonly hash: Buffer
}

const SECRET_BYTES = 32
const FAMILIAR_MAX = 10_000
const FLUSH_MS = 5_000
const pattern = /^[A-Za-z0-9_-]{43}$/

export function mintSecret(): MintedSecret {
  const value = randomBytes(SECRET_BYTES).toString('base64url')
  return { value, hash: hashSecret(value) }
}

export const hashSecret = (value: string): Buffer => hash('sha256', value, 'buffer')
/** Not that of an issuer's token, which has dots. */
export const isSecret = (value: string): boolean => pattern.test(value)

export function createUserSessions({ database, idleMs, onTrouble }: UserSessionOptions): UserSessions {
  const familiar = new Set<string>()
  const used = new Map<string, Date>()
  let timer: NodeJS.Timeout | undefined
  const remember = (value: string) => {
    if (familiar.size >= FAMILIAR_MAX) familiar.clear()
    familiar.add(hashSecret(value).toString('base64'))
  }
  const flush = async () => {
    const uses = [...used]
    used.clear()
    if (uses.length > 0)
      await database.query(sql`update user_sessions s set last_used_at = greatest(s.last_used_at, u.at)
        from unnest(${uses.map(([id]) => id)}::uuid[], ${uses.map(([, at]) => at)}::timestamptz[]) u (id, at)
        where s.id = u.id`)
  }
  const known = <T>(value: string, found: T | undefined): T | undefined => {
    if (found !== undefined) remember(value)
    return found
  }
  return {
    isFamiliar: (value) => familiar.has(hashSecret(value).toString('base64')),
    find: async (value, now) => known(value, await findSession(database, value, now, idleMs)),
    visit: async (value, ...where) => known(value, await findVisit(database, value, where, idleMs)),
    noteUse: ({ id }, at) => void used.set(id, at),
    start() {
      timer = setInterval(() => flush().catch(onTrouble), Math.min(FLUSH_MS, idleMs / 4)).unref()
    },
    async stop() {
      clearInterval(timer)
      await flush().catch(onTrouble)
    },
  }
}

const isLive = (value: string, now: Date, idleMs: number) =>
  sql`s.hash = ${hashSecret(value)} and s.expires_at > ${now}::timestamptz
    and s.last_used_at > ${new Date(now.getTime() - idleMs)}::timestamptz`

async function findSession(
  database: Database,
  value: string,
  now: Date,
  idleMs: number,
): Promise<UserSession | undefined> {
  const [row] = await database.read<[string, string]>(
    sql`select s.id, s.user_id from user_sessions s where ${isLive(value, now, idleMs)}`,
  )
  return row && { id: row[0], userId: row[1] }
}

type VisitRow =
  | [string, string, Role, string, string, TenantSettings, boolean, Date, AuthenticatedCaller['limits']]
  | [string, string, null]

async function findVisit(
  database: Database,
  value: string,
  [organizationId, environment, now]: [string, Environment, Date],
  idleMs: number,
): Promise<Visit | undefined> {
  const [row] = await database.read<VisitRow>(sql`
    select s.id, s.user_id, m.role, t.id, o.name, t.settings, o.api_enabled, s.expires_at, o.limits
    from user_sessions s
    left join (memberships m join organizations o on o.id = m.organization_id
        join tenants t on t.organization_id = o.id and t.environment = ${environment})
      on m.user_id = s.user_id and m.organization_id = ${organizationId}
    where ${isLive(value, now, idleMs)}`)
  if (row === undefined) return undefined
  const [id, userId] = row
  if (row[2] === null) return { session: { id, userId }, caller: undefined }
  const [, , role, tenantId, organizationName, settings, apiEnabled, expiresAt, limits] = row
  const caller: AuthenticatedCaller = {
    tenantId,
    organizationId,
    organizationName,
    environment,
    scope: scopeOfRole[role],
    apiEnabled,
    expiresAt,
    limits,
    actor: { type: 'user', id: userId },
    settings: { ...defaultSettings, ...settings },
  }
  return { session: { id, userId }, caller }
}
