// What Twilio tells of SMS: one that came in, and what became of one that we sent.
import { limits } from '@parley/contract'
import { type Told, UnreadableRequest } from '../provider.js'
import type { Step } from '../step.js'
import { callerOf, channelOf, numberIn } from './callers.js'
import { wordsFor } from './error-codes.js'
import { twiml } from './twiml.js'

export type Form = Readonly<Record<string, string>>

/** The field of that name; a request without it is none of Twilio's. */
export function requiredField(form: Form, name: string): string {
  const value = form[name]
  if (value === undefined || value === '') throw new UnreadableRequest(`${name} is missing`)
  return value
}

const messageSid = (form: Form): string => form['MessageSid'] || form['SmsSid'] || requiredField(form, 'MessageSid')

export function inboundText(form: Form): Told {
  const sid = messageSid(form)
  return {
    ids: { MessageSid: sid },
    conversation: `sms ${form['From'] ?? ''} ${form['To'] ?? ''}`,
    naturalKey: `sms ${sid}`,
    ignored: whyIgnored(form),
    answer: () => twiml(''),
    steps: () => textSteps(form, sid),
  }
}

/** Channels that are no SMS go over the same account. */
function whyIgnored(form: Form): string | undefined {
  const channel = channelOf(form['From']) ?? channelOf(form['To'])
  if (channel === 'whatsapp') return 'WhatsApp messages are not taken yet'
  if (channel !== undefined) return `Messages of the channel ${channel} are not taken`
  return numberIn(form['To']) === null ? 'The text was not sent to a phone number' : undefined
}

function textSteps(form: Form, providerMessageId: string): Step[] {
  const to = requiredField(form, 'To').trim()
  const body = [...(form['Body'] ?? '')].slice(0, limits.smsLength).join('')
  const media = mediaOf(form)
  const numMedia = Math.min(Number(form['NumMedia'] ?? 0) || 0, limits.smsMediaItems)
  const optOutType = optOutTypes.find((type) => type === form['OptOutType']?.toUpperCase())
  const text = { from: callerOf(form['From']).from, to, body, numMedia, media, providerMessageId }
  return [
    { kind: 'number', e164: to },
    { kind: 'sms', body: { ...text, ...(optOutType !== undefined && { optOutType }) } },
  ]
}

const optOutTypes = ['STOP', 'START', 'HELP'] as const

function mediaOf(form: Form): { url: string; contentType: string }[] {
  const count = Math.min(Number(form['NumMedia'] ?? 0) || 0, limits.smsMediaItems)
  return Array.from({ length: count }, (_, index) => ({
    url: form[`MediaUrl${index}`] ?? '',
    contentType: form[`MediaContentType${index}`] ?? 'application/octet-stream',
  })).filter(({ url }) => url.startsWith('https://'))
}

const statuses: Readonly<Record<string, string>> = {
  accepted: 'queued',
  scheduled: 'queued',
  queued: 'queued',
  sending: 'queued',
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'undelivered',
  failed: 'failed',
  canceled: 'failed',
}

export function textStatus(form: Form, smsId: string | null): Told {
  const sid = messageSid(form)
  const said = form['MessageStatus'] ?? requiredField(form, 'SmsStatus')
  const status = statuses[said.toLowerCase()]
  const errorCode = form['ErrorCode'] || undefined
  const errorMessage = wordsFor(errorCode, form['ErrorMessage'] || undefined)
  return {
    ids: { MessageSid: sid },
    conversation: `sms ${sid}`,
    naturalKey: `sms ${sid} ${said}`,
    ignored: status === undefined ? `Twilio's status ${said} says nothing about a text that we sent` : undefined,
    steps: () => [
      {
        kind: 'sms-status',
        smsId,
        providerMessageId: sid,
        report: { status, providerMessageId: sid, ...(errorCode !== undefined && { errorCode, errorMessage }) },
      },
    ],
  }
}
