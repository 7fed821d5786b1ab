// One message of the Model Context Protocol: a JSON-RPC request or notification, in a revision that is spoken here.
// From 2026-07-28 on each request carries its revision with it; before, a handshake says it once.
import type { IncomingHttpHeaders } from 'node:http'
import { isObject } from '@parley/contract'

export const STATELESS_VERSION = '2026-07-28'
/** Those that begin with a handshake. Nothing is kept of it: every request is answered by itself. */
export const handshakeVersions = ['2025-11-25', '2025-06-18'] as const
export const versions: readonly string[] = [STATELESS_VERSION, ...handshakeVersions]

export interface Message {
  /** Undefined for a notification, which is not answered. */
  readonly id: string | number | undefined
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  /** It came in a revision without a handshake. */
  readonly isStateless: boolean
}

export const rpcCodes = {
  notJson: -32700,
  notRpc: -32600,
  unknownMethod: -32601,
  params: -32602,
  failed: -32603,
  refused: -32000,
  headers: -32020,
  version: -32022,
} as const

/** What goes wrong with a message itself; what a tool refuses is a result of the tool. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    /** The HTTP status; 200 where the protocol answers in the message alone. */
    readonly status = 200,
    readonly data?: unknown,
  ) {
    super(message)
  }
}

export function readMessage(body: unknown, headers: IncomingHttpHeaders): Message {
  if (Array.isArray(body)) throw notRpc('Send one message at a time, not a batch')
  if (!isObject(body) || body['jsonrpc'] !== '2.0') throw notRpc('Send a JSON-RPC 2.0 message')
  const { id, method, params = {} } = body
  if (typeof method !== 'string') throw notRpc('Send a request or a notification: it has a method')
  if (id !== undefined && typeof id !== 'string' && !Number.isSafeInteger(id))
    throw notRpc('The id of a message must be a string or an integer')
  if (!isObject(params)) throw new RpcError(rpcCodes.params, 'params must be an object', 400)
  const message = { id: isId(id) ? id : undefined, method, params, isStateless: false }
  return requireVersion(message, headers)
}

const isId = (id: unknown): id is string | number => typeof id === 'string' || typeof id === 'number'
const notRpc = (message: string) => new RpcError(rpcCodes.notRpc, message, 400)

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'

function requireVersion(message: Message, headers: IncomingHttpHeaders): Message {
  const { _meta: meta } = message.params
  const claimed = isObject(meta) ? meta[VERSION_KEY] : undefined
  const told = headers['mcp-protocol-version']
  if (claimed === undefined) {
    if (told === STATELESS_VERSION) throw new RpcError(rpcCodes.params, `params._meta must have ${VERSION_KEY}`, 400)
    if (told !== undefined && !versions.includes(String(told))) throw unknownVersion(told)
    return message
  }
  if (claimed !== STATELESS_VERSION) throw unknownVersion(claimed)
  if (isObject(meta) && !isObject(meta[CAPABILITIES_KEY]))
    throw new RpcError(rpcCodes.params, `params._meta must have ${CAPABILITIES_KEY}, an object`, 400)
  if (message.id !== undefined) requireHeaders(message, headers)
  return { ...message, isStateless: true }
}

const unknownVersion = (requested: unknown) =>
  new RpcError(rpcCodes.version, `Speak a revision of the protocol that is known here: ${versions.join(', ')}`, 400, {
    supported: versions,
    requested: String(requested).slice(0, 64),
  })

/** What a message is about, as its headers repeat it for whoever passes it on. */
const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

function requireHeaders({ method, params }: Message, headers: IncomingHttpHeaders): void {
  const field = Object.hasOwn(namedBy, method) ? namedBy[method] : undefined
  const name = field === undefined ? undefined : params[field]
  requireHeader(headers, 'mcp-protocol-version', STATELESS_VERSION)
  requireHeader(headers, 'mcp-method', method)
  if (typeof name === 'string') requireHeader(headers, 'mcp-name', name)
}

function requireHeader(headers: IncomingHttpHeaders, name: string, value: string): void {
  const sent = headers[name]
  if (typeof sent !== 'string' || plain(sent) !== value)
    throw new RpcError(rpcCodes.headers, `The header ${name} must say the same as the message`, 400)
}

/** What no header can hold as it is comes in base64. */
function plain(header: string): string {
  const [, packed] = /^=\?base64\?(.*)\?=$/.exec(header) ?? []
  return packed === undefined ? header : Buffer.from(packed, 'base64').toString('utf8')
}
