// Mounts endpoints on Fastify: the trip of one request from its first header to its answer, the same for every
// endpoint.
import { Readable } from 'node:stream'
import { defaultSettings } from '@parley/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/pool.js'
import { ApiError } from '../store/api-error.js'
import type { Change } from '../store/change.js'
import type { Committing } from '../store/commit-with-retry.js'
import type { Claim } from '../store/idempotency.js'
import { ListReader } from '../store/list-reader.js'
import { bodyShaper, type Shaper } from './body-validation.js'
import { type Caller, type Endpoint, handleRead, type ReadInput, type Services, type Visitor } from './endpoint.js'
import type { AuthenticatedCaller } from './gate/authenticate.js'
import type { Gate } from './gate/gate.js'
import type { UserSession } from './gate/user-sessions.js'
import { claimOf, lookForKey, REPLAYED, write } from './keyed-write.js'
import { at, found, isOfPages, type Places } from './places.js'
import { RawResponse } from './raw-response.js'
import { PREFIX, refuseOtherMethods } from './refuse-other-methods.js'
import { pathParameters, refuseBody, shapeQuery, versionsOf } from './request-values.js'
import { respond } from './respond.js'
import { readAtStandby, type StandbyReads } from './standby-reads.js'
import type { Unsent } from './unsent.js'
import { always, type IsStillHere, throwIfMoved, untilMoved, whereItLives } from './where-it-lives.js'

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

/** Within a plugin that has a prefix, that is where the endpoints are. */
export function mount(app: FastifyInstance, endpoints: readonly Endpoint[], mounting: Mounting): void {
  for (const name of ['known', 'session', 'isStillHere']) if (!app.hasRequestDecorator(name)) app.decorateRequest(name)
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
      ...(mounting.places && {
        onSend: async ({ isStillHere }: FastifyRequest, _reply: FastifyReply, payload: unknown) =>
          isStillHere && payload instanceof Readable ? untilMoved(payload, isStillHere) : payload,
      }),
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

function serve(
  endpoint: Endpoint,
  shape: Shaper | undefined,
  everywhere: Mounting,
  known: AuthenticatedCaller | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const mounting = at(everywhere, endpoint, known)
  const claim = claimOf(endpoint, request)
  const carryOut = () => serveOnce(endpoint, shape, mounting, request, reply, claim)
  return claim && known ? orReplay(carryOut, endpoint, mounting, known, claim, reply) : carryOut()
}

/**
 * A key is claimed by the commit, so most who bring one never look for it. Whoever is refused does: perhaps because of
 * what the same request has done before, or its twin meanwhile.
 */
async function orReplay(
  carryOut: () => Promise<FastifyReply>,
  endpoint: Endpoint,
  mounting: Mounting,
  known: AuthenticatedCaller,
  claim: Claim,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const look = () => lookForKey(mounting, known, claim)
  const before = mustLookFirst(endpoint) ? await look() : undefined
  if (before) return respond(reply, before, REPLAYED)
  return carryOut().catch(async (error: unknown) => {
    const answered = error instanceof ApiError ? await look() : undefined
    if (answered === undefined) throw error
    return respond(reply, answered, REPLAYED)
  })
}

/** It does something that is not undone when its commit finds out that it has been made before. */
const mustLookFirst = (endpoint: Endpoint): boolean =>
  isRaw(endpoint) || endpoint.itemsIn !== undefined || endpoint.takesNumber === true

async function serveOnce(
  endpoint: Endpoint,
  shape: Shaper | undefined,
  mounting: Mounting,
  request: FastifyRequest,
  reply: FastifyReply,
  claim: Claim | undefined,
): Promise<FastifyReply> {
  const { known } = request
  const locale = known?.settings ?? defaultSettings
  const asked: ReadInput = {
    now: mounting.clock(),
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
  const home = caller ? found(mounting) : mounting
  if (home.places === undefined)
    return answer({ endpoint, mounting: home, request, reply, isStillHere: always }, input, claim)
  return whereItLives(home, caller, (place, isStillHere) => {
    const isAgain = place !== home
    if (isAgain && request.known) request.known = { ...request.known, ...(place.shard && { shard: place.shard }) }
    request.isStillHere = isStillHere
    const there = isAgain ? { ...input, read: new ListReader(place.database, input.read.tenantId) } : input
    const answerThere = () => answer({ endpoint, mounting: place, request, reply, isStillHere }, there, claim)
    // On another server the key was not looked for yet.
    return isAgain && claim && known ? orReplay(answerThere, endpoint, place, known, claim, reply) : answerThere()
  })
}

interface Answering {
  readonly endpoint: Endpoint
  readonly mounting: Mounting
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly isStillHere: IsStillHere
}

/** Reads or writes in one place, and answers. */
async function answer(answering: Answering, input: ReadInput, claim: Claim | undefined): Promise<FastifyReply> {
  const { endpoint, mounting, request, reply, isStillHere } = answering
  const caller: Caller | undefined = input.caller
  const isRead = endpoint.method === 'GET'
  const made =
    isRead || caller === undefined ? undefined : await write(endpoint, continuing(mounting, request), input, claim)
  const given = made ? made.answer : await readAnywhere(answering, input)
  if (given === reply) return reply
  if (given instanceof RawResponse) return sendRaw(answering, given)
  const looking = made?.isMade ? undefined : throwIfMoved(isStillHere)
  if (looking) await looking
  if (caller && given.body !== null) {
    // A write is made whether or not anybody reads the answer; a read that others have overtaken is dropped.
    if (isRead) mounting.unsent.requireRoom(caller.tenantId)
    mounting.unsent.hold(caller.tenantId, given.body.length, reply.raw)
  }
  // A write is made whatever the caller has seen before, so only a read may be answered with "not modified".
  const ifNoneMatch = isRead ? request.headers['if-none-match'] : undefined
  return respond(reply, given, made?.isReplay ? REPLAYED : undefined, ifNoneMatch)
}

async function sendRaw({ endpoint, mounting, request, reply, isStillHere }: Answering, raw: RawResponse) {
  await throwIfMoved(isStillHere)
  return raw.send({ request, reply, isStillAllowed: () => mounting.gate.isStillAllowed(request, endpoint) })
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
  answering: Answering,
  input: ReadInput,
): Promise<FastifyReply | Awaited<ReturnType<Endpoint['handle']>>> {
  const { endpoint, mounting, request, reply } = answering
  // Our own pages, and whoever has no key, ask of sessions and links, which the primary knows.
  const reads = request.known && !isOfPages(endpoint) ? mounting.standbyReads : undefined
  if (reads === undefined) return readWith(endpoint, mounting, input, request)
  const readAt = async (database: Database) => {
    const read = database === mounting.database ? input.read : new ListReader(database, input.read.tenantId)
    const answered = await readWith(endpoint, mounting, { ...input, read }, request)
    return answered instanceof RawResponse ? sendRaw(answering, answered) : answered
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
