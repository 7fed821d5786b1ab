// The verifier against independent signatures, against clocks that are wrong, and against headers that nobody would
// send.
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { parseSignature, signatureToleranceSeconds } from '@parley/contract'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, expectTypeOf, test } from 'vitest'
import { sign } from '../../server/src/delivery/attempt/sign.js'
import { type ParleyEvent, signForTest, verifyWebhook, WebhookVerificationError } from '../src/webhooks.js'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const now = 1_767_225_600_000
const seconds = now / 1000
const body = JSON.stringify({
  eventId: '01KDVDNKG0',
  type: 'note.added',
  occurredAt: '2026-01-01T00:00:00.000Z',
  organizationId: 'o',
  data: { noteId: 'n — ü' },
})
const hex = (text: string, key = secret) => createHmac('sha256', key).update(text).digest('hex')
const header = (value: string) => ({ 'X-Service-Signature': value })
const good = header(`t=${seconds},v1=${hex(`${seconds}.${body}`)}`)

const refusal = async (...args: Parameters<typeof verifyWebhook>): Promise<unknown> => {
  try {
    await verifyWebhook(...args)
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.reason : error
  }
  return 'accepted'
}

test('it accepts what openssl signs', async () => {
  const made = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret, '-hex'], {
    input: `${seconds}.${body}`,
    encoding: 'utf8',
  })
  const signature = /[0-9a-f]{64}/.exec(made)?.[0]
  const event = await verifyWebhook(body, header(`t=${seconds},v1=${signature}`), secret, { now })
  expect(event.eventId).toBe('01KDVDNKG0')
})

test('it accepts what the service signs, with one secret and with two', async () => {
  const other = `whsec_${Buffer.from('another key of 24 bytes!').toString('base64')}`
  for (const secrets of [[secret], [other, secret], [secret, other]]) {
    const headers = sign({ secrets, eventId: '01KDVDNKG0', body: Buffer.from(body), timestamp: seconds })
    expect((await verifyWebhook(body, headers, secret, { now })).data).toEqual({ noteId: 'n — ü' })
  }
})

test('it takes raw bytes of any kind, and headers of any kind', async () => {
  const bytes = new TextEncoder().encode(body)
  const padded = Buffer.concat([Buffer.from('xx'), bytes]).subarray(2)
  for (const raw of [body, bytes, bytes.buffer as ArrayBuffer, Buffer.from(body), padded])
    expect(await refusal(raw, good, secret, { now })).toBe('accepted')
  const value = good['X-Service-Signature']
  for (const headers of [
    new Headers(good),
    { 'x-service-signature': value },
    { 'X-SERVICE-SIGNATURE': [value] },
    { 'x-service-signature': value.split(',') },
  ]) {
    expect(await refusal(body, headers, secret, { now })).toBe('accepted')
  }
})

test('it refuses a body that is parsed or changed by a single byte', async () => {
  expect(await refusal(JSON.parse(body), good, secret, { now })).toBeInstanceOf(TypeError)
  expect(await refusal(`${body} `, good, secret, { now })).toBe('wrong_signature')
  expect(await refusal(body.replace('n —', 'm —'), good, secret, { now })).toBe('wrong_signature')
})

test('it refuses other secrets, and a secret that is missing', async () => {
  expect(await refusal(body, good, 'whsec_other', { now })).toBe('wrong_signature')
  expect(await refusal(body, good, ['whsec_other', secret], { now })).toBe('accepted')
  expect(await refusal(body, good, '', { now })).toBeInstanceOf(TypeError)
  expect(await refusal(body, good, [], { now })).toBeInstanceOf(TypeError)
})

test('it refuses times more than 300 seconds away, in both directions, and times that are no numbers', async () => {
  expect(signatureToleranceSeconds).toBe(300)
  const at = (t: number | string) => header(`t=${t},v1=${hex(`${t}.${body}`)}`)
  for (const t of [seconds - 300, seconds + 300]) expect(await refusal(body, at(t), secret, { now })).toBe('accepted')
  for (const t of [seconds - 301, seconds + 301, 0, 999_999_999_999])
    expect(await refusal(body, at(t), secret, { now })).toBe('stale_timestamp')
  for (const t of ['NaN', 'Infinity', '', '-1', '1e9', '0x10', ' ', `${seconds}.5`, '1'.repeat(400)]) {
    expect(await refusal(body, at(t), secret, { now }), t).toBe('malformed_signature')
  }
})

