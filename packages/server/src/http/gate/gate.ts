// What every request passes before its body is read, in the order of the rulings: who, enabled, rate, scope.
import { type Environment, environments, includesScope, type Scope } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, badRequest, forbidden, notFound, unavailable } from '../../store/api-error.js'
import type { Endpoint } from '../endpoint.js'
import { uuidPattern } from '../wire-formats.js'
import { hashKey, hashTextOf } from './api-keys.js'
import { type AuthenticatedCaller, type Directory, keyOf, requireEnabled, unauthorized } from './authenticate.js'
import { createFailureLimiter, type FailureLimiter } from './failure-limiter.js'
import { IssuerUnavailable } from './issuer-keys.js'
import type { Buckets, Limit, Taken } from './rate-limit.js'
import { isSameOrigin, readCookie, SESSION_COOKIE, type SessionVerifier } from './session.js'
import { isSecret, type UserSession, type UserSessions } from './user-sessions.js'

export interface GateOptions {
  readonly directory: Directory
  readonly buckets: Buckets
  /** Reads the tokens of an issuer, where one is set. */
  readonly sessions: SessionVerifier | undefined
  /** Those who signed in here. */
  readonly users: UserSessions
  readonly limits: { readonly read: Limit; readonly write: Limit; readonly items: Limit }
  readonly publicUrl: () => string
}

/** What an endpoint asks of whoever comes. */
export interface Needs extends Pick<Endpoint, 'scope' | 'platformScope' | 'raisedScope' | 'isOrganizationWide'> {
  /** A key alone opens it: whoever has a session cookie and no key is refused. */
  readonly isForKeys?: true
  /** What it spends, where its method does not tell. */
  readonly spends?: 'read'
}

export interface Gate {
  /** At once where nothing has to be asked: a key seen before, and limits in memory. */
  (request: FastifyRequest, reply: FastifyReply, endpoint: Needs): AuthenticatedCaller | Promise<AuthenticatedCaller>
  /**
   * Asks again for a request that was let in and goes on. Only a clear no counts: a database that is away says nothing
   * about a key.
   */
  isStillAllowed(request: FastifyRequest, needs: Needs): Promise<boolean>
  /** Takes as many items from the tenant's bucket of items, or refuses all. */
  spendItems(known: AuthenticatedCaller, items: number): Promise<void>
  /** For our own pages: who is signed in, if anyone. */
  visitor(request: FastifyRequest): Promise<UserSession | undefined>
  /** Somebody who is signed in, whatever the organization. */
  user(request: FastifyRequest, reply: FastifyReply): Promise<UserSession>
  /** For a path that is a credential: lets in an address that has not guessed too often, at the pace of one path. */
  letInByPath(request: FastifyRequest): Promise<void>
  /** The path was no credential: counts a failed authentication, and refuses it. */
  refusePath(request: FastifyRequest, error: ApiError): never
}

/** Programs ask for a path every few minutes; many may share it. */
const pathLimit: Limit = { sustained: 1, burst: 20 }
const reads = new Set(['GET', 'HEAD'])
export const kindOf = ({ method }: FastifyRequest) => (reads.has(method) ? 'read' : 'write')

