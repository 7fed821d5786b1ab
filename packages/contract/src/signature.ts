// The signature of a webhook as it travels: header names, the text that is signed, and the form of the signature
// headers. It builds and reads strings only, so that it runs anywhere; whoever signs or verifies brings the HMAC.

import { limits } from './limits.js'

export const webhookHeaders = {
  signature: 'X-Service-Signature',
  event: 'X-Service-Event',
  eventId: 'X-Service-Event-Id',
  deliveryId: 'X-Service-Delivery-Id',
  attempt: 'X-Service-Attempt',
  standardId: 'webhook-id',
  standardTimestamp: 'webhook-timestamp',
  standardSignature: 'webhook-signature',
} as const

/** How far the time of a signature may be from the verifier's clock, in either direction. */
export const signatureToleranceSeconds = limits.webhookToleranceSeconds

/** Every signing secret begins with this. The rest is the base64 form of the key of the Standard Webhooks signature. */
export const secretPrefix = 'whsec_'

/** A signature header taken apart. There is one signature for each secret that signs: two while a secret is rotated. */
export interface Signature {
  timestamp: number
  signatures: readonly string[]
}

/** What goes before the raw body in the text that `X-Service-Signature` signs. */
export function signedPrefix(timestamp: number): string {
  return `${timestamp}.`
}

/** What goes before the raw body in the text that `webhook-signature` signs. */
export function standardSignedPrefix(eventId: string, timestamp: number): string {
  return `${eventId}.${timestamp}.`
}

/** `t=1767225600,v1=<hex>`, with one `v1` for each secret. */
export function formatSignature({ timestamp, signatures }: Signature): string {
  return [`t=${timestamp}`, ...signatures.map((hex) => `v1=${hex}`)].join(',')
}

/** `v1,<base64>`, separated by spaces, one for each secret. */
export function formatStandardSignature(signatures: readonly string[]): string {
  return signatures.map((base64) => `v1,${base64}`).join(' ')
}

/**
 * Reads `X-Service-Signature`. Parts of other names are passed over, because a later scheme would stand beside this
 * one. Null means that the header cannot be trusted: no time, two times, a time that is not a plain number of seconds,
 * or no well-formed `v1`.
 */
export function parseSignature(header: string): Signature | null {
  const times: string[] = []
  const signatures: string[] = []
  for (const part of header.split(',')) {
    const [name, value] = splitOnce(part.trim(), '=')
    if (name === 't') times.push(value)
    if (name === 'v1' && /^[0-9a-f]{64}$/.test(value)) signatures.push(value)
  }
  const [time] = times
  if (time === undefined || times.length > 1 || !/^\d{1,12}$/.test(time) || signatures.length === 0) return null
  return { timestamp: Number(time), signatures }
}

/** Reads `webhook-signature`: the base64 signatures of version 1, possibly none. */
export function parseStandardSignature(header: string): readonly string[] {
  return header
    .split(' ')
    .map((part) => splitOnce(part, ','))
    .filter(([version, value]) => version === 'v1' && value !== '')
    .map(([, value]) => value)
}

/** A time from the future is refused like one from the past: otherwise a captured request could be made to keep. */
export function isFreshTimestamp(timestamp: number, nowSeconds: number): boolean {
  return Number.isFinite(timestamp) && Math.abs(nowSeconds - timestamp) <= signatureToleranceSeconds
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}
