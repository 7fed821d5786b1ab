// Signs the stored bytes of an event for one attempt: the specification's header and the Standard Webhooks trio, from
// the same secrets. The form of the headers is the contract's; this file adds the HMAC.

import { createHmac, randomBytes } from 'node:crypto'
import {
  formatSignature,
  formatStandardSignature,
  secretPrefix,
  signedPrefix,
  standardSignedPrefix,
  webhookHeaders,
} from '@parley/contract'

export interface SigningRequest {
  /** The newest first. There are two while a secret is being rotated, and both sign. */
  secrets: readonly string[]
  eventId: string
  body: Uint8Array
  timestamp: number
}

export function sign({ secrets, eventId, body, timestamp }: SigningRequest): Record<string, string> {
  if (secrets.length === 0) throw new Error('a webhook is never sent unsigned: at least one secret is needed')
  const plain = signedPrefix(timestamp)
  const standard = standardSignedPrefix(eventId, timestamp)
  return {
    [webhookHeaders.signature]: formatSignature({
      timestamp,
      signatures: secrets.map((secret) => createHmac('sha256', secret).update(plain).update(body).digest('hex')),
    }),
    [webhookHeaders.standardId]: eventId,
    [webhookHeaders.standardTimestamp]: String(timestamp),
    [webhookHeaders.standardSignature]: formatStandardSignature(
      secrets.map((secret) => createHmac('sha256', standardKey(secret)).update(standard).update(body).digest('base64')),
    ),
  }
}

export function newSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64')
}

/**
 * The specification keys its HMAC with the whole secret as text, Standard Webhooks with the bytes behind the prefix.
 */
function standardKey(secret: string): Buffer {
  return Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64')
}
