// Senders and subscribers for one test file: a private authority, a sender that trusts it and may reach loopback, and
// everything closed after each test.

import {
  createSender,
  type Sender,
  type SenderOptions,
  type SendRequest,
} from '../../../src/delivery/attempt/attempt.js'
import { newSecret } from '../../../src/delivery/attempt/sign.js'
import { readNetworks } from '../../../src/delivery/transport/address-policy.js'
import { closeAfterTest } from '../after-each.js'
import { createAuthority } from './certificates.js'
import {
  type Answer,
  type Listener,
  type ListenOptions,
  type Subscriber,
  startSubscriber,
  startTcp,
} from './subscriber.js'

export const authority = createAuthority()
export const certificate = authority.issue(['IP:127.0.0.1', 'IP:127.0.0.2', 'DNS:hooks.example.com'])

/** What a test is not about does not run out of time, however slow the machine is. */
export function sender(options: Partial<SenderOptions> = {}): Sender {
  const made = createSender({
    version: '9.9.9',
    ca: authority.ca,
    opened: readNetworks(['127.0.0.0/8']),
    lookup: () => Promise.reject(new Error('a literal address is never looked up')),
    timeoutMs: 30_000,
    bodyTimeoutMs: 10_000,
    keepAliveMs: 60_000,
    dnsCacheMs: 0,
    ...options,
  })
  closeAfterTest(() => made.close())
  return made
}

export async function subscriber(answer: Answer, own = certificate, at: ListenOptions = {}): Promise<Subscriber> {
  const started = await startSubscriber(own, answer, at)
  closeAfterTest(() => started.close())
  return started
}

export async function listener(started: Promise<Listener>): Promise<Listener> {
  const listening = await started
  closeAfterTest(() => listening.close())
  return listening
}

/** A url whose port was free a moment ago. */
export async function closedUrl(): Promise<string> {
  const { url, close } = await startTcp(() => undefined)
  await close()
  return url
}

export const ok: Answer = (_request, response) => response.end('thanks')

export const secret = newSecret()
export const body = Buffer.from('{"eventId":"01JH2M3N4P5Q6R7S8T9V0W1X2Y","data":{"name":"Zoë"}}')

export function requestTo(url: string, change: Partial<SendRequest> = {}): SendRequest {
  const ids = {
    tenantId: 't-1',
    subscriptionId: 's-1',
    eventId: '01JH2M3N4P5Q6R7S8T9V0W1X2Y',
    eventType: 'call.ended',
    deliveryId: 'd-1',
  }
  return { url, body, secrets: [secret], ...ids, attempt: 3, ...change }
}
