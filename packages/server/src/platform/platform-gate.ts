// Who may use the platform API: holders of a platform key, by Bearer and never by cookie. Each key is looked up at each
// request, so that one that was revoked is refused everywhere at once.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/pool.js'
import { hashKey, isPlatformKey } from '../http/gate/api-keys.js'
import { type AuthenticatedCaller, keyOf } from '../http/gate/authenticate.js'
import { createFailureLimiter } from '../http/gate/failure-limiter.js'
import { type Gate, isNotRefused, kindOf, type Needs, spendAs } from '../http/gate/gate.js'
import type { Buckets, Limit } from '../http/gate/rate-limit.js'
import { uuidPattern } from '../http/wire-formats.js'
import { ApiError, forbidden } from '../store/api-error.js'
import { platformCaller } from '../store/caller.js'
import { findPlatformKey, hasPlatformKeys, type LivePlatformKey, notePlatformKeyUse } from './platform-keys.js'

export interface PlatformGateParts {
  readonly database: Database
  readonly buckets: Buckets
  /** Of each key, for reads and for writes. */
  readonly limit: Limit
  /** The gate of the API, for what endpoints of the platform do not have. */
  readonly gate: Gate
  readonly onTrouble: (error: Error) => void
  /** The server that an organization lives on, where there are several. */
  readonly homeOf?: ((organizationId: string) => Promise<string>) | undefined
}

export interface PlatformGate extends Gate {
  /** Refuses everybody as if there were no such path, while there is no key that works. */
  requireKeys(): Promise<void>
}

const USE_NOTED_MS = 60_000
const KEYS_TRUSTED_MS = 250
const FAMILIAR_MAX = 1_000

const unauthorized = (): ApiError =>
  new ApiError('unauthorized', 'Send a valid platform key as Authorization: Bearer pk_…', undefined, {
    'www-authenticate': 'Bearer',
  })

export function createPlatformGate(parts: PlatformGateParts): PlatformGate {
  const { database, buckets, limit, gate, onTrouble, homeOf } = parts
  const failures = createFailureLimiter()
  const familiar = new Set<string>()
  const notedAtMs = new Map<string, number>()
  let asked: { readonly atMs: number; readonly haveKeys: Promise<boolean> } | undefined

  function noteUse({ id }: LivePlatformKey, now: Date): void {
    if (now.getTime() - (notedAtMs.get(id) ?? 0) < USE_NOTED_MS) return
    if (notedAtMs.size >= FAMILIAR_MAX) notedAtMs.clear()
    notedAtMs.set(id, now.getTime())
    notePlatformKeyUse(database, id, now).catch(onTrouble)
  }

  async function identify({ headers, ip }: FastifyRequest): Promise<LivePlatformKey> {
    const now = new Date()
    const given = keyOf(headers.authorization, isPlatformKey, unauthorized)
    if (given instanceof ApiError) return failures.refuse(ip, given, now)
    const hash = hashKey(given)
    const name = hash.toString('base64')
    // A key that was good before is no guess, so a flood from its address does not keep it out.
    if (!familiar.has(name)) failures.refuseFlood(ip, now)
    const key = await findPlatformKey(database, hash, now)
    if (key === undefined) return failures.refuse(ip, unauthorized(), now)
    if (familiar.size >= FAMILIAR_MAX) familiar.clear()
    familiar.add(name)
    noteUse(key, now)
    return key
  }

  const letIn = async (request: FastifyRequest, reply: FastifyReply, needs: Needs): Promise<AuthenticatedCaller> => {
    const key = await identify(request)
    const known = {
      ...platformCaller({ type: 'key', id: key.id }),
      apiEnabled: true,
      expiresAt: key.expiresAt,
      limits: {},
    }
    request.known = known
    const kind = kindOf(request)
    await spendAs({ buckets }, reply, `platform:${key.id}`, kind, limit)
    requireScope(key, needs)
    const organizationId = homeOf && organizationOf(request)
    if (homeOf === undefined || organizationId === undefined) return known
    request.known = { ...known, aboutOrganizationId: organizationId, shard: await homeOf(organizationId) }
    return request.known
  }
  const { spendItems, visitor, user, letInByPath, refusePath } = gate
  return Object.assign(letIn, {
    isStillAllowed: (request: FastifyRequest, needs: Needs) =>
      isNotRefused(async () => requireScope(await identify(request), needs)),
    async requireKeys() {
      const atMs = Date.now()
      if (asked === undefined || atMs - asked.atMs > KEYS_TRUSTED_MS)
        asked = { atMs, haveKeys: hasPlatformKeys(database, new Date(atMs)) }
      if (!(await asked.haveKeys)) throw new ApiError('not_found', 'No such path')
    },
    spendItems,
    visitor,
    user,
    letInByPath,
    refusePath,
  })
}

/** The organization that the path names. */
function organizationOf({ routeOptions: { url = '' }, params }: FastifyRequest): string | undefined {
  const { id } = params as { id?: string }
  return url.includes('/organizations/:id') && id !== undefined && uuidPattern.test(id) ? id : undefined
}

function requireScope({ scopes }: LivePlatformKey, { platformScope }: Needs): void {
  if (platformScope === undefined || scopes.includes(platformScope)) return
  throw forbidden('scope', `This needs a platform key with scope ${platformScope}`, { requiredScope: platformScope })
}
