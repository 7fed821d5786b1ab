// Tells of each request once it is over, however it ended. Who hears of it must not wait: it is told within the
// request's own turn.
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../store/caller.js'

export interface FinishedRequest {
  readonly tenantId: string
  /** The server of the organization, where there are several. */
  readonly shard?: string | undefined
  readonly actor: Caller['actor']
  readonly method: string
  /** Without the query, whose values are nobody else's. */
  readonly path: string
  readonly status: number
  readonly ms: number
  /** That went over its connection for it, headers included. */
  readonly bytes: number
  readonly requestId: string
  readonly error: RefusedWith | undefined
}

/** What a refusal says of itself without quoting what was sent. */
export interface RefusedWith {
  readonly code: string
  readonly reason: string | null
  readonly field: string | null
}

/** What has gone over a connection for one request, headers included. */
interface Traffic {
  readonly sent: number
  readonly received: number
}

type Listener = (request: FastifyRequest, reply: FastifyReply, traffic: Traffic, route: Route) => void
/** Made anew by whoever asks a request for it, so it is asked once. */
type Route = FastifyRequest['routeOptions']
const listenersOf = new WeakMap<FastifyInstance, Listener[]>()

/** Calls back when a request is over: also when its caller has gone away, and at the end of a stream. */
export function whenFinished(app: FastifyInstance, listener: Listener): void {
  const known = listenersOf.get(app)
  if (known) return void known.push(listener)
  const listeners = [listener]
  listenersOf.set(app, listeners)
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    reply.raw.on('close', () => {
      const traffic = trafficSince(socket)
      const route = request.routeOptions
      for (const one of listeners) one(request, reply, traffic, route)
    })
    done()
  })
}

export function tellFinished(app: FastifyInstance, tell: (request: FinishedRequest) => void): void {
  whenFinished(app, (request, reply, { sent, received }) => {
    const finished = describe(request, reply, sent + received)
    if (finished) tell(finished)
  })
}

/** What has gone over each connection for the requests that are over. */
const counted = new WeakMap<Socket, Traffic>()
const none: Traffic = { sent: 0, received: 0 }

function trafficSince(socket: Socket): Traffic {
  // A request that this process makes by itself has no connection, and one that is gone may not know.
  const total = { sent: socket.bytesWritten || 0, received: socket.bytesRead || 0 }
  const before = counted.get(socket) ?? none
  counted.set(socket, total)
  return {
    sent: Math.max(0, total.sent - before.sent),
    received: Math.max(0, total.received - before.received),
  }
}

function describe(request: FastifyRequest, reply: FastifyReply, bytes: number): FinishedRequest | undefined {
  const { known, method, url, id, refusal } = request
  if (known === undefined) return undefined
  const query = url.indexOf('?')
  return {
    tenantId: known.tenantId,
    shard: known.shard,
    actor: known.actor,
    method,
    path: query < 0 ? url : url.slice(0, query),
    status: reply.raw.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    bytes,
    requestId: id,
    error: refusal && refusedWith(refusal),
  }
}

function refusedWith({ code, details }: NonNullable<FastifyRequest['refusal']>): RefusedWith {
  const told: unknown = Array.isArray(details) ? details[0] : details
  const from = typeof told === 'object' && told !== null ? new Map(Object.entries(told)) : new Map<string, unknown>()
  const textAt = (name: string) => {
    const value = from.get(name)
    return typeof value === 'string' ? value : null
  }
  return { code, reason: textAt('reason') ?? textAt('code'), field: textAt('path') }
}
