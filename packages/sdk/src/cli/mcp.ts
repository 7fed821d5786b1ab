// `parley mcp`: a bridge for programs that start their tools themselves and talk to them over standard input and
// output. Each line is one message of the Model Context Protocol; it goes to /mcp of the service with the key of the
// account, and the answer comes back as a line. All that is known of tools is known there.
import { addAbortSignal } from 'node:stream'
import type { Command } from 'commander'
import { examples } from './examples.js'
import { CliError } from './failure.js'
import type { Bind } from './program.js'
import { addressOf, type Session } from './session.js'

export function addMcpCommand(program: Command, bind: Bind): void {
  program
    .command('mcp')
    .description('serve an agent over standard input and output, with the tools that your key may use')
    .addHelpText('after', examples('parley mcp'))
    .action(bind(mcp))
}

type Json = Record<string, unknown>

interface Bridge {
  readonly url: string
  readonly apiKey: string
  /** The revision that the handshake agreed on, for later messages. */
  version?: string
}

/** As much as the service takes in one message. */
const LINE_BYTES = 1024 * 1024
const UNDER_WAY = 8
const TIMEOUT_MS = 60_000

async function mcp(session: Session): Promise<void> {
  const { stdin, terminal, signal } = session
  const account = await session.account()
  const bridge: Bridge = { url: addressOf(account, '/mcp'), apiKey: account.apiKey }
  if (stdin.isTTY) terminal.note('This speaks MCP on standard input; name it in the settings of your agent.')
  const underWay = new Set<Promise<void>>()
  for await (const line of linesOf(stdin, signal)) {
    const passing = pass(bridge, line, signal).then((answer) => {
      if (answer !== undefined) terminal.out(JSON.stringify(answer))
      underWay.delete(passing)
    })
    underWay.add(passing)
    // What a handshake agrees on holds for what comes after it.
    if (isHandshake(line)) await passing
    if (underWay.size >= UNDER_WAY) await Promise.race(underWay)
  }
  await Promise.all(underWay)
}

async function* linesOf(input: NodeJS.ReadStream, signal: AbortSignal): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of untilAborted(input, signal)) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_BYTES) throw new CliError(`A message has more than ${LINE_BYTES} bytes.`)
    for (const line of lines) if (line.trim() !== '') yield line
  }
  if (rest.trim() !== '') yield rest
}

/** Whoever ends the program need not close its input first. */
async function* untilAborted(input: NodeJS.ReadStream, signal: AbortSignal): AsyncGenerator<unknown> {
  try {
    yield* addAbortSignal(signal, input.setEncoding('utf8'))
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

const isHandshake = (line: string): boolean => messageIn(line)?.['method'] === 'initialize'

function messageIn(line: string): Json | undefined {
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

/** The answer to a message; undefined for a notification, which has none. */
async function pass(bridge: Bridge, line: string, signal: AbortSignal): Promise<Json | undefined> {
  const message = messageIn(line) ?? {}
  const { id = null, method } = message
  const isAnswered = !('method' in message) || 'id' in message
  const failed = (reason: string) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: reason } })
  try {
    const response = await fetch(bridge.url, {
      method: 'POST',
      headers: headersOf(bridge, message),
      body: line,
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const answer = messageIn(await response.text())
    if (!isAnswered) return undefined
    if (answer === undefined) return failed(`${bridge.url} answered ${response.status} and no message`)
    if (method === 'initialize') bridge.version = versionIn(answer) ?? bridge.version ?? ''
    // What the service refuses before it has read the message names no id.
    return { ...answer, id }
  } catch (error) {
    return isAnswered ? failed(`${bridge.url} did not answer: ${(error as Error).message}`) : undefined
  }
}

function versionIn({ result }: Json): string | undefined {
  const version = (result as Json | undefined)?.['protocolVersion']
  return typeof version === 'string' ? version : undefined
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/** A message that carries its own revision is described by headers; another has the revision of the handshake. */
function headersOf({ apiKey, version }: Bridge, { method, params }: Json): Record<string, string> {
  const { _meta: meta, name, uri } = (params ?? {}) as Json
  const claimed = (meta as Json | undefined)?.[VERSION_KEY]
  const about = name ?? uri
  return {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(version && { 'mcp-protocol-version': version }),
    ...(typeof claimed === 'string' && {
      'mcp-protocol-version': headerText(claimed),
      'mcp-method': headerText(method),
    }),
    ...(typeof claimed === 'string' && typeof about === 'string' && { 'mcp-name': headerText(about) }),
  }
}

/** What a header cannot hold goes in base64. */
function headerText(value: unknown): string {
  const text = String(value)
  return /^[\x21-\x7e]*$/.test(text) && !text.startsWith('=?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
