// One request to the service: credentials, time-outs, retries, and an Idempotency-Key that stays the same through all
// of them. Every method of the client goes through `send`; nothing else here or above it calls `fetch`.
import { ApiPromise, withResponse } from './api-promise.js'
import { ConnectionError, errorOf, ParleyError, TimeoutError } from './errors.js'
import { leveled, type Say } from './log.js'
import { credentialsOf, type ParleyOptions, rootOf, variable } from './options.js'
import { createPace, isSpent } from './pace.js'
import { backoffMs, isBusy, isPassing, patienceMs, pause, retryAfterMs } from './retry.js'

/** What one call may say for itself. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  readonly maxRetries?: number | undefined
  /** Yours instead of a random one, so that even a restarted program does not write twice. */
  readonly idempotencyKey?: string | undefined
  /** Refuses the write with a ConflictError unless the record still has this version. */
  readonly ifMatch?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Relative to `/api/v1`. */
  readonly path: string
  readonly query?: object | undefined
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as they are. */
  readonly bytes?: { readonly content: Blob | ArrayBuffer | Uint8Array; readonly type: string }
  /** The body goes on for as long as it likes: only its beginning is timed and retried. */
  readonly isStream?: boolean
  /** Goes where a redirect points. Everything else takes a redirect for a mistake in `baseUrl`. */
  readonly follows?: boolean
  readonly options?: RequestOptions | undefined
}

/** A successful answer. */
export type Send = (ask: Ask) => Promise<Response>

/** Where requests go, and the headers that say who asks. */
export interface Place {
  readonly credentials: Record<string, string>
  readonly base: string
}

export function createSend(options: ParleyOptions = {}, place?: Place): Send {
  const { timeoutMs = 30_000, maxRetries = 3, maxWaits = 0, pacing = true } = options
  const { credentials, base } = place ?? { credentials: credentialsOf(options), base: rootOf(options) }
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis)
  const say = leveled(options.logger ?? console, options.logLevel ?? variable('PARLEY_LOG') ?? 'off')
  const paces = { read: createPace(), write: createPace() }
  return async (ask) => {
    checkPath(ask.path)
    const own = ask.options ?? {}
    const redirect: RequestRedirect = ask.follows ? 'follow' : 'manual'
    const init = {
      method: ask.method,
      headers: headersOf(credentials, ask),
      body: bodyOf(ask),
      redirect,
      credentials: 'same-origin' as const,
    }
    const query = queryOf(ask.query)
    const exchange = async (signal: AbortSignal) => {
      const response = await fetch(base + ask.path + query, { ...init, signal })
      return ask.isStream && response.ok ? response : whole(response)
    }
    const pace = pacing ? paces[ask.method === 'GET' ? 'read' : 'write'] : undefined
    const name = `${ask.method} ${ask.path}`
    const attempt = async () => {
      await pace?.turn(own.signal)
      const begunAt = Date.now()
      say('debug', name + query, { idempotencyKey: init.headers['idempotency-key'] })
      const response = await withTimeout(own.timeoutMs ?? timeoutMs, own.signal, exchange, ask.isStream === true)
      const { status, headers } = response
      pace?.heed(headers)
      say('info', `${name} ${status}`, { ms: Date.now() - begunAt, requestId: headers.get('x-request-id') })
      return response
    }
    const retries = own.maxRetries ?? maxRetries
    const isSafe = ask.method !== 'POST' || 'idempotency-key' in init.headers
    const turns = pacing && retries > 0 ? mostTurns : 0
    return attempts(attempt, { retries, waits: maxWaits, turns }, ask, isSafe, (level, what, details) =>
      say(level, `${name} ${what}`, details),
    )
  }
}

/** So often an empty bucket refuses one request before that counts as a retry: others may be quicker each time. */
const mostTurns = 30

type Outcome = { readonly response: Response } | { readonly error: unknown }

/**
 * How often to try again: `turns` are for an empty bucket of the rate limit, `waits` for a service that asks to wait,
 * `retries` for everything else and for when those are used up.
 */
interface Budget {
  readonly retries: number
  readonly waits: number
  readonly turns: number
}

/** Tries until there is an answer that is not of passing trouble, or no attempt is left. */
async function attempts(
  attempt: () => Promise<Response>,
  budget: Budget,
  { method, options: { signal } = {} }: Ask,
  isSafe: boolean,
  say: Say,
): Promise<Response> {
  let isUnsure = false
  for (const used = { retries: 0, waits: 0, turns: 0 }; ; ) {
    const outcome: Outcome = await attempt().then(
      (response) => ({ response }),
      (error: unknown) => ({ error }),
    )
    if ('response' in outcome) {
      const { ok, status, headers } = outcome.response
      if (ok) return outcome.response
      // The attempt before got no answer, but it may have deleted what this one no longer finds.
      if (isUnsure && method === 'DELETE' && status === 404) return new Response(null, { status: 204, headers })
    } else if (outcome.error instanceof ConnectionError) isUnsure = true
    const kind = kindOf(outcome, used, budget)
    const waitMs = used[kind] < budget[kind] ? waitOf(outcome, used[kind], isSafe) : undefined
    used[kind] += 1
    if (waitMs === undefined) {
      const error = 'response' in outcome ? await errorOf(outcome.response) : outcome.error
      say('error', 'failed', { error })
      throw error
    }
    say('warn', 'is tried again', { waitMs: Math.round(waitMs), ...told(outcome) })
    // Whoever waits for the bucket does so in its turn.
    if (kind !== 'turns') await pause(waitMs, signal)
  }
}

