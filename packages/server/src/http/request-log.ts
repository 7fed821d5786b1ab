// One line of the log for each request, when it is over, however it ended. It names the route and never the address:
// that may hold ids, words and secrets. Lines are put together by hand and written many at once: by the logger's own
// way they would cost every request some twentieth of its time.
import { hostname } from 'node:os'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Logger, pino } from 'pino'
import { whenFinished } from './finished-requests.js'

/** Which requests are told of: a share of all, and every one whose status is this or higher. */
export interface RequestSampling {
  readonly share: number
  readonly alwaysFrom: number
}

export function logRequests(app: FastifyInstance, log: Logger, { share, alwaysFrom }: RequestSampling): void {
  if (share === 0 && alwaysFrom > 599) return
  const isTold = (status: number) => status >= alwaysFrom || share === 1 || Math.random() < share
  const lines = collectLines(log)
  whenFinished(app, (request, reply, { sent }, route) => {
    const level = levelOf(route, reply.raw.statusCode)
    if (isTold(reply.raw.statusCode) && log.isLevelEnabled(level))
      lines.add(lineOf(level, request, reply, sent, route.url))
  })
  app.addHook('onClose', (_app, done) => {
    lines.flush()
    done()
  })
}

type Level = 'debug' | 'info' | 'warn' | 'error'

/** What machines ask every few seconds says nothing as long as it goes well. */
function levelOf({ logLevel }: FastifyRequest['routeOptions'], status: number): Level {
  if (status >= 500) return status === 500 ? 'error' : 'warn'
  return logLevel === 'debug' ? 'debug' : 'info'
}

const origin = `,"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`

function lineOf(
  level: Level,
  { id, method, known }: FastifyRequest,
  reply: FastifyReply,
  bytes: number,
  url: string | undefined,
): string {
  const head = `{"level":${pino.levels.values[level]},"time":${Date.now()}${origin}`
  const request = `"requestId":${quoted(id)},"method":"${method}"`
  const route = url === undefined ? 'null' : quoted(url)
  const ms = Math.round(reply.elapsedTime * 10) / 10
  const outcome = `"route":${route},"status":${reply.raw.statusCode},"ms":${ms},"bytes":${bytes}`
  const actor = known?.actor.type === 'key' ? 'keyId' : 'userId'
  const who = known ? `,"${actor}":${quoted(known.actor.id)},"organizationId":"${known.organizationId}"` : ''
  return `${head},${request},${outcome}${who}${reply.raw.writableFinished ? '' : ',"aborted":true'},"msg":"request"}\n`
}

/** Ids and routes hardly ever hold what JSON must escape. */
const quoted = (text: string): string => (/^[\w./:*-]+$/.test(text) ? `"${text}"` : JSON.stringify(text))

const FLUSH_MS = 50
const FLUSH_CHARS = 32_768

/** Gives the logger's stream many lines in one piece. */
function collectLines(log: Logger): { add(line: string): void; flush(): void } {
  const stream = (log as unknown as Record<symbol, { write(text: string): void }>)[pino.symbols.streamSym]
  let pending = ''
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (pending !== '') stream?.write(pending)
    pending = ''
  }
  return {
    add(line) {
      pending += line
      if (pending.length > FLUSH_CHARS) flush()
      else timer ??= setTimeout(flush, FLUSH_MS)
    },
    flush,
  }
}
