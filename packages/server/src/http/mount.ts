// Mounts endpoints on Fastify: the trip of one request from its first header to its answer, the same for every
// endpoint.
import { defaultSettings } from '@parley/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/pool.js'
import { ApiError, badRequest, unavailable } from '../store/api-error.js'
import type { Change } from '../store/change.js'
import { type Committing, commitWithRetry } from '../store/commit-with-retry.js'
import { type Claim, fingerprint, remember } from '../store/idempotency.js'
import { ListReader } from '../store/list-reader.js'
import { Work } from '../store/work.js'
import { bodyShaper, type Shaper } from './body-validation.js'
import {
  type BaseInput,
  type Caller,
  type Endpoint,
  handleRead,
  handleWrite,
  type ReadInput,
  type Services,
  type Visitor,
} from './endpoint.js'
import type { AuthenticatedCaller } from './gate/authenticate.js'
import type { Gate } from './gate/gate.js'
import type { UserSession } from './gate/user-sessions.js'
import { at, found, isOfPages, type Places } from './places.js'
import { RawResponse } from './raw-response.js'
import { pathParameters, refuseBody, shapeQuery, versionsOf } from './request-values.js'
import { errorAnswer, respond } from './respond.js'
import { readAtStandby, type StandbyReads } from './standby-reads.js'
import type { Unsent } from './unsent.js'

export interface Mounting extends Committing {
  readonly gate: Gate
  readonly clock: () => Date
  /** Told of every commit, so that waiting workers look at once. The answer waits for it where it takes time. */
  readonly onCommit: (change: Change) => void | Promise<void>
  readonly services: Services
  readonly unsent: Unsent
  /** Where reads may go besides the primary. */
  readonly standbyReads?: StandbyReads | undefined
  /** Where organizations live on several servers. */
  readonly places?: Places | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, as soon as the gate knows. */
    known?: AuthenticatedCaller
    /** Who is signed in, at endpoints of our own pages. */
    session?: UserSession | undefined
  }
}

const PREFIX = '/api/v1'
const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'] as const

/** Within a plugin that has a prefix, that is where the endpoints are. */
export function mount(app: FastifyInstance, endpoints: readonly Endpoint[], mounting: Mounting): void {
  for (const name of ['known', 'session']) if (!app.hasRequestDecorator(name)) app.decorateRequest(name)
  const urlOf = (path: string) => (app.prefix === '' ? PREFIX : '') + path.replace(/\{(\w+)\}/g, ':$1')
  const mountOne = (scope: FastifyInstance, endpoint: Endpoint) => {
    const shape = endpoint.body && bodyShaper(endpoint.body)
    scope.route({
      method: endpoint.method,
      url: urlOf(endpoint.path),
      ...(endpoint.bodyBytes !== undefined && { bodyLimit: endpoint.bodyBytes }),
      ...(endpoint.compress === false && { compress: false }),
      // Whoever reads a body by itself also unpacks it.
      ...(isRaw(endpoint) && { decompress: false }),
      onRequest(request, reply, done) {
        if (endpoint.holdsSecret) return void mounting.gate.letInByPath(request).then(() => done(), done)
        const enter = (session: UserSession | undefined) => {
          request.session = session
          done()
        }
        if (endpoint.scope === 'user') return void mounting.gate.user(request, reply).then(enter).catch(done)
        if (endpoint.isForPages) return void mounting.gate.visitor(request).then(enter).catch(done)
        if (endpoint.scope === 'none') return done()
        const letIn = (known: AuthenticatedCaller) => {
          mounting.unsent.requireRoom(known.tenantId)
          done()
        }
        const known = mounting.gate(request, reply, endpoint)
        if (known instanceof Promise) known.then(letIn).catch(done)
        else letIn(known)
      },
      handler: (request, reply) => serve(endpoint, shape, mounting, request.known, request, reply),
    })
  }
  for (const endpoint of endpoints.filter((one) => !isRaw(one))) mountOne(app, endpoint)
  app.register(async (scope) => {
    // What these endpoints take is read by themselves, however large it is and whatever it is.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const endpoint of endpoints.filter(isRaw)) mountOne(scope, endpoint)
  })
  refuseOtherMethods(app, endpoints, mounting.gate, urlOf)
}

