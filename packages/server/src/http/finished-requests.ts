// Tells of each request of a known caller once it is over, however it ended. Who hears of it must not wait: it is told
// within the request's own turn.
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

export function tellFinished(app: FastifyInstance, tell: (request: FinishedRequest) => void): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    // Unlike the hook for the end of a response, this also comes when the caller has gone away.
    reply.raw.on('close', () => {
      const finished = describe(request, reply, bytesSince(socket))
      if (finished) tell(finished)
    })
    done()
  })
}

/** What has gone over each connection for the requests that are over. */
const counted = new WeakMap<Socket, number>()

function bytesSince(socket: Socket): number {
  const total = socket.bytesRead + socket.bytesWritten
  const before = counted.get(socket) ?? 0
  counted.set(socket, total)
  // A request that this process makes by itself has no connection.
  return Number.isFinite(total) ? total - before : 0
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
