// What Twilio tells of calls: that one came in, how it goes, and how it ended. Twilio's own leg is in progress whenever
// TwiML runs and ends as completed, so where we dialled or recorded it answers nothing: what came of the dialling
// decides.
import type { Told } from '../provider.js'
import type { CallNames, KnownCall, Step } from '../step.js'
import { callerOf, numberIn } from './callers.js'
import { type Form, requiredField } from './sms.js'
import { answerCall, answerUnanswered, goodbye } from './twiml.js'

/** Metadata of a call that says how we answered it, what the dialling came to, and that Twilio's leg is over. */
const ROUTE = 'twilioRoute'
const DIALLED = 'twilioDial'
const LEG_ENDED = 'twilioLegEndedAt'

export const callNames = (callSid: string): CallNames => ({
  provider: 'twilio',
  providerCallId: callSid,
  alias: { system: 'twilio', externalId: callSid },
})

/** Requests about a leg that we dialled belong to the call that it was dialled for. */
export const conversationOf = (form: Form): string => `call ${form['ParentCallSid'] || requiredField(form, 'CallSid')}`

const isInbound = (form: Form): boolean => !(form['Direction'] ?? 'inbound').startsWith('outbound')

/** `To` of an inbound leg, `From` of an outbound one. */
const ourNumber = (form: Form): string | null => numberIn(isInbound(form) ? form['To'] : form['From'])

const isRouted = ({ metadata }: KnownCall): boolean => metadata[ROUTE] === 'dial' || metadata[ROUTE] === 'voicemail'

/** The call itself, made if it is not known. Requests that do not say who is on it name no new call. */
export function callSteps(form: Form, more: Readonly<Record<string, unknown>> = {}): Step[] {
  const to = numberIn(form['To'])
  if (to === null || form['From'] === undefined) return []
  const { from, address } = callerOf(form['From'])
  const metadata = { ...more, ...(address !== undefined && { callerAddress: address }) }
  const body = {
    direction: isInbound(form) ? 'inbound' : 'outbound',
    from,
    to,
    ...(form['CallerName'] && { callerName: form['CallerName'].slice(0, 255) }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
  return [{ kind: 'call', call: callNames(requiredField(form, 'CallSid')), body }]
}

const notACall = (form: Form): string | undefined =>
  numberIn(form['To']) === null ? 'The call was not made to a phone number' : undefined

export function incomingCall(form: Form): Told {
  const sid = requiredField(form, 'CallSid')
  const ours = ourNumber(form)
  const isChild = Boolean(form['ParentCallSid'])
  return {
    ids: { CallSid: sid },
    conversation: conversationOf(form),
    naturalKey: `call ${sid}`,
    ignored: isChild ? 'A leg that was dialled for another call' : notACall(form),
    answeringNumber: ours,
    answer: answerCall,
    steps: (decided) => [
      ...(ours === null ? [] : [{ kind: 'number' as const, e164: ours }]),
      ...callSteps(form, { [ROUTE]: decided ?? 'announce' }),
    ],
  }
}

export function callStatus(form: Form): Told {
  const sid = requiredField(form, 'CallSid')
  const status = requiredField(form, 'CallStatus').toLowerCase()
  const parent = form['ParentCallSid']
  return {
    ids: { CallSid: sid, ...(parent && { ParentCallSid: parent }) },
    conversation: conversationOf(form),
    naturalKey: `call ${sid} ${status}`,
    ignored: parent || notACall(form) === undefined ? undefined : notACall(form),
    steps: () =>
      parent ? childSteps(callNames(parent), status) : [...callSteps(form), ...legSteps(form, sid, status)],
  }
}

/** Somebody who was dialled has answered; how it ends is told by what came of the dialling. */
const childSteps = (call: CallNames, status: string): Step[] =>
  status === 'in-progress' || status === 'answered'
    ? [{ kind: 'call-report', call, body: { status: 'in_progress' }, unless: ({ endedAt }) => endedAt !== null }]
    : []

const unanswered: Readonly<Record<string, string>> = {
  busy: 'busy',
  'no-answer': 'no_answer',
  failed: 'error',
  canceled: 'canceled',
}

function legSteps(form: Form, sid: string, status: string): Step[] {
  const call = callNames(sid)
  if (status === 'in-progress')
    return [{ kind: 'call-report', call, body: { status: 'in_progress' }, unless: isRouted }]
  const endReason = unanswered[status]
  if (endReason !== undefined) return [{ kind: 'end', call, body: { endReason } }]
  if (status !== 'completed') return []
  const duration = secondsIn(form['CallDuration'] ?? form['Duration'])
  const answered = { outcome: 'answered', ...(duration !== undefined && { duration }) }
  return [
    { kind: 'end', call, body: answered, unless: isRouted },
    { kind: 'end', call, body: { outcome: 'voicemail' }, unless: (known) => known.voicemailId === null },
    // The caller is gone. Unless the dialling is still to be told of, that was all.
    { kind: 'end', call, body: { outcome: 'missed' }, unless: (known) => !isRouted(known) || isDialling(known) },
    {
      kind: 'call-report',
      call,
      body: { metadata: { [LEG_ENDED]: form['Timestamp'] ?? status } },
      unless: (known) => known.endedAt !== null || !isDialling(known),
    },
  ]
}

const isDialling = ({ metadata }: KnownCall): boolean => metadata[ROUTE] === 'dial' && metadata[DIALLED] === undefined

export function dialAction(form: Form): Told {
  const sid = requiredField(form, 'CallSid')
  const status = requiredField(form, 'DialCallStatus').toLowerCase()
  const isAnswered = status === 'completed' || status === 'answered'
  return {
    ids: { CallSid: sid, ...(form['DialCallSid'] && { DialCallSid: form['DialCallSid'] }) },
    conversation: conversationOf(form),
    naturalKey: `dial ${sid} ${form['DialCallSid'] ?? ''} ${status}`,
    ignored: notACall(form),
    answeringNumber: ourNumber(form),
    answer: (context) => (isAnswered ? goodbye() : answerUnanswered(context)),
    steps: (decided) => [...callSteps(form), ...dialledSteps(form, sid, isAnswered, status, decided)],
  }
}

function dialledSteps(form: Form, sid: string, isAnswered: boolean, status: string, decided: string | null): Step[] {
  const call = callNames(sid)
  if (isAnswered) {
    const duration = secondsIn(form['DialCallDuration'])
    return [{ kind: 'end', call, body: { outcome: 'answered', ...(duration !== undefined && { duration }) } }]
  }
  const missed = { ...(isInbound(form) && { outcome: 'missed' }), endReason: unanswered[status] ?? 'no_answer' }
  if (decided !== 'voicemail') return [{ kind: 'end', call, body: missed }]
  return [
    { kind: 'call-report', call, body: { metadata: { [ROUTE]: 'voicemail', [DIALLED]: status } } },
    // Reports overtake each other: the caller may have been gone before we heard that nobody answered.
    {
      kind: 'end',
      call,
      body: missed,
      unless: ({ metadata, voicemailId }) => metadata[LEG_ENDED] === undefined || voicemailId !== null,
    },
  ]
}

/** Whole seconds; undefined when nothing or nonsense was sent. */
export function secondsIn(text: string | undefined): number | undefined {
  const seconds = text === undefined || text === '' ? Number.NaN : Math.round(Number(text))
  return seconds >= 0 && seconds < 2 ** 31 ? seconds : undefined
}
