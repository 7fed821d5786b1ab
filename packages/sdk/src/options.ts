// What a client is made with, and what it takes from the environment where nothing is said.
import { ParleyError } from './errors.js'
import type { Logger, LogLevel } from './log.js'

export interface ParleyOptions {
  /** `ak_test_…` for the sandbox, `ak_live_…` for production; `PARLEY_API_KEY` of the environment unless said. */
  readonly apiKey?: string | undefined
  /** Instead of a key, in a page of the service itself: the session of whoever has signed in there, by its cookie. */
  readonly session?: SessionPlace | undefined
  /**
   * Where the service runs, for example `https://parley.example.com`. Unless said, `PARLEY_BASE_URL` of the
   * environment; with a session, where the page comes from.
   */
  readonly baseUrl?: string | undefined
  /** For each attempt; 30 seconds unless said otherwise. */
  readonly timeoutMs?: number | undefined
  /** Attempts after the first; 3 unless said otherwise. */
  readonly maxRetries?: number | undefined
  /**
   * How many answers of 429 and 503 are waited out besides, before they count as retries; none unless said otherwise.
   * For work that may take its time.
   */
  readonly maxWaits?: number | undefined
  /**
   * Whether requests wait their turn once the bucket of the rate limit is empty; true unless said otherwise. With it a
   * crowd of writers finishes as quickly as the limit allows.
   */
  readonly pacing?: boolean | undefined
  /** Another `fetch`, for tests and for proxies. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Told of requests as far as `logLevel` goes; the console unless said otherwise. */
  readonly logger?: Logger | undefined
  /** How much is logged: nothing unless said here or by `PARLEY_LOG` of the environment. */
  readonly logLevel?: LogLevel | undefined
}

/** Where a signed-in user acts. What is about the user alone needs neither. */
export interface SessionPlace {
  readonly organizationId?: string | undefined
  readonly environment?: 'sandbox' | 'production' | undefined
}

/** A variable of the environment, where there is one: browsers have none, and Deno may not let us look. */
export function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  try {
    return process?.env?.[name]
  } catch {
    return undefined
  }
}

/** The root of the API. */
export function rootOf({ baseUrl, session }: ParleyOptions): string {
  const page = session && (globalThis as { location?: { origin?: string } }).location?.origin
  const said = baseUrl ?? page ?? variable('PARLEY_BASE_URL')
  if (said === undefined) throw new ParleyError('No baseUrl: set PARLEY_BASE_URL, or pass new Parley({ baseUrl })')
  if (!/^https?:\/\/[^\s/]/.test(said))
    throw new ParleyError(`The baseUrl must be an http or https address, not ${JSON.stringify(said)}`)
  const root = said.replace(/\/+$/, '')
  return root.endsWith('/api/v1') ? root : `${root}/api/v1`
}

/** The headers that say who asks. */
export function credentialsOf({ apiKey, session }: ParleyOptions): Record<string, string> {
  if (session && apiKey === undefined)
    return {
      ...(session.organizationId && { 'x-parley-organization': session.organizationId }),
      ...(session.environment && { 'x-parley-environment': session.environment }),
    }
  const key = apiKey ?? variable('PARLEY_API_KEY')
  if (!key)
    throw new ParleyError(
      'No apiKey: set PARLEY_API_KEY, or pass new Parley({ apiKey }); in a page of the service, pass a session',
    )
  if (/[^!-~]/.test(key)) throw new ParleyError('The apiKey has characters that no key has: copy it again')
  return { authorization: `Bearer ${key}` }
}
