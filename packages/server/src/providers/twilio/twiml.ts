// The answers that Twilio acts on: announcements, forwarding, voicemail and hanging up, as TwiML.
import type { AnswerContext, InboundAnswer, Routing } from '../provider.js'
import { isOpen } from './opening-hours.js'

const VOICEMAIL_SECONDS_MAX = 180
const SILENCE_SECONDS = 5
const NOT_IN_SERVICE = 'This number does not take calls yet. Goodbye.'
const NOT_NOW = 'We cannot take your call right now. Please call again later. Goodbye.'
const CLOSED = 'We are closed at the moment. Goodbye.'
const LEAVE_MESSAGE = 'Please leave a message after the tone.'
const NOBODY = 'Nobody can take your call right now. Goodbye.'

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
/** Besides the five characters with a meaning, what XML 1.0 cannot hold at all. */
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (one) => escapes[one] ?? '')

function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
    .join('')
  return content === '' ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`
}

export const twiml = (content: string, decided?: string): InboundAnswer => ({
  status: 200,
  contentType: 'text/xml; charset=utf-8',
  body: `<?xml version="1.0" encoding="UTF-8"?><Response>${content}</Response>`,
  ...(decided !== undefined && { decided }),
})

const say = (text: string | null): string =>
  text === null || text.trim() === '' ? '' : element('Say', {}, escaped(text))
const hangUp = element('Hangup', {})

/** What somebody who calls a number of ours hears. */
export function answerCall(context: AnswerContext): InboundAnswer {
  const { routing, isPaused } = context
  if (isPaused) return twiml(say(NOT_NOW) + hangUp, 'announce')
  if (routing === null) return twiml(say(NOT_IN_SERVICE) + hangUp, 'announce')
  const begin = say(routing.consentMessage) + transcription(context, routing) + say(routing.greeting)
  if (routing.forwardTo.length > 0 && isOpen(routing.hours, context.now))
    return twiml(begin + dial(context, routing), 'dial')
  return routing.voicemail
    ? twiml(begin + voicemail(context, routing), 'voicemail')
    : twiml(begin + say(routing.forwardTo.length > 0 ? CLOSED : NOBODY) + hangUp, 'announce')
}

/** Nobody who was dialled has answered: the caller may leave a message. */
export function answerUnanswered(context: AnswerContext): InboundAnswer {
  const { routing, isPaused } = context
  if (isPaused) return twiml(say(NOT_NOW) + hangUp, 'unanswered')
  return routing?.voicemail
    ? twiml(voicemail(context, routing), 'voicemail')
    : twiml(say(NOBODY) + hangUp, 'unanswered')
}

export const goodbye = (): InboundAnswer => twiml(hangUp)

function dial({ urlOf }: AnswerContext, routing: Routing): string {
  const progress = {
    statusCallback: urlOf('voice-status'),
    statusCallbackEvent: 'initiated ringing answered completed',
    statusCallbackMethod: 'POST',
  }
  const numbers = routing.forwardTo.map((number) => element('Number', progress, escaped(number))).join('')
  const recording = {
    record: 'record-from-answer-dual',
    recordingStatusCallback: urlOf('recording'),
    recordingStatusCallbackMethod: 'POST',
  }
  return element(
    'Dial',
    {
      action: urlOf('dial-action'),
      method: 'POST',
      timeout: routing.ringSeconds,
      answerOnBridge: true,
      sequential: routing.strategy === 'sequential' ? true : undefined,
      ...(routing.record && recording),
    },
    numbers,
  )
}

/** A caller who says nothing goes on to the hang-up, and Twilio reports the recording as absent. */
function voicemail({ urlOf }: AnswerContext, routing: Routing): string {
  const record = element('Record', {
    action: urlOf('voicemail'),
    method: 'POST',
    maxLength: VOICEMAIL_SECONDS_MAX,
    timeout: SILENCE_SECONDS,
    playBeep: true,
    recordingStatusCallback: urlOf('recording'),
    recordingStatusCallbackEvent: 'completed absent',
    recordingStatusCallbackMethod: 'POST',
    ...(routing.transcribe && { transcribe: true, transcribeCallback: urlOf('transcription') }),
  })
  return say(LEAVE_MESSAGE) + record + hangUp
}

function transcription({ urlOf }: AnswerContext, { transcribe }: Routing): string {
  if (!transcribe) return ''
  const live = element('Transcription', {
    statusCallbackUrl: urlOf('transcription'),
    statusCallbackMethod: 'POST',
    track: 'both_tracks',
  })
  return element('Start', {}, live)
}