test('it refuses headers that are missing, doubled or of another scheme alone', async () => {
  const v1 = hex(`${seconds}.${body}`)
  expect(await refusal(body, {}, secret, { now })).toBe('missing_signature')
  expect(await refusal(body, new Headers(), secret, { now })).toBe('missing_signature')
  for (const value of [
    `v1=${v1}`,
    `t=${seconds}`,
    `t=${seconds},v0=${v1}`,
    `t=${seconds},t=${seconds},v1=${v1}`,
    `t=${seconds},v1=${v1.toUpperCase()}`,
    'x',
  ]) {
    expect(await refusal(body, header(value), secret, { now }), value).toBe('malformed_signature')
  }
  expect(await refusal(body, header(`t=${seconds}, v2=future, v1=${'0'.repeat(64)} , v1=${v1}`), secret, { now })).toBe(
    'accepted',
  )
})

test('a signed body that is no event is refused', async () => {
  for (const text of ['', 'null', '[]', '{}', '"x"', '{"eventId":1,"data":{}}', '{"eventId":"x","data":null}', '{']) {
    const headers = header(`t=${seconds},v1=${hex(`${seconds}.${text}`)}`)
    expect(await refusal(text, headers, secret, { now }), text).toBe('malformed_body')
  }
})

test('whatever the headers, nothing but the documented error is thrown', async () => {
  const values = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^(t=|v1=|,|[0-9a-f ])*$/),
    fc.array(fc.string()),
    fc.anything(),
  )
  const headers = fc.oneof(
    fc.dictionary(fc.oneof(fc.constant('x-service-signature'), fc.string()), values),
    fc.record({ 'x-service-signature': values }),
    fc.constantFrom(undefined, null, 0, 'x', [], Symbol.iterator),
  )
  await fc.assert(
    fc.asyncProperty(headers, fc.string(), async (sent, raw) => {
      await expect(verifyWebhook(raw, sent as never, secret, { now })).rejects.toBeInstanceOf(WebhookVerificationError)
    }),
    { numRuns: 2_000 },
  )
})

test('it reads a header exactly as the contract does', async () => {
  const parts = fc.constantFrom(
    't=',
    `t=${seconds}`,
    `v1=${'0'.repeat(64)}`,
    `v1=${'0'.repeat(63)}`,
    'v1=',
    'v0=x',
    't=1e3',
    ' ',
    '',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(parts, { maxLength: 5 }), async (list) => {
      const value = list.join(',')
      const reason = await refusal(body, header(value), secret, { now })
      if (value !== '') expect(reason === 'malformed_signature').toBe(parseSignature(value) === null)
    }),
    { numRuns: 500 },
  )
})

test('signForTest signs what verifyWebhook accepts, as the service would', async () => {
  const signed = await signForTest(JSON.parse(body), secret, { now })
  expect(signed.headers['x-service-event']).toBe('note.added')
  expect(signed.headers['x-service-event-id']).toBe('01KDVDNKG0')
  const theirs = sign({ secrets: [secret], eventId: '01KDVDNKG0', body: Buffer.from(body), timestamp: seconds })
  expect(signed.headers['x-service-signature']).toBe(theirs['X-Service-Signature'])
  expect((await verifyWebhook(signed.body, signed.headers, secret, { now })).type).toBe('note.added')
  const fresh = await signForTest(body, secret)
  expect((await verifyWebhook(fresh.body, fresh.headers, secret)).eventId).toBe('01KDVDNKG0')
})

test('signForTest makes the Standard Webhooks trio as well', async () => {
  const signed = await signForTest(body, secret)
  expect(new Webhook(secret).verify(signed.body, signed.headers)).toMatchObject({ eventId: '01KDVDNKG0' })
})

test('a switch on the type narrows the data, and an unknown type ends in default', () => {
  const seen = (event: ParleyEvent): string => {
    switch (event.type) {
      case 'call.ended':
        expectTypeOf(event.data.duration).toEqualTypeOf<number>()
        return event.data.callId
      case 'draft.approved':
        expectTypeOf(event.data.workRecord.title).toEqualTypeOf<string>()
        return event.data.workRecordId
      default:
        expectTypeOf(event.data).not.toBeAny()
        return event.type
    }
  }
  expect(seen({ type: 'later.version', data: {} } as unknown as ParleyEvent)).toBe('later.version')
})
