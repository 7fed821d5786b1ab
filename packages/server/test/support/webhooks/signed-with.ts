// Whether a webhook was signed with a secret, computed as a receiver does.
import { createHmac } from 'node:crypto'
import type { Received } from './subscriber.js'

export function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const [, time, signature] = /^t=(\d+),v1=([0-9a-f]+)/.exec(String(headers['x-service-signature'])) ?? []
  return signature === createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')
}
