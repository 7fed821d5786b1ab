// The log of the program: readable lines at a terminal, JSON otherwise. An error shows where in the code it was thrown
// only when it is a bug, and nothing of the rows or statements it may carry along beyond the first few words.
import { once } from 'node:events'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { isConnectionLoss, isTimeout } from '../database/pool.js'
import { StartupError } from '../database/startup-error.js'
import { ApiError } from '../store/api-error.js'
import { textLines } from './log-text.js'

/** A statement may be a page long; what it begins with names it. */
const MESSAGE_CHARS_MAX = 300
/** When the database is away, every loop says so several times a second. */
const REPEAT_AFTER_MS = 5_000
/** What may wait for a reader of the log that does not read; more is dropped. */
const UNREAD_BYTES_MAX = 16 * 1024 * 1024
/** How long the end of the process waits for that reader. */
const READ_MS = 2_000

export interface LogOptions {
  readonly level: string
  readonly isTerminal?: boolean
  /** Where lines go, for tests; otherwise standard output. */
  readonly write?: (line: string) => void
}

export interface ProgramLog extends pino.Logger {
  /**
   * Writes what is left, before the process ends. Left to the exit, that would wait for as long as nobody reads, and
   * for ever where the reader is gone.
   */
  end(): Promise<void>
}

export function createLog({ level, isTerminal = process.stdout.isTTY, write }: LogOptions): ProgramLog {
  const isRepeated = repeatWatch()
  const options: pino.LoggerOptions = {
    level,
    // Requests are told of by `request-log.ts`. Whatever else names one must not show its address: that may hold ids,
    // words and secrets.
    serializers: { err: describeError, req: () => undefined, res: () => undefined },
    hooks: {
      logMethod(args, method) {
        const [detail, message] = args as [unknown, unknown]
        const { err } = (typeof detail === 'object' && detail !== null ? detail : {}) as { err?: unknown }
        if (isConnectionLoss(err) && isRepeated(String(message))) return
        method.apply(this, args)
      },
    },
  }
  const end = async () => undefined
  if (isTerminal) {
    const toTerminal = (line: string) => (write ?? toStandardOutput)(textLines(line))
    return Object.assign(pino(options, { write: toTerminal }), { end })
  }
  if (write) return Object.assign(pino(options, { write }), { end })
  // Written in the background, many lines at once under load.
  const destination = pino.destination({ dest: 1, sync: false, maxLength: UNREAD_BYTES_MAX })
  return Object.assign(pino(options, destination), { end: () => endOf(destination) })
}

async function endOf(destination: ReturnType<typeof pino.destination>): Promise<void> {
  // What was cut off at the last moment is told of a turn later.
  await nextTurn()
  const isWritten = once(destination, 'close')
  destination.end()
  destination.write = () => true
  await Promise.race([isWritten.catch(() => undefined), sleep(READ_MS)])
  destination.destroy()
}

const toStandardOutput = (line: string): void => void process.stdout.write(line)

function repeatWatch(): (message: string) => boolean {
  const saidAtMs = new Map<string, number>()
  return (message) => {
    const now = Date.now()
    const isRepeated = now - (saidAtMs.get(message) ?? 0) < REPEAT_AFTER_MS
    if (saidAtMs.size > 100) saidAtMs.clear()
    if (!isRepeated) saidAtMs.set(message, now)
    return isRepeated
  }
}

interface DescribedError {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly constraint?: string
  readonly stack?: string
  readonly cause?: DescribedError
}

/**
 * Only what is named here is logged: a database error also carries rows, its connection and all statements that this
 * one has prepared.
 */
export function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: shortened(String(error)) }
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return {
    type: error.constructor.name,
    message: shortened(isAboutValue(code) ? error.message.replace(/"[^"]*"/g, '"…"') : error.message),
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(isBug(error) && { stack: framesOf(error) }),
    ...(error.cause instanceof Error && error.cause !== error && { cause: describeError(error.cause) }),
  }
}

/** PostgreSQL quotes the value that it could not use. */
const isAboutValue = (code: unknown): boolean => typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)

/** Addresses of ours are cut, because one may be a secret. */
function shortened(message: string): string {
  const text = message.replace(/(\/api\/v1\/[\w-]*)\S*/g, '$1…')
  return text.length > MESSAGE_CHARS_MAX ? `${text.slice(0, MESSAGE_CHARS_MAX)}…` : text
}

/** Without the message, which the stack would repeat at full length. */
const framesOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')

/** Of PostgreSQL: no connection, no resources, told to stop, trouble with its disk, a race lost. */
const outsideStates = /^(08|40|53|57|58)[0-9A-Z]{3}$|^25006$/

/** Whether the program is to blame, and not the network, the database, the disk or the caller. */
function isBug(error: Error): boolean {
  if (error instanceof ApiError || error instanceof StartupError || isConnectionLoss(error) || isTimeout(error))
    return false
  const { code } = error as { code?: unknown }
  return !(typeof code === 'string' && (/^E[A-Z0-9]+$/.test(code) || outsideStates.test(code)))
}