export function createGate(options: GateOptions): Gate {
  const failures = createFailureLimiter()
  const letIn: (...request: Parameters<Gate>) => ReturnType<Gate> = (request, reply, needs) =>
    andThen(identify(options, failures, request, true, needs.isForKeys), (holder) => {
      const known = requireEnabled(holder)
      request.known = known
      environmentOf(request)
      return andThen(spend(options, reply, known, needs.spends ?? kindOf(request)), () => {
        requireScope(known.scope, needs.raisedScope?.(known) ?? needs.scope)
        if (needs.isOrganizationWide && kindOf(request) === 'write') requireWholeOrganization(known)
        return known
      })
    })
  return Object.assign(letIn, {
    isStillAllowed: (request: FastifyRequest, { scope }: Needs) =>
      isNotRefused(async () => {
        const known = requireEnabled(await identify(options, failures, request, false))
        requireScope(known.scope, scope)
        // Whoever follows an organization that has moved comes again, and follows it where it is.
        if (known.shard !== request.known?.shard) throw notFound()
      }),
    async spendItems({ tenantId, limits }: AuthenticatedCaller, items: number) {
      const limit = limits.items ?? options.limits.items
      refuseSpent(await options.buckets.take(`${tenantId}:items`, limit, Date.now(), items), 'item')
    },
    async visitor(request: FastifyRequest) {
      if (!reads.has(request.method)) requireSameOrigin(options, request)
      const kind = kindOf(request)
      refuseSpent(await options.buckets.take(`visitor:${request.ip}:${kind}`, options.limits[kind], Date.now()), kind)
      const value = sessionValue(request)
      const now = new Date()
      const session = value === undefined ? undefined : await options.users.find(value, now)
      if (session) options.users.noteUse(session, now)
      return session
    },
    async user(request: FastifyRequest, reply: FastifyReply) {
      if (request.headers.authorization !== undefined) {
        await letIn(request, reply, { scope: 'any' })
        throw forbidden('session', 'This is about a signed-in user; a key has nothing to do here')
      }
      const value = sessionValue(request)
      const now = new Date()
      const session =
        value === undefined
          ? undefined
          : await findFamiliar(options, failures, request, value, (users) => users.find(value, now))
      if (session === undefined) return failures.refuse(request.ip, unauthorized(), now)
      if (!reads.has(request.method)) requireSameOrigin(options, request)
      await spendAs(options, reply, `user:${session.userId}`, kindOf(request), options.limits[kindOf(request)])
      options.users.noteUse(session, now)
      return session
    },
    async letInByPath({ ip, url }: FastifyRequest) {
      failures.refuseFlood(ip, new Date())
      // By its hash, because buckets may be kept where others can read them.
      const [path = ''] = url.split('?')
      refuseSpent(
        await options.buckets.take(`path:${hashKey(path).toString('base64url')}`, pathLimit, Date.now()),
        'read',
      )
    },
    refusePath: ({ ip }: FastifyRequest, error: ApiError) => failures.refuse(ip, error, new Date()),
  })
}

/** Only a clear no counts. */
export async function isNotRefused(ask: () => Promise<void>): Promise<boolean> {
  try {
    await ask()
    return true
  } catch (error) {
    return !(error instanceof ApiError && [401, 403, 404].includes(error.status))
  }
}

/** Goes on at once with what is there already: every request passes here, and almost none has to wait. */
function andThen<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

function identify(
  options: GateOptions,
  failures: FailureLimiter,
  request: FastifyRequest,
  isUse: boolean,
  isForKeys = false,
): AuthenticatedCaller | undefined | Promise<AuthenticatedCaller | undefined> {
  const { authorization, cookie } = request.headers
  if (authorization === undefined && cookie !== undefined && !isForKeys) {
    const value = sessionValue(request)
    if (value !== undefined) return identifyMember(options, failures, request, value, isUse)
    if (options.sessions) return identifySession(options, options.sessions, failures, request)
  }
  const now = new Date()
  const key = keyOf(authorization)
  if (key instanceof ApiError) return failures.refuse(request.ip, key, now)
  const hash = hashTextOf(key)
  return options.directory.remembered(hash, now) ?? lookUp(options, failures, request.ip, hash, now)
}

async function lookUp(
  { directory }: GateOptions,
  failures: FailureLimiter,
  address: string,
  hash: string,
  now: Date,
): Promise<AuthenticatedCaller> {
  // A key that was good before is no guess, so a flood from its address does not keep it out.
  if (!directory.isFamiliar(hash)) failures.refuseFlood(address, now)
  return (await directory.byKey(hash, now)) ?? failures.refuse(address, unauthorized(), now)
}

async function identifySession(
  options: GateOptions,
  sessions: SessionVerifier,
  failures: FailureLimiter,
  request: FastifyRequest,
): Promise<AuthenticatedCaller | undefined> {
  const session = await sessions.verify(request.headers.cookie).catch((error: unknown) => {
    throw error instanceof IssuerUnavailable ? unavailable('The identity provider is away; try again', 2) : error
  })
  if (session === undefined) return failures.refuse(request.ip, unauthorized(), new Date())
  if (!reads.has(request.method)) requireSameOrigin(options, request)
  const known = await options.directory.byOrganization(session.organizationId, environmentOf(request))
  return known && { ...known, scope: session.scope, actor: { type: 'user', id: session.userId } }
}

/** The value of a session that began here; undefined for no cookie, and for an issuer's token. */
function sessionValue({ headers }: FastifyRequest): string | undefined {
  const value = readCookie(headers.cookie, SESSION_COOKIE)
  return value !== undefined && isSecret(value) ? value : undefined
}

