// Twilio's own library is the judge: whatever it takes for signed, so do we, and nothing else.
import { createHash } from 'node:crypto'
import twilio from 'twilio'
import { describe, expect, test } from 'vitest'
import { isSignedByTwilio } from '../../src/providers/twilio/signature.js'

const token = 'the token'
const form = { To: '+15005550006', Body: "It's ok & fine ü 🙂", From: '+14155550100', Empty: '' }
const encoded = Buffer.from(new URLSearchParams(form).toString())

const request = (url: string, signature: string | undefined, body = encoded) => ({
  kind: 'sms',
  url,
  headers: { 'x-twilio-signature': signature },
  body,
})
const sign = (url: string, fields: Record<string, unknown> = form) =>
  twilio.getExpectedTwilioSignature(token, url, fields)

const called = 'https://parley.example/api/v1/inbound/1/sms'

describe('the forms of an address that Twilio signs', () => {
  const query = "?sms=1&name=O'Neil%20%26%20Co"
  test.each([
    ['as it is', called, called],
    ['with its port', called.replace('.example', '.example:443'), called],
    ['without its port', called, called.replace('.example', '.example:443')],
    ['with a query', called + query, called + query],
    ['with a query, escaped by the parser', new URL(called + query).href, called + query],
    ['with another port', called.replace('.example', '.example:8443'), called.replace('.example', '.example:8443')],
    ['over http', called.replace('https', 'http'), called.replace('https', 'http')],
    [
      'over http with its port',
      called.replace('https', 'http').replace('.example', '.example:80'),
      called.replace('https', 'http'),
    ],
  ])('%s', (_what, signed, seen) => {
    expect(isSignedByTwilio(request(seen, sign(signed)), [token])).toBe(true)
  })

  test('every form that the library itself takes is taken', () => {
    const urls = [called, called + query, called.replace('.example', '.example:443') + query, `${called}?a=%27&b=x%20y`]
    for (const signed of urls)
      for (const seen of urls)
        if (twilio.validateRequest(token, sign(signed), seen, form))
          expect(isSignedByTwilio(request(seen, sign(signed)), [token]), `${signed} seen as ${seen}`).toBe(true)
  })
})

test('fields that come several times are signed as the library signs them', () => {
  const body = Buffer.from('Media=b&Media=a&Media=b&To=1')
  const signature = sign(called, { Media: ['b', 'a', 'b'], To: '1' })
  expect(isSignedByTwilio(request(called, signature, body), [token])).toBe(true)
})

test('a JSON body is signed by its hash, and another body is not', () => {
  const text = JSON.stringify({ MessageSid: 'SM1' })
  const url = `${called}?bodySHA256=${createHash('sha256').update(text).digest('hex')}`
  const signature = sign(url, {})
  expect(twilio.validateRequestWithBody(token, signature, url, text)).toBe(true)
  expect(isSignedByTwilio(request(url, signature, Buffer.from(text)), [token])).toBe(true)
  expect(isSignedByTwilio(request(url, signature, Buffer.from(`${text} `)), [token])).toBe(false)
  expect(isSignedByTwilio(request(called, signature, Buffer.from(text)), [token])).toBe(false)
})

test('anything else is refused', () => {
  const good = sign(called)
  expect(isSignedByTwilio(request(called, undefined), [token])).toBe(false)
  expect(isSignedByTwilio(request(called, ''), [token])).toBe(false)
  expect(isSignedByTwilio(request(called, good), ['another'])).toBe(false)
  expect(isSignedByTwilio(request(called, good), [])).toBe(false)
  expect(isSignedByTwilio(request(called.replace('sms', 'voice'), good), [token])).toBe(false)
  expect(isSignedByTwilio(request(called.replace('parley', 'evil'), good), [token])).toBe(false)
  expect(isSignedByTwilio(request(`${called}?x=1`, good), [token])).toBe(false)
  expect(isSignedByTwilio(request(called, good, Buffer.from('To=1')), [token])).toBe(false)
  expect(isSignedByTwilio(request(called, good), ['another', token])).toBe(true)
})
