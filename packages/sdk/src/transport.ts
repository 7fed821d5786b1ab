// One request to the service: credentials, time-outs, retries, and an Idempotency-Key that stays the same through all
// of them. Every method of the client goes through `send`; nothing else here or above it calls `fetch`.
import { ConnectionError, errorOf, ParleyError, TimeoutError } from './errors.js'
import { backoffMs, isBusy, isPassing, patienceMs, pause, retryAfterMs } from './retry.js'

export interface ParleyOptions {
  /** `ak_test_…` for the sandbox, `ak_live_…` for production. */
  readonly apiKey?: string
  /** Instead of a key, in a page of the service itself: the session of whoever has signed in there. */
  readonly session?: SessionPlace
  /** Where the service runs, for example `https://parley.example.com`. */
  readonly baseUrl: string
  /** For each attempt; 30 seconds unless said otherwise. */
  readonly timeoutMs?: number
  /** Attempts after the first; 3 unless said otherwise. */
  readonly maxRetries?: number
  /**
   * How many answers of 429 and 503 are waited out besides, before they count as retries; none unless said otherwise.
   * For work that may take its time.
   */
  readonly maxWaits?: number
  /** Another `fetch`, for tests and for proxies. */
  readonly fetch?: typeof globalThis.fetch
}

/** Where a signed-in user acts. What is about the user alone needs neither. */
export interface SessionPlace {
  readonly organizationId?: string
  readonly environment?: 'sandbox' | 'production'
}

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
  readonly bytes?: { readonly content: Blob | ArrayBuffer | Uint8Array<ArrayBuffer>; readonly type: string }
  /** The body goes on for as long as it likes: only its beginning is timed and retried. */
  readonly isStream?: boolean
  /** Goes where a redirect points. Everything else takes a redirect for a mistake in `baseUrl`. */
  readonly follows?: boolean
  readonly options?: RequestOptions | undefined
}

/** A successful answer. */
export type Send = (ask: Ask) => Promise<Response>

export function createSend(options: ParleyOptions): Send {
  const { timeoutMs = 30_000, maxRetries = 3, maxWaits = 0 } = options
  const credentials = credentialsOf(options)
  const base = rootOf(options.baseUrl)
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis)
  return async (ask) => {
    const own = ask.options ?? {}
    const redirect: RequestRedirect = ask.follows ? 'follow' : 'manual'
    const init = {
      method: ask.method,
      headers: headersOf(credentials, ask),
      body: bodyOf(ask),
      redirect,
      credentials: 'same-origin' as const,
    }
    const url = base + ask.path + queryOf(ask.query)
    const exchange = async (signal: AbortSignal) => {
      const response = await fetch(url, { ...init, signal })
      return ask.isStream && response.ok ? response : whole(response)
    }
    const attempt = () => withTimeout(own.timeoutMs ?? timeoutMs, own.signal, exchange, ask.isStream === true)
    return attempts(attempt, { retries: own.maxRetries ?? maxRetries, waits: maxWaits }, ask)
  }
}

type Outcome = { readonly response: Response } | { readonly error: unknown }

/**
 * How often to try again: `waits` are for a service that asks to wait, `retries` for everything else and for when those
 * are used up.
 */
interface Budget {
  readonly retries: number
  readonly waits: number
}

/** Tries until there is an answer that is not of passing trouble, or no attempt is left. */
async function attempts(
  attempt: () => Promise<Response>,
  budget: Budget,
  { method, options: { signal } = {} }: Ask,
): Promise<Response> {
  let isUnsure = false
  for (const used = { retries: 0, waits: 0 }; ; ) {
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
    const kind =
      'response' in outcome && isBusy(outcome.response.status) && used.waits < budget.waits ? 'waits' : 'retries'
    const wait = used[kind] < budget[kind] ? waitMs(outcome, used[kind]) : undefined
    used[kind] += 1
    if (wait === undefined) throw 'response' in outcome ? await errorOf(outcome.response) : outcome.error
    await pause(wait, signal)
  }
}

/** How long to wait before the next attempt; undefined when none would help. */
function waitMs(outcome: Outcome, number: number): number | undefined {
  if (!('response' in outcome)) return outcome.error instanceof ConnectionError ? backoffMs(number) : undefined
  const { status, headers } = outcome.response
  if (!isPassing(status)) return undefined
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
  try {
    return await run(inner.signal)
  } catch (error) {
    if (outer?.aborted) throw outer.reason
    throw inner.signal.aborted
      ? inner.signal.reason
      : new ConnectionError(`The service was not reached: ${reasonOf(error)}`, { cause: error })
  } finally {
    clearTimeout(timer)
    if (!isStream) outer?.removeEventListener('abort', stop)
  }
}

/** `fetch` says no more than "fetch failed"; what happened is in its cause. */
function reasonOf(error: unknown): string {
  const cause = (error as { cause?: unknown }).cause ?? error
  const { code, message } = cause as { code?: string; message?: string }
  return code ?? message ?? String(cause)
}

function rootOf(baseUrl: string): string {
  if (!/^https?:\/\/[^\s/]/.test(baseUrl ?? ''))
    throw new ParleyError(`The baseUrl must be an http or https address, not ${JSON.stringify(baseUrl)}`)
  const root = baseUrl.replace(/\/+$/, '')
  return root.endsWith('/api/v1') ? root : `${root}/api/v1`
}

function credentialsOf({ apiKey, session }: ParleyOptions): Record<string, string> {
  if (apiKey) return { authorization: `Bearer ${apiKey}` }
  if (session === undefined)
    throw new ParleyError('An apiKey is needed: new Parley({ apiKey, baseUrl }); in a page of the service, a session')
  return {
    ...(session.organizationId && { 'x-parley-organization': session.organizationId }),
    ...(session.environment && { 'x-parley-environment': session.environment }),
  }
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
  return fixed
    .map((text, index) => text + (index < parts.length ? encodeURIComponent(parts[index] ?? '') : ''))
    .join('')
}

/** Sends and reads the JSON of the answer; no body is undefined. */
export async function ask<T>(send: Send, request: Ask): Promise<T> {
  const response = await send(request)
  if (response.status === 204) return undefined as T
  return readJson<T>(response)
}

export async function readJson<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T
  } catch {
    throw new ParleyError('The answer is no JSON: does baseUrl point at a Parley service?')
  }
}