/** A user as a member of the organization that the request names. */
async function identifyMember(
  options: GateOptions,
  failures: FailureLimiter,
  request: FastifyRequest,
  value: string,
  isUse: boolean,
): Promise<AuthenticatedCaller> {
  const now = new Date()
  const { 'x-parley-organization': organization, 'x-parley-environment': environment } = request.headers
  const organizationId = typeof organization === 'string' && uuidPattern.test(organization) ? organization : NOBODY
  const asked = environments.find((one) => one === environment) ?? 'production'
  const visit = await findFamiliar(options, failures, request, value, (users) =>
    users.visit(value, organizationId.toLowerCase(), asked, now),
  )
  if (visit === undefined) return failures.refuse(request.ip, unauthorized(), now)
  if (!reads.has(request.method)) requireSameOrigin(options, request)
  if (organization === undefined) throw badRequest('X-Parley-Organization', 'is required with a session', 'header')
  if (environment === undefined) throw badRequest('X-Parley-Environment', 'is required with a session', 'header')
  environmentOf(request)
  if (visit.caller === undefined) throw new ApiError('not_found', 'No such organization, or you are no member of it')
  if (isUse) options.users.noteUse(visit.session, now)
  return visit.caller
}

/** What is no organization's id is no organization. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** As with keys: a session that was good before is no guess, so a flood from its address does not keep it out. */
async function findFamiliar<T>(
  { users }: GateOptions,
  failures: FailureLimiter,
  request: FastifyRequest,
  value: string,
  find: (users: UserSessions) => Promise<T | undefined>,
): Promise<T | undefined> {
  if (!users.isFamiliar(value)) failures.refuseFlood(request.ip, new Date())
  return find(users)
}

function requireSameOrigin({ publicUrl }: GateOptions, { headers }: FastifyRequest): void {
  if (!isSameOrigin(headers, publicUrl()))
    throw forbidden('cross_origin', 'Writes by session cookie must come from the same origin')
}

function requireWholeOrganization({ actor, environment }: AuthenticatedCaller): void {
  if (actor.type === 'key' && environment !== 'production')
    throw forbidden('live_key', 'This belongs to the whole organization: use a live key, or sign in')
}

/**
 * The environment that a session acts on. A key has its own, and whatever it sends here must at least be the name of
 * one.
 */
function environmentOf({ headers }: FastifyRequest): Environment {
  const asked = headers['x-parley-environment']
  if (asked === undefined) return 'production'
  const environment = environments.find((one) => one === asked)
  if (environment === undefined)
    throw badRequest('X-Parley-Environment', `must be ${environments.join(' or ')}`, 'header')
  return environment
}

/**
 * Whoever comes by cookie has a bucket of their own: people do not spend what programs need, nor the other way round.
 */
function spend(
  options: GateOptions,
  reply: FastifyReply,
  { actor, tenantId, limits }: AuthenticatedCaller,
  kind: 'read' | 'write',
): void | Promise<void> {
  return actor.type === 'user'
    ? spendAs(options, reply, `user:${actor.id}`, kind, options.limits[kind])
    : spendAs(options, reply, tenantId, kind, limits[kind] ?? options.limits[kind])
}

export function spendAs(
  { buckets }: Pick<GateOptions, 'buckets'>,
  reply: FastifyReply,
  who: string,
  kind: 'read' | 'write',
  limit: Limit,
): void | Promise<void> {
  return andThen(buckets.take(`${who}:${kind}`, limit, Date.now()), (taken) => {
    reply
      .header('x-ratelimit-limit', taken.limit)
      .header('x-ratelimit-remaining', taken.remaining)
      .header('x-ratelimit-reset', taken.resetAt)
    refuseSpent(taken, kind)
  })
}

function refuseSpent({ allowed, retryAfter }: Taken, kind: 'read' | 'write' | 'item'): void {
  if (allowed) return
  throw new ApiError('rate_limited', `Too many ${kind}s; wait ${retryAfter} s`, undefined, {
    'retry-after': String(retryAfter),
  })
}

function requireScope(held: Scope, needed: Endpoint['scope']): void {
  if (needed === 'any' || needed === 'none' || needed === 'user' || includesScope(held, needed)) return
  throw forbidden('scope', `This needs a key with scope ${needed}`, { requiredScope: needed })
}
