// What every request passes before its body is read, in the order of the rulings: who, enabled, rate, scope.
import { type Environment, environments, includesScope, type Scope } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, badRequest, forbidden, unavailable } from '../../store/api-error.js'
import type { Endpoint } from '../endpoint.js'
import { hashKey } from './api-keys.js'
import { type AuthenticatedCaller, type Directory, keyOf, requireEnabled, unauthorized } from './authenticate.js'
import { IssuerUnavailable } from './issuer-keys.js'
import { type Buckets, type Limit, memoryBuckets, type Taken } from './rate-limit.js'
import { isSameOrigin, type SessionVerifier } from './session.js'

export interface GateOptions {
  readonly directory: Directory
  readonly buckets: Buckets
  readonly sessions: SessionVerifier | undefined
  readonly limits: { readonly read: Limit; readonly write: Limit }
  readonly publicUrl: () => string
}

export interface Gate {
  /** At once where nothing has to be asked: a key seen before, and limits in memory. */
  (
    request: FastifyRequest,
    reply: FastifyReply,
    needed: Endpoint['scope'],
    raised?: Endpoint['raisedScope'],
  ): AuthenticatedCaller | Promise<AuthenticatedCaller>
  /**
   * Asks again for a request that was let in and goes on. Only a clear no counts: a database that is away says nothing
   * about a key.
   */
  isStillAllowed(request: FastifyRequest, needed: Endpoint['scope']): Promise<boolean>
  /** For a path that is a credential: lets in an address that has not guessed too often, at the pace of one path. */
  letInByPath(request: FastifyRequest): Promise<void>
  /** The path was no credential: counts a failed authentication, and refuses it. */
  refusePath(request: FastifyRequest, error: ApiError): never
}

const failureLimit: Limit = { sustained: 20, burst: 40 }
/** Programs ask for a path every few minutes; many may share it. */
const pathLimit: Limit = { sustained: 1, burst: 20 }
const reads = new Set(['GET', 'HEAD'])

export function createGate(options: GateOptions): Gate {
  const failures = createFailureLimiter()
  const letIn: (...request: Parameters<Gate>) => ReturnType<Gate> = (request, reply, needed, raised) =>
    andThen(identify(options, failures, request), (holder) => {
      const known = requireEnabled(holder)
      environmentOf(request)
      return andThen(spend(options, reply, known, reads.has(request.method) ? 'read' : 'write'), () => {
        requireScope(known.scope, raised?.(known) ?? needed)
        return known
      })
    })
  return Object.assign(letIn, {
    async isStillAllowed(request: FastifyRequest, needed: Endpoint['scope']) {
      try {
        requireScope(requireEnabled(await identify(options, failures, request)).scope, needed)
        return true
      } catch (error) {
        return !(error instanceof ApiError && [401, 403].includes(error.status))
      }
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

/** Goes on at once with what is there already: every request passes here, and almost none has to wait. */
function andThen<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

function identify(
  options: GateOptions,
  failures: FailureLimiter,
  request: FastifyRequest,
): AuthenticatedCaller | undefined | Promise<AuthenticatedCaller | undefined> {
  const { authorization, cookie } = request.headers
  if (authorization === undefined && cookie !== undefined && options.sessions)
    return identifySession(options, options.sessions, failures, request)
  const now = new Date()
  const key = keyOf(authorization)
  if (key instanceof ApiError) return failures.refuse(request.ip, key, now)
  const hash = hashKey(key).toString('base64')
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
  if (!reads.has(request.method) && !isSameOrigin(request.headers, options.publicUrl())) {
    throw forbidden('cross_origin', 'Writes by session cookie must come from the same origin')
  }
  const known = await options.directory.byOrganization(session.organizationId, environmentOf(request))
  return known && { ...known, scope: session.scope, actor: { type: 'user', id: session.userId } }
}

/**
 * The environment that a session acts on. A key has its own, and whatever it sends here must at least be the name of
 * one.
 */
function environmentOf({ headers }: FastifyRequest): Environment {
  const { 'x-parley-environment': asked = 'production' } = headers
  const environment = environments.find((one) => one === asked)
  if (environment === undefined)
    throw badRequest('X-Parley-Environment', `must be ${environments.join(' or ')}`, 'header')
  return environment
}

function spend(
  { buckets, limits }: GateOptions,
  reply: FastifyReply,
  known: AuthenticatedCaller,
  kind: 'read' | 'write',
): void | Promise<void> {
  const limit = known.limits[kind] ?? limits[kind]
  return andThen(buckets.take(`${known.tenantId}:${kind}`, limit, Date.now()), (taken) => {
    reply
      .header('x-ratelimit-limit', taken.limit)
      .header('x-ratelimit-remaining', taken.remaining)
      .header('x-ratelimit-reset', taken.resetAt)
    refuseSpent(taken, kind)
  })
}

function refuseSpent({ allowed, retryAfter }: Taken, kind: 'read' | 'write'): void {
  if (allowed) return
  throw new ApiError('rate_limited', `Too many ${kind}s; wait ${retryAfter} s`, undefined, {
    'retry-after': String(retryAfter),
  })
}

function requireScope(held: Scope, needed: Endpoint['scope']): void {
  if (needed === 'any' || needed === 'none' || includesScope(held, needed)) return
  throw forbidden('scope', `This needs a key with scope ${needed}`, { requiredScope: needed })
}

interface FailureLimiter {
  /** Refuses an address that has failed too often lately, before anything is looked up for it. */
  refuseFlood(address: string, now: Date): void
  /** Counts a failure and refuses it. */
  refuse(address: string, error: ApiError, now: Date): never
}

const BLOCKED_MAX = 10_000

function createFailureLimiter(): FailureLimiter {
  const buckets = memoryBuckets()
  const blockedUntilMs = new Map<string, number>()
  const refuseFlood = (address: string, now: Date) => {
    const until = blockedUntilMs.get(address)
    if (until === undefined) return
    if (until > now.getTime())
      throw new ApiError('rate_limited', 'Too many failed authentications from this address', undefined, {
        'retry-after': '1',
      })
    blockedUntilMs.delete(address)
  }
  return {
    refuseFlood,
    refuse(address, error, now) {
      refuseFlood(address, now)
      if (buckets.take(address, failureLimit, now.getTime()).remaining === 0) {
        if (blockedUntilMs.size >= BLOCKED_MAX) blockedUntilMs.clear()
        blockedUntilMs.set(address, now.getTime() + 1_000 / failureLimit.sustained)
      }
      throw error
    },
  }
}
