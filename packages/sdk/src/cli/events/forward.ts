// One event to one receiver on this machine, signed as the service signs it, until the receiver has answered.
import { randomUUID } from 'node:crypto'
import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ParleyEvent } from '../../events.js'
import { signForTest } from '../../webhooks.js'
import type { Session } from '../session.js'
import { version } from '../version.js'

export interface Forwarding {
  readonly secret: string
  /** Sent along; what signs the event cannot be replaced. */
  readonly headers: Readonly<Record<string, string>>
  /** Certificates that this machine makes for itself are taken too. */
  readonly takesAnyCertificate: boolean
}

export interface Forwarded {
  readonly url: string
  readonly status: number
  readonly ms: number
  readonly attempt: number
}

/** Not there, or behind a proxy that says so: it will be back, and gets the event then. */
const isAway = (status: number): boolean => [502, 503, 504].includes(status)

/** Sends one event until the receiver has answered; undefined when the user has stopped meanwhile. */
export async function forward(
  { terminal, signal }: Session,
  url: string,
  event: ParleyEvent,
  forwarding: Forwarding,
): Promise<Forwarded | undefined> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    const startedAt = performance.now()
    const outcome = await post(url, event, attempt, forwarding, signal).catch((error: NodeJS.ErrnoException) => error)
    const ms = Math.round(performance.now() - startedAt)
    if (signal.aborted) break
    if (typeof outcome === 'number' && !isAway(outcome)) return { url, status: outcome, ms, attempt }
    if (attempt === 1) terminal.note(`${url} does not answer (${wordsOf(outcome)}); ${event.type} waits until it does.`)
    await sleep(Math.min(250 * 2 ** (attempt - 1), 5_000), undefined, { signal }).catch(() => undefined)
  }
  return undefined
}

function wordsOf(outcome: number | NodeJS.ErrnoException): string {
  if (typeof outcome === 'number') return String(outcome)
  const { code = outcome.message } = outcome
  return /CERT|SELF_SIGNED|VERIFY/.test(code) ? `${code}: --skip-verify takes any certificate` : code
}

const timeoutMs = 10_000

/** The status of the answer. */
async function post(
  url: string,
  event: ParleyEvent,
  attempt: number,
  { secret, headers: more, takesAnyCertificate }: Forwarding,
  signal: AbortSignal,
): Promise<number> {
  const { body, headers } = await signForTest(event, secret)
  const own = {
    'user-agent': `Parley-CLI/${version}`,
    'x-service-delivery-id': randomUUID(),
    'x-service-attempt': String(attempt),
    'content-length': Buffer.byteLength(body),
  }
  const options = {
    method: 'POST',
    headers: { ...more, ...headers, ...own },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    agent: false,
  } as const
  return new Promise((resolve, reject) => {
    const sent = url.startsWith('https:')
      ? requestTls(url, { ...options, rejectUnauthorized: !takesAnyCertificate })
      : requestPlain(url, options)
    sent.on('response', (response) => {
      response.resume().on('error', () => undefined)
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