const told = (outcome: Outcome): object =>
  'response' in outcome ? { status: outcome.response.status } : { error: outcome.error }

function kindOf(outcome: Outcome, used: Budget, budget: Budget): keyof Budget {
  if (!('response' in outcome)) return 'retries'
  const { status, headers } = outcome.response
  if (status === 429 && isSpent(headers) && used.turns < budget.turns) return 'turns'
  return isBusy(status) && used.waits < budget.waits ? 'waits' : 'retries'
}

/** How long to wait before the next attempt, in milliseconds; undefined when none would help. */
function waitOf(outcome: Outcome, number: number, isSafe: boolean): number | undefined {
  if (!('response' in outcome)) return outcome.error instanceof ConnectionError ? backoffMs(number) : undefined
  const { status, headers } = outcome.response
  // A 500 may come after something was done, so only what does nothing twice is sent again.
  if (!isPassing(status) && !(status === 500 && isSafe)) return undefined
  const asked = retryAfterMs(headers, Date.now())
  if (asked === undefined) return backoffMs(number)
  // A little later than asked, so that a crowd that was turned away together does not come back together.
  return asked > patienceMs ? undefined : asked + backoffMs(0) / 5
}

/** The answer with its body read, so that one that breaks off half-way is tried again like one that never came. */
async function whole(response: Response): Promise<Response> {
  const { status, statusText, headers } = response
  if (status < 200) throw new Error('the service redirects: is baseUrl right?')
  const bytes = await response.arrayBuffer()
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, statusText, headers })
}

/**
 * Once a stream has begun, only the caller's own signal can end it; any other answer is whole by then and needs no
 * signal.
 */
async function withTimeout(
  ms: number,
  outer: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Response>,
  isStream: boolean,
): Promise<Response> {
  outer?.throwIfAborted()
  const inner = new AbortController()
  const timer = setTimeout(() => inner.abort(new TimeoutError(`No answer within ${ms} ms`)), ms)
  const stop = () => inner.abort(outer?.reason)
  outer?.addEventListener('abort', stop, { once: true })
  let hasBegun = false
  try {
    const response = await run(inner.signal)
    hasBegun = isStream && response.ok
    return response
  } catch (error) {
    if (outer?.aborted) throw outer.reason
    throw inner.signal.aborted
      ? inner.signal.reason
      : new ConnectionError(`The service was not reached: ${reasonOf(error)}`, { cause: error })
  } finally {
    clearTimeout(timer)
    if (!hasBegun) outer?.removeEventListener('abort', stop)
  }
}

/** `fetch` says no more than "fetch failed"; what happened is in its cause. */
function reasonOf(error: unknown): string {
  const cause = (error as { cause?: unknown }).cause ?? error
  const { code, message } = cause as { code?: string; message?: string }
  return code ?? message ?? String(cause)
}

function headersOf(
  credentials: Record<string, string>,
  { method, body, bytes, options = {} }: Ask,
): Record<string, string> {
  const isWrite = method === 'POST' || method === 'PATCH' || method === 'PUT'
  return {
    accept: 'application/json',
    ...credentials,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(bytes && { 'content-type': bytes.type }),
    ...(isWrite && !bytes && { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() }),
    ...(options.ifMatch !== undefined && { 'if-match': `"${options.ifMatch}"` }),
    ...options.headers,
  }
}

function bodyOf({ body, bytes }: Ask): BodyInit | null {
  if (bytes) return bytes.content as BodyInit
  return body === undefined ? null : JSON.stringify(body)
}

/** Dates as RFC 3339, lists with commas; what is undefined or null is not said. */
function queryOf(query: object = {}): string {
  const said = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, textOf(value)]],
  )
  return said.length === 0 ? '' : `?${new URLSearchParams(said)}`
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.map(textOf).join(',') : String(value)
}

/** A path with its parts escaped: path`/calls/${id}/end`. */
export function path(fixed: TemplateStringsArray, ...parts: readonly string[]): string {
  return fixed.map((text, index) => text + partOf(parts[index])).join('')
}

const partOf = (part: unknown): string => (typeof part === 'string' ? encodeURIComponent(part) : '')

/** An id that is missing would ask for something else: `/people/` is the list, and `..` the level above. */
function checkPath(path: string): void {
  if (/\/\.{0,2}(\/|$)/.test(path))
    throw new ParleyError(`An id is missing in ${path}: a method was given one that is empty, undefined or no text`)
}

/** Sends and reads the JSON of the answer; no body is undefined. */
export function ask<T>(send: Send, request: Ask): ApiPromise<T> {
  const answer = async () => {
    const response = await send(request)
    return withResponse(response.status === 204 ? (undefined as T) : await readJson<T>(response), response)
  }
  return new ApiPromise(answer())
}

export async function readJson<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T
  } catch {
    throw new ParleyError('The answer is no JSON: does baseUrl point at a Parley service?')
  }
}