/** It reads the bytes of its body by itself. */
const isRaw = ({ receive, admit }: Endpoint): boolean => receive !== undefined || admit !== undefined

/**
 * A known path with a method it does not take is 405 and says which ones it does; an unknown path is 404. Both only to
 * those with a key.
 */
function refuseOtherMethods(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  gate: Gate,
  urlOf: (path: string) => string,
): void {
  for (const [path, group] of groupByPath(endpoints)) {
    const allowed = [...new Set(group.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
    const method = methods.filter((one) => !allowed.includes(one))
    if (method.length === 0) continue
    app.route({
      method,
      url: urlOf(path),
      async onRequest(request, reply) {
        await gate(request, reply, { scope: 'any' })
        throw new ApiError(
          'method_not_allowed',
          `${path} takes ${allowed.join(', ')}`,
          { allowed },
          { allow: allowed.join(', ') },
        )
      },
      handler: async () => undefined,
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (request.url.startsWith(`${app.prefix || PREFIX}/`)) await gate(request, reply, { scope: 'any' })
    throw new ApiError('not_found', 'No such path')
  })
}

async function serve(
  endpoint: Endpoint,
  shape: Shaper | undefined,
  everywhere: Mounting,
  known: AuthenticatedCaller | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const mounting = at(everywhere, endpoint, known)
  const now = mounting.clock()
  let claim = claimOf(endpoint, request)
  if (claim && known) {
    const looked = await lookForKey(mounting, known, claim, now)
    if (looked.kind === 'answered') return respond(reply, looked.answer, { 'idempotent-replayed': 'true' })
    claim = { ...claim, unused: looked.unused }
  }
  const locale = known?.settings ?? defaultSettings
  const asked: ReadInput = {
    now,
    caller: known as AuthenticatedCaller,
    params: pathParameters(endpoint, request),
    query: endpoint.admit ? {} : shapeQuery(endpoint.query, request.query as Record<string, unknown>, locale),
    body: shape?.(request.body, locale) ?? refuseBody(endpoint, request.body),
    requestId: request.id,
    ifMatch: versionsOf(request.headers['if-match']),
    sealer: mounting.sealer,
    services: mounting.services,
    visitor: isOfPages(endpoint) ? visitorFrom(request, request.session) : undefined,
    read: new ListReader(mounting.database, known?.tenantId ?? ''),
  }
  if (endpoint.itemsIn && known) await mounting.gate.spendItems(known, endpoint.itemsIn(asked.body))
  const input = isRaw(endpoint) ? await receiveRaw(endpoint, asked, request) : asked
  // Without a key and without a signature there is nobody.
  const caller: Caller | undefined = input.caller
  const sent = async (raw: RawResponse) =>
    raw.send({ request, reply, isStillAllowed: () => mounting.gate.isStillAllowed(request, endpoint) })
  const { answer, isReplay } =
    endpoint.method === 'GET' || caller === undefined
      ? { answer: await readAnywhere(endpoint, mounting, input, request, reply, sent), isReplay: false }
      : await write(endpoint, continuing(found(mounting), request), input, claim)
  if (answer === reply) return reply
  if (answer instanceof RawResponse) return sent(answer)
  if (caller && answer.body !== null) {
    // A write is made whether or not anybody reads the answer; a read that others have overtaken is dropped.
    if (endpoint.method === 'GET') mounting.unsent.requireRoom(caller.tenantId)
    mounting.unsent.hold(caller.tenantId, answer.body.length, reply.raw)
  }
  // A write is made whatever the caller has seen before, so only a read may be answered with "not modified".
  const ifNoneMatch = endpoint.method === 'GET' ? request.headers['if-none-match'] : undefined
  return respond(reply, answer, isReplay ? { 'idempotent-replayed': 'true' } : undefined, ifNoneMatch)
}

/** For endpoints that read the bytes of their body by themselves. */
async function receiveRaw(endpoint: Endpoint, asked: ReadInput, request: FastifyRequest): Promise<ReadInput> {
  if (endpoint.admit) return { ...asked, ...(await endpoint.admit(asked, request)) }
  return { ...asked, received: await endpoint.receive?.(asked, request) }
}

export const visitorFrom = ({ ip, protocol, headers }: FastifyRequest, session: UserSession | undefined): Visitor => ({
  session,
  address: ip,
  userAgent: headers['user-agent'],
  isSecure: protocol === 'https',
  cookies: headers.cookie,
})

/** A response that writes itself is sent from where it was read, so that what fails at once is read again. */
function readAnywhere(
  endpoint: Endpoint,
  mounting: Mounting,
  input: ReadInput,
  request: FastifyRequest,
  reply: FastifyReply,
  sent: (raw: RawResponse) => Promise<FastifyReply>,
): Promise<FastifyReply | Awaited<ReturnType<Endpoint['handle']>>> {
  // Our own pages, and whoever has no key, ask of sessions and links, which the primary knows.
  const reads = request.known && !isOfPages(endpoint) ? mounting.standbyReads : undefined
  const readAt = async (database: Database) => {
    const read = database === mounting.database ? input.read : new ListReader(database, input.read.tenantId)
    const answer = await readWith(endpoint, mounting, { ...input, read }, request)
    return answer instanceof RawResponse && reads ? sent(answer) : answer
  }
  return readAtStandby(reads, mounting.database, readAt, () => reply.sent || reply.raw.headersSent)
}

function readWith(
  endpoint: Endpoint,
  { gate }: Mounting,
  input: ReadInput,
  request: FastifyRequest,
): ReturnType<Endpoint['handle']> {
  const handled = handleRead(endpoint, input)
  if (!endpoint.holdsSecret) return handled
  return handled.catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 404 ? gate.refusePath(request, error) : error
  })
}

/** The commit is part of the request's trace, where there is one. */
const continuing = (mounting: Mounting, { span }: FastifyRequest): Mounting =>
  span ? { ...mounting, traceparent: span.traceparent } : mounting

async function write(endpoint: Endpoint, mounting: Mounting, input: BaseInput, claim: Claim | undefined) {
  const { caller, requestId } = input
  let hasRun = false
  const outcome = await commitWithRetry(
    mounting,
    (database) => new Work(database, caller, mounting.clock(), requestId),
    (work) => {
      const isAlone = claim === undefined && !hasRun
      hasRun = true
      return handleWrite(endpoint, { ...input, now: work.now, work, isAlone })
    },
    claim,
  ).catch(async (error: unknown) => {
    // The twin of this request may have won meanwhile, and changed what the handler refused.
    const known = claim && error instanceof ApiError ? await lookForKey(mounting, caller, claim) : undefined
    if (known?.kind !== 'answered') throw error
    return known
  })
  if (outcome.kind === 'done') {
    await mounting.onCommit(outcome.change)
    return { answer: outcome.answer, isReplay: false }
  }
  const known = outcome.kind === 'answered' ? outcome : claim && (await lookForKey(mounting, caller, claim))
  if (known?.kind !== 'answered') throw unavailable('The answer to this Idempotency-Key is not there yet; try again')
  return { answer: known.answer, isReplay: true }
}

async function lookForKey(mounting: Mounting, caller: Caller, claim: Claim, now = mounting.clock()) {
  const known = await remember(mounting.database, mounting.sealer, caller.tenantId, claim, now)
  if (known.kind === 'conflict')
    throw new ApiError('idempotency_conflict', 'This Idempotency-Key was used for another request; take a new one')
  return known
}

function claimOf(endpoint: Endpoint, request: FastifyRequest): Claim | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || endpoint.idempotent === false || endpoint.method === 'GET' || endpoint.method === 'DELETE')
    return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw badRequest('Idempotency-Key', 'must be 1 to 255 visible characters; a UUID is best', 'header')
  }
  return {
    key,
    fingerprint: fingerprint(request.method, request.url, request.body),
    refusal: (error) => errorAnswer(error, request.id),
  }
}

function groupByPath(endpoints: readonly Endpoint[]): Map<string, Endpoint[]> {
  const groups = new Map<string, Endpoint[]>()
  for (const endpoint of endpoints) groups.set(endpoint.path, [...(groups.get(endpoint.path) ?? []), endpoint])
  return groups
}
