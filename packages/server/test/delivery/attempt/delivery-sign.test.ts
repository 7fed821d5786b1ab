// Signatures of webhooks, checked by verifiers that were written elsewhere: `standardwebhooks` always, `svix` and
// `stripe` where they are installed.

import { createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import {
  formatSignature,
  isFreshTimestamp,
  parseSignature,
  parseStandardSignature,
  webhookHeaders,
} from '@parley/contract'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { newSecret, sign } from '../../../src/delivery/attempt/sign.js'

const eventId = '01JH2M3N4P5Q6R7S8T9V0W1X2Y'
const body = Buffer.from('{"eventId":"01JH2M3N4P5Q6R7S8T9V0W1X2Y","data":{"summary":"Zoë — 日本語 🎉"}}')
const nowSeconds = () => Math.floor(Date.now() / 1000)

interface Delivered {
  headers: Record<string, string>
  body: Buffer
  secret: string
}

/** Throws when the delivery is refused. */
type Verifier = (delivered: Delivered) => unknown

interface Stripe {
  webhooks: { constructEvent(body: Buffer, header: string, secret: string): unknown }
}

const require = createRequire(import.meta.url)
const isInstalled = (name: string): boolean => {
  try {
    return require.resolve(name) !== ''
  } catch {
    return false
  }
}

const verifiers: Record<string, Verifier> = {
  standardwebhooks: ({ headers, body, secret }) => new Webhook(secret).verify(body.toString(), headers),
  svix: ({ headers, body, secret }) =>
    new (require('svix') as { Webhook: typeof Webhook }).Webhook(secret).verify(body.toString(), headers),
  stripe: ({ headers, body, secret }) =>
    (require('stripe') as Stripe).webhooks.constructEvent(body, headers[webhookHeaders.signature] ?? '', secret),
}

for (const [name, verify] of Object.entries(verifiers))
  describe.skipIf(!isInstalled(name))(name, () => {
    const fresh = (change: Partial<Delivered> & { timestamp?: number; secrets?: string[] } = {}) => {
      const secret = newSecret()
      const headers = sign({
        secrets: change.secrets ?? [secret],
        eventId,
        body,
        timestamp: change.timestamp ?? nowSeconds(),
      })
      return { headers, body, secret, ...change }
    }

    test('accepts what was signed', () => {
      expect(verify(fresh())).toMatchObject({ eventId })
    })

    test('refuses a body that differs in one byte', () => {
      const changed = Buffer.from(body)
      changed[20] = (changed[20] ?? 0) ^ 1
      expect(() => verify(fresh({ body: changed }))).toThrow()
    })

    test('refuses another secret', () => {
      expect(() => verify(fresh({ secret: newSecret() }))).toThrow()
    })

    test('refuses another time than the signed one', () => {
      const delivered = fresh()
      const later = String(nowSeconds() + 1)
      delivered.headers[webhookHeaders.standardTimestamp] = later
      delivered.headers[webhookHeaders.signature] =
        delivered.headers[webhookHeaders.signature]?.replace(/t=\d+/, `t=${later}`) ?? ''
      expect(() => verify(delivered)).toThrow()
    })

    test('refuses a signature that is older than five minutes', () => {
      expect(() => verify(fresh({ timestamp: nowSeconds() - 310 }))).toThrow()
    })

    // Stripe's verifier takes any time from the future.
    test.skipIf(name === 'stripe')('refuses a signature from more than five minutes ahead', () => {
      expect(() => verify(fresh({ timestamp: nowSeconds() + 310 }))).toThrow()
    })

    test('accepts either secret during a rotation', () => {
      const secrets = [newSecret(), newSecret()]
      for (const secret of secrets) expect(verify(fresh({ secrets, secret }))).toMatchObject({ eventId })
    })
  })

test('the signature is the HMAC of time, dot and raw bytes, keyed with the whole secret as text', () => {
  const secret = newSecret()
  const headers = sign({ secrets: [secret], eventId, body, timestamp: 1_767_225_600 })
  const expected = createHmac('sha256', secret).update(`1767225600.${body.toString()}`).digest('hex')
  expect(headers).toMatchObject({
    'X-Service-Signature': `t=1767225600,v1=${expected}`,
    'webhook-id': eventId,
    'webhook-timestamp': '1767225600',
  })
})

test('during a rotation both headers carry two signatures, the newest secret first', () => {
  const [newer, older] = [newSecret(), newSecret()]
  const both = sign({ secrets: [newer, older], eventId, body, timestamp: 1_767_225_600 })
  const alone = [newer, older].map((secret) => sign({ secrets: [secret], eventId, body, timestamp: 1_767_225_600 }))
  const first = (header: string) => alone.map((headers) => headers[header] ?? '')
  expect(parseSignature(both[webhookHeaders.signature] ?? '')?.signatures).toEqual(
    first(webhookHeaders.signature).map((header) => header.split('v1=')[1]),
  )
  expect(both[webhookHeaders.standardSignature]).toBe(first(webhookHeaders.standardSignature).join(' '))
  expect(parseStandardSignature(both[webhookHeaders.standardSignature] ?? '')).toHaveLength(2)
})

test('nothing is signed without a secret', () => {
  expect(() => sign({ secrets: [], eventId, body, timestamp: 1 })).toThrow(/unsigned/)
})

test('a new secret is whsec_ and the base64 form of 32 bytes, and never twice the same', () => {
  const secrets = Array.from({ length: 100 }, newSecret)
  expect(new Set(secrets).size).toBe(100)
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
})

test('a signature header is read back as it was written', () => {
  const hex = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'))
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 99_999_999_999 }),
      fc.array(hex, { minLength: 1, maxLength: 3 }),
      (timestamp, signatures) => {
        expect(parseSignature(formatSignature({ timestamp, signatures }))).toEqual({ timestamp, signatures })
      },
    ),
  )
})

const hex = 'a'.repeat(64)
test.each([
  ['', null],
  ['t=1', null],
  [`v1=${hex}`, null],
  [`t=,v1=${hex}`, null],
  [`t=NaN,v1=${hex}`, null],
  [`t=Infinity,v1=${hex}`, null],
  [`t=-5,v1=${hex}`, null],
  [`t=1e3,v1=${hex}`, null],
  [`t=1,t=2,v1=${hex}`, null],
  [`t=1,v1=${hex.slice(1)}`, null],
  [`t=1,v1=${hex}0`, null],
  [`t=1,v1=${'z'.repeat(64)}`, null],
  [`t=1,v0=${hex}`, null],
  [`t=1, v1=${hex}`, { timestamp: 1, signatures: [hex] }],
  [`v2=x,v1=${hex},t=1`, { timestamp: 1, signatures: [hex] }],
])('the signature header %j reads as %j', (header, expected) => {
  expect(parseSignature(header)).toEqual(expected)
})

test('a time is fresh within five minutes, in both directions', () => {
  expect([-301, -300, 0, 300, 301].map((shift) => isFreshTimestamp(1_000_000 + shift, 1_000_000))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ])
  expect(isFreshTimestamp(Number.NaN, 1_000_000)).toBe(false)
})
