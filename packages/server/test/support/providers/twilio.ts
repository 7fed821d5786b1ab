// Plays Twilio against a running service: sends what Twilio sends, signed by Twilio's own library.
import { createHash } from 'node:crypto'
import twilio from 'twilio'
import type { Client } from '../service.js'

export const accountSid = `AC${'0a'.repeat(16)}`
export const authToken = 'the-auth-token-of-the-account'
export const ours = '+15005550006'

type Form = Readonly<Record<string, string>>

export interface TwilioConnection {
  readonly id: string
  readonly urls: Readonly<Record<string, string>>
}

export async function connectTwilio(api: Client, more: Record<string, unknown> = {}): Promise<TwilioConnection> {
  const made = await api.post('/integration-connections', {
    provider: 'twilio',
    name: 'Phones',
    config: { accountSid },
    credentials: { authToken },
    status: 'active',
    ...more,
  })
  if (made.status !== 201) throw new Error(made.text)
  return { id: made.body.id, urls: made.body.inboundUrls }
}

/** The signature as Twilio's library makes it. */
export const signatureOf = (url: string, form: Form, token = authToken): string =>
  twilio.getExpectedTwilioSignature(token, url, form)

export interface SentRequest {
  readonly token?: string
  readonly signature?: string
  readonly headers?: Record<string, string>
}

export async function sendForm(url: string, fields: Form, how: SentRequest = {}): Promise<Response> {
  const form = { AccountSid: accountSid, ApiVersion: '2010-04-01', ...fields }
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'x-twilio-signature': how.signature ?? signatureOf(url, form, how.token),
      ...how.headers,
    },
    body: new URLSearchParams(form).toString(),
  })
}

/** A JSON body, whose hash is part of the address that is signed. */
export async function sendJson(url: string, body: object): Promise<Response> {
  const text = JSON.stringify(body)
  const signed = `${url}?bodySHA256=${createHash('sha256').update(text).digest('hex')}`
  return fetch(signed, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-twilio-signature': signatureOf(signed, {}) },
    body: text,
  })
}

let sids = 0
/** A new sid, as Twilio makes them. */
export const newSid = (prefix: string): string => `${prefix}${String(++sids).padStart(32, '0')}`

export const textForm = (more: Form = {}): Form => ({
  MessageSid: newSid('SM'),
  From: '+14155550100',
  To: ours,
  Body: 'Hello',
  NumMedia: '0',
  ...more,
})
