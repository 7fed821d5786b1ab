// Proves that a webhook comes from the service and was not changed on its way. It stands alone: import it without the
// client where size matters.
import type { ParleyEvent } from './events.js'

export type { EventOf, ParleyEvent, UnknownEvent } from './events.js'
export type { EventType } from './generated/events.js'

/** Why a webhook was refused, for logs. Tell the sender nothing but 400. */
export type Refusal =
  | 'missing_signature'
  | 'malformed_signature'
  | 'stale_timestamp'
  | 'wrong_signature'
  | 'malformed_body'

/** The only error that `verifyWebhook` throws for a request, whatever is in it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: Refusal

  constructor(reason: Refusal, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The body as it came. A parsed body will not do: JSON that is written again has other bytes. */
export type RawBody = string | ArrayBuffer | Uint8Array

/** Headers of any kind: `Headers`, Node's `request.headers`, or a plain object. Names may have any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** The clock, in milliseconds, for tests. */
  readonly now?: number
}

const header = 'x-service-signature'
const toleranceSeconds = 300

/**
 * The event in a webhook, or a WebhookVerificationError. `secret` is the subscription's, `whsec_…`; give several
 * while you exchange one for another. Times more than 300 seconds away from the clock, in either direction, are
 * refused.
 */
export async function verifyWebhook(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { now = Date.now() }: VerifyOptions = {},
): Promise<ParleyEvent> {
  const secrets = Array.isArray(secret) ? secret : [secret]
  if (secrets.length === 0 || secrets.some((one) => typeof one !== 'string' || one === ''))
    throw new TypeError(
      'verifyWebhook got no secret: is the variable set that holds the signing secret of the subscription (whsec_…)?',
    )
  const body = bytesOf(rawBody)
  const { timestamp, signatures } = parse(valueOf(headers))
  if (Math.abs(now / 1000 - timestamp) > toleranceSeconds)
    throw refuse('stale_timestamp', 'The signature is too old or too far ahead: is the clock right?')
  const expected = await Promise.all(secrets.map(async (one) => hexOf(await hmac(encode(one), `${timestamp}.`, body))))
  // Every pair is compared, so that the time taken does not tell which one matched.
  const isGenuine = expected.flatMap((ours) => signatures.map((theirs) => isSame(ours, theirs))).includes(true)
  if (!isGenuine)
    throw refuse(
      'wrong_signature',
      'The signature does not match: is this the secret of this subscription, and is the body raw?',
    )
  return eventOf(body)
}

/** Signs a body as the service does, in both of its schemes, for the tests of a receiver. */
export async function signForTest(
  body: RawBody | object,
  secret: string,
  { now = Date.now() }: VerifyOptions = {},
): Promise<{ body: string; headers: Record<string, string> }> {
  const text = isRaw(body) ? new TextDecoder().decode(bytesOf(body)) : JSON.stringify(body)
  const bytes = encode(text)
  const timestamp = Math.floor(now / 1000)
  const { type = '', eventId = '' } = read(text) as { type?: string; eventId?: string }
  const [plain, standard] = await Promise.all([
    hmac(encode(secret), `${timestamp}.`, bytes),
    hmac(standardKey(secret), `${eventId}.${timestamp}.`, bytes),
  ])
  const headers = {
    'content-type': 'application/json',
    'x-service-signature': `t=${timestamp},v1=${hexOf(plain)}`,
    'x-service-event': type,
    'x-service-event-id': eventId,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${btoa(String.fromCharCode(...standard))}`,
  }
  return { body: text, headers }
}

const refuse = (reason: Refusal, message: string) => new WebhookVerificationError(reason, message)

const isRaw = (body: unknown): body is RawBody =>
  typeof body === 'string' || body instanceof ArrayBuffer || ArrayBuffer.isView(body)

function bytesOf(body: RawBody): Uint8Array<ArrayBuffer> {
  if (!isRaw(body)) throw new TypeError('verifyWebhook needs the raw body, as text or bytes, not a parsed one')
  if (typeof body === 'string') return encode(body)
  return new Uint8Array(body as Uint8Array<ArrayBuffer>)
}

/** Several headers of one name come in an array, or joined by commas. */
function valueOf(headers: WebhookHeaders): string {
  const own = (headers ?? {}) as Record<string, unknown>
  const name = Object.keys(own).find((one) => one.toLowerCase() === header)
  const value =
    name !== undefined
      ? own[name]
      : typeof own['get'] === 'function'
        ? (own as unknown as Headers).get(header)
        : undefined
  const text = Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(',') : value
  if (typeof text !== 'string' || text === '')
    throw refuse('missing_signature', 'There is no X-Service-Signature header')
  return text
}

/**
 * `t=1767225600,v1=<hex>[,v1=<hex>]`; parts of other names are passed over, because a later scheme would stand beside
 * this one.
 */
function parse(value: string): { timestamp: number; signatures: string[] } {
  const parts = value.split(',').map((part) => part.trim())
  const times = parts.filter((part) => part.startsWith('t=')).map((part) => part.slice(2))
  const signatures = parts.filter((part) => /^v1=[0-9a-f]{64}$/.test(part)).map((part) => part.slice(3))
  const [time = ''] = times
  if (times.length !== 1 || !/^\d{1,12}$/.test(time) || signatures.length === 0)
    throw refuse('malformed_signature', 'The X-Service-Signature header cannot be read')
  return { timestamp: Number(time), signatures }
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The bytes behind the prefix. A secret made up for a test may be no base64; its own letters do as well. */
function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.replace(/^whsec_/, '')
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return encode(text)
  }
}

async function hmac(secret: Uint8Array<ArrayBuffer>, prefix: string, body: Uint8Array): Promise<Uint8Array> {
  const before = encode(prefix)
  const signed = new Uint8Array(before.length + body.length)
  signed.set(before)
  signed.set(body, before.length)
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
}

/** Takes the same time wherever the two differ. Both are 64 characters long by now. */
function isSame(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}

function eventOf(body: Uint8Array): ParleyEvent {
  const event = read(new TextDecoder().decode(body))
  if (typeof event['eventId'] !== 'string' || !isObject(event['data']))
    throw refuse('malformed_body', 'The body is signed but is no event')
  return event as unknown as ParleyEvent
}

function read(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
