// `/mcp`: the Model Context Protocol over HTTP, for agents with an API key. One message a request, one answer, nothing
// kept between them. What answers is loaded by the first agent that comes.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../http/endpoint.js'
import type { AuthenticatedCaller } from '../http/gate/authenticate.js'
import type { Gate } from '../http/gate/gate.js'
import { toApiError } from '../http/respond.js'
import type { Unsent } from '../http/unsent.js'
import { ApiError, forbidden } from '../store/api-error.js'
import type { AgentServer } from './agent-server.js'
import { type Message, RpcError, readMessage, rpcCodes } from './message.js'

export interface McpParts {
  readonly endpoints: readonly Endpoint[]
  readonly gate: Gate
  readonly unsent: Unsent
  readonly publicUrl: () => string
  /** Origins besides our own whose pages may come with a key. */
  readonly corsOrigins: readonly string[]
}

const PATH = '/mcp'

export function mountMcp(app: FastifyInstance, parts: McpParts): void {
  const { endpoints, gate, unsent } = parts
  let loading: Promise<AgentServer> | undefined
  const agentServer = () => {
    loading ??= import('./agent-server.js').then(({ createAgentServer }) => createAgentServer(app, endpoints))
    return loading
  }
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => refuse(error, request, reply))
    scope.route({
      method: 'POST',
      url: PATH,
      async onRequest(request, reply) {
        requireOwnOrigin(parts, request)
        const known = await gate(request, reply, { scope: 'any', isForKeys: true, spends: 'read' })
        unsent.requireRoom(known.tenantId)
        request.known = known
      },
      async handler(request, reply) {
        const { known } = request
        if (known === undefined) throw new Error('The gate lets nobody in without saying who')
        const message = readMessage(request.body, request.headers)
        const result = await answerOf(message, await agentServer(), request, known)
        if (message.id === undefined) return reply.code(202).send()
        return send(reply, unsent, known, { jsonrpc: '2.0', id: message.id, ...result })
      },
    })
    scope.route({
      method: ['GET', 'DELETE', 'PATCH', 'PUT', 'OPTIONS'],
      url: PATH,
      async handler() {
        throw new ApiError('method_not_allowed', `${PATH} takes POST`, { allowed: ['POST'] }, { allow: 'POST' })
      },
    })
  })
}

type Outcome = { readonly result: unknown } | { readonly error: object }

/** What a message does wrong is said in its answer, unless the protocol wants a status for it. */
async function answerOf(
  message: Message,
  server: AgentServer,
  request: FastifyRequest,
  known: AuthenticatedCaller,
): Promise<Outcome> {
  try {
    return { result: await server.answer(message, request, known) }
  } catch (error) {
    if (!(error instanceof RpcError) || error.status !== 200) throw error
    return {
      error: { code: error.code, message: error.message, ...(error.data !== undefined && { data: error.data }) },
    }
  }
}

function send(reply: FastifyReply, unsent: Unsent, { tenantId }: AuthenticatedCaller, answer: object): FastifyReply {
  const body = JSON.stringify(answer)
  unsent.hold(tenantId, body.length, reply.raw)
  return reply.type('application/json; charset=utf-8').send(body)
}

/** A page of somebody else must not speak to the server that its reader runs, whatever key it has. */
function requireOwnOrigin({ publicUrl, corsOrigins }: McpParts, { headers: { origin } }: FastifyRequest): void {
  if (origin === undefined || corsOrigins.includes(origin) || origin === new URL(publicUrl()).origin) return
  throw forbidden('cross_origin', 'Pages of other origins may not use this; the operator lists those that may')
}

/** Whatever goes wrong is answered as the protocol says it, with our own code beside it. */
function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const requestId = request.id
  if (error instanceof RpcError) return sendError(reply, error.status, error, { ...toObject(error.data), requestId })
  const known = toApiError(error)
  if (known.code === 'internal_error') request.log.error({ err: error, requestId }, 'request failed')
  const code = isUnreadable(known) ? rpcCodes.notJson : known.status === 500 ? rpcCodes.failed : rpcCodes.refused
  const { message, details } = known
  reply.headers(known.headers)
  return sendError(reply, known.status, { code, message }, { error: known.code, details, requestId })
}

const toObject = (data: unknown): object => (typeof data === 'object' && data !== null ? data : {})
const isUnreadable = ({ details }: ApiError): boolean =>
  Array.isArray(details) && details.some((one: { code?: string }) => one.code === 'json')

function sendError(
  reply: FastifyReply,
  status: number,
  { code, message }: { code: number; message: string },
  data: object,
): FastifyReply {
  const body = { jsonrpc: '2.0', id: null, error: { code, message, data } }
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}
