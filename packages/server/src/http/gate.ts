// What every request passes before its body is read, in the order of the rulings: who, enabled, rate, scope.
import { type Environment, includesScope, type Scope } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, forbidden, unavailable } from '../store/api-error.js'
import { hashKey } from './api-keys.js'
import { type Directory, type Known, keyOf, requireEnabled, unauthorized } from './authenticate.js'
import type { Endpoint } from './endpoint.js'
import { IssuerUnavailable } from './issuer-keys.js'
import { type Buckets, type Limit, memoryBuckets } from './rate-limit.js'
import { isSameOrigin, type SessionVerifier } from './session.js'

export interface GateOptions {
  readonly directory: Directory
  readonly buckets: Buckets
  readonly sessions: SessionVerifier | undefined
  readonly limits: { readonly read: Limit; readonly write: Limit }
  readonly publicUrl: () => string
}

export interface Gate {
  (request: FastifyRequest, reply: FastifyReply, needed: Endpoint['scope'], raised?: Endpoint['raisedScope']): Promise<Known>
  /** Asks again for a request that was let in and goes on. Only a clear no counts: a database that is away says nothing about a key. */
  isStillAllowed(request: FastifyRequest, needed: Endpoint['scope']): Promise<boolean>
}

const failureLimit: Limit = { sustained: 20, burst: 40 }
const reads = new Set(['GET', 'HEAD'])

export function createGate(options: GateOptions): Gate {
  const failures = createFailureLimiter()
  const letIn = async (...[request, reply, needed, raised]: Parameters<Gate>): Promise<Known> => {
    const known = requireEnabled(await identify(options, failures, request))
    await spend(options, reply, known, reads.has(request.method) ? 'read' : 'write')
    requireScope(known.scope, raised?.(known) ?? needed)
    return known
  }
  return Object.assign(letIn, {
    async isStillAllowed(request: FastifyRequest, needed: Endpoint['scope']) {
      try {
        requireScope(requireEnabled(await identify(options, failures, request)).scope, needed)
        return true
      } catch (error) {
        return !(error instanceof ApiError && [401, 403].includes(error.status))
      }
    },
  })
}

async function identify(options: GateOptions, failures: FailureLimiter, request: FastifyRequest): Promise<Known | undefined> {
  const { authorization, cookie } = request.headers
  if (authorization === undefined && cookie !== undefined && options.sessions) return identifySession(options, options.sessions, request)
  const now = new Date()
  const key = keyOf(authorization)
  const hash = key instanceof ApiError ? undefined : hashKey(key).toString('base64')
  const remembered = hash && options.directory.remembered(hash, now)
  if (remembered) return remembered
  failures.refuseFlood(request.ip, now.getTime())
  const found = hash && (await options.directory.byKey(hash, now))
  if (found) return found
  failures.count(request.ip, now.getTime())
  throw key instanceof ApiError ? key : unauthorized()
}

async function identifySession(options: GateOptions, sessions: SessionVerifier, request: FastifyRequest): Promise<Known | undefined> {
  const session = await sessions.verify(request.headers.cookie).catch((error: unknown) => {
    throw error instanceof IssuerUnavailable ? unavailable('The identity provider is away; try again', 2) : error
  })
  if (session === undefined) return undefined
  if (!reads.has(request.method) && !isSameOrigin(request.headers, options.publicUrl())) {
    throw forbidden('cross_origin', 'Writes by session cookie must come from the same origin')
  }
  const side: Environment = request.headers['x-parley-environment'] === 'sandbox' ? 'sandbox' : 'production'
  const known = await options.directory.byOrganization(session.organizationId, side)
  return known && { ...known, scope: session.scope, actor: { type: 'user', id: session.userId } }
}

async function spend({ buckets, limits }: GateOptions, reply: FastifyReply, known: Known, kind: 'read' | 'write'): Promise<void> {
  const limit = known.limits[kind] ?? limits[kind]
  const taking = buckets.take(`${known.tenantId}:${kind}`, limit, Date.now())
  const taken = taking instanceof Promise ? await taking : taking
  reply.header('x-ratelimit-limit', taken.limit).header('x-ratelimit-remaining', taken.remaining).header('x-ratelimit-reset', taken.resetAt)
  if (!taken.allowed) {
    throw new ApiError('rate_limited', `Too many ${kind}s; wait ${taken.retryAfter} s`, undefined, { 'retry-after': String(taken.retryAfter) })
  }
}

function requireScope(held: Scope, needed: Endpoint['scope']): void {
  if (needed === 'any' || needed === 'none' || includesScope(held, needed)) return
  throw forbidden('scope', `This needs a key with scope ${needed}`, { requiredScope: needed })
}

interface FailureLimiter {
  /** Refuses an address that has failed too often lately, before anything is looked up for it. */
  refuseFlood(address: string, nowMs: number): void
  count(address: string, nowMs: number): void
}

const BLOCKED_MAX = 10_000

function createFailureLimiter(): FailureLimiter {
  const buckets = memoryBuckets()
  const blockedUntilMs = new Map<string, number>()
  return {
    refuseFlood(address, nowMs) {
      const until = blockedUntilMs.get(address)
      if (until === undefined) return
      if (until > nowMs) throw new ApiError('rate_limited', 'Too many failed authentications from this address', undefined, { 'retry-after': '1' })
      blockedUntilMs.delete(address)
    },
    count(address, nowMs) {
      if (buckets.take(address, failureLimit, nowMs).remaining > 0) return
      if (blockedUntilMs.size >= BLOCKED_MAX) blockedUntilMs.clear()
      blockedUntilMs.set(address, nowMs + 1_000 / failureLimit.sustained)
    },
  }
}
