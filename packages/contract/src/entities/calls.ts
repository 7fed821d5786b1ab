// Calls from ring to end, with what was said and learned, and the voicemails that are left instead.
import { entity, equal, recordSchema, since, until } from '../entity.js'
import {
  callerId,
  confidence,
  described,
  flag,
  instant,
  integer,
  line,
  list,
  longText,
  mergedForm,
  named,
  nullable,
  object,
  oneOf,
  phone,
  readOnly,
  required,
  text,
  uri,
  uuid,
  withDefault,
  word,
} from '../field.js'
import { limits } from '../limits.js'
import { callStatuses } from '../states.js'
import { directions, withheld } from './conversations.js'
import { drafts } from './drafts.js'
import { facts } from './knowledge.js'
import { signals } from './signals.js'

export const transcriptStatuses = ['none', 'live', 'available'] as const
export const recordingStatuses = ['none', 'pending', 'available', 'failed'] as const
export const speakers = ['agent', 'caller', 'ai', 'third_party', 'system'] as const

export const voicemails = entity({
  slug: 'voicemails',
  name: 'voicemail',
  label: 'Voicemails',
  description: 'A message a caller left, with its transcript and recording.',
  verbs: 'LGCP',
  fields: {
    callSessionId: nullable(uuid('call')),
    callerNumber: required(nullable(callerId())),
    callerWithheld: withheld(),
    to: nullable(phone()),
    personId: nullable(uuid('person')),
    transcript: nullable(longText()),
    durationSeconds: nullable(integer({ minimum: 0 })),
    listenedAt: nullable(instant()),
  },
  about: {
    callSessionId: 'The call in which it was left.',
    callerNumber: 'Who left it; null when the caller shows no number.',
    callerWithheld: 'The caller shows no number.',
    to: 'The number of yours that was called.',
    personId: 'Who left it; found by the number unless you say.',
    transcript: 'What was said, as well as it could be made out.',
    durationSeconds: 'How long it is.',
    listenedAt: 'When somebody listened to it; null while nobody has.',
  },
  /**
   * What is known of the audio: signed anew at each read, because an address that was stored would outlive its
   * signature.
   */
  embedded: {
    recordingUrl: described(
      readOnly(nullable(uri())),
      'Plays without a key for five minutes; null until the audio is there.',
    ),
    recordingApiUrl: described(
      readOnly(nullable(uri())),
      'Redirects to a fresh recordingUrl; needs a key and does not expire.',
    ),
    recordingStatus: described(
      readOnly(oneOf(recordingStatuses)),
      'Whether it can be heard. `pending`: it is being fetched. `failed`: `recordingError` says why.',
    ),
    recordingError: described(readOnly(nullable(word())), 'Why the last address that was to be fetched could not be.'),
  },
  search: ['transcript', 'callerNumber'],
  otherFilters: ['source'],
  filters: { ...equal('personId'), since: since('createdAt') },
  lookups: ['callSessionId'],
})

/** Positions and milliseconds within a call. */
export const offset = () => integer({ minimum: 0, maximum: 2_147_483_647 })

export const aboutSegment = {
  id: 'Made by Parley; it stays when an interim segment becomes final.',
  callId: 'The call in which it was said.',
  sequence: 'Its place in the transcript, from 0; yours to number.',
  speaker: 'Who said it.',
  text: 'What was said.',
  startMs: 'When it began, in milliseconds from the start of the call.',
  endMs: 'When it ended, in milliseconds from the start of the call.',
  confidence: 'How sure the recogniser is, from 0 to 1.',
  isFinal: 'False while the recogniser may still revise it.',
}

export const segment = named(
  'TranscriptSegment',
  object(
    {
      id: uuid(),
      callId: uuid('call'),
      sequence: offset(),
      speaker: oneOf(speakers),
      text: line(limits.segmentLength),
      startMs: offset(),
      endMs: nullable(offset()),
      confidence: nullable(confidence()),
      isFinal: flag(true),
    },
    aboutSegment,
  ),
)

export const calls = entity({
  slug: 'calls',
  name: 'call',
  label: 'Calls',
  description: 'One call, from ring to end, with what was said and learned.',
  verbs: 'LGCP',
  fields: {
    direction: required(oneOf(directions)),
    status: oneOf(callStatuses, 'ringing'),
    endReason: nullable(word()),
    from: required(nullable(callerId())),
    fromWithheld: withheld(),
    to: required(phone()),
    callerName: nullable(line()),
    phoneNumberId: nullable(uuid('phone_number')),
    personId: nullable(uuid('person')),
    customerId: nullable(uuid('customer')),
    companyId: nullable(uuid('company')),
    workRecordId: nullable(uuid('work_record')),
    conversationId: readOnly(nullable(uuid('conversation'))),
    handledBy: handledBy(),
    startedAt: instant(),
    answeredAt: nullable(instant()),
    endedAt: nullable(instant()),
    duration: withDefault(integer({ minimum: 0 }), 0),
    language: nullable(word()),
    summary: nullable(longText()),
    sentiment: nullable(word()),
    outcome: nullable(word()),
    recordingUrl: nullable(uri()),
    recordingStatus: readOnly(oneOf(['none', 'pending', 'available'], 'none')),
    voicemailId: readOnly(nullable(uuid('voicemail'))),
    provider: withDefault(word(), 'generic'),
    providerCallId: nullable(text()),
    metadata: mergedForm(),
  },
  about: {
    direction: '`inbound` came to you, `outbound` you made.',
    status: 'How far it came. A status that ends the call does all that `POST /calls/{id}/end` does.',
    endReason: 'Why it ended, such as `caller_hangup`, `no_answer`, `busy`, `transferred` or `timeout`.',
    from: 'Who called; null when the caller shows no number.',
    fromWithheld: 'The caller shows no number.',
    to: 'Who was called.',
    callerName: 'The name that the carrier or the caller gave.',
    phoneNumberId: 'The number of yours that it came to or left from.',
    personId: 'Who the other side is. Found by the number, or made, unless you say.',
    customerId: 'The customer that it concerns.',
    companyId: 'The company that it concerns.',
    workRecordId: 'The work that it concerns; set when its draft is approved.',
    conversationId: 'The thread that its message is part of.',
    handledBy: 'Who talks on your side; `none` until somebody does.',
    startedAt: 'When it began to ring. Now, unless you say otherwise.',
    answeredAt: 'When it was answered; null while it was not.',
    endedAt: 'When it ended; null while it runs.',
    duration: 'How many seconds were talked.',
    language: 'The language that is spoken, such as `en` or `es-MX`.',
    summary: 'What was said and agreed, in a few sentences.',
    sentiment: 'The mood of the caller, in a word of your own such as `neutral`.',
    outcome: 'What came of it, in a word of your own such as `booked`.',
    recordingUrl: 'Where your telephony keeps the recording, as it said.',
    recordingStatus:
      'Whether there is a recording; where one could not be fetched, `metadata.recordingError` says why.',
    voicemailId: 'The voicemail that was left instead of a talk.',
    provider: 'Your telephony, in your own word for it.',
    providerCallId: 'What your telephony calls it. A second report with the same one updates this call.',
    metadata: 'Whatever else your systems want to keep with it.',
  },
  embedded: {
    transcriptStatus: described(
      readOnly(oneOf(transcriptStatuses)),
      'Whether there is a transcript, or one is growing.',
    ),
    transcriptSegmentCount: described(readOnly(integer({ minimum: 0 })), 'How many segments the whole transcript has.'),
    transcriptSegments: described(
      readOnly(list(segment)),
      'The beginning of the transcript; `GET /calls/{id}/transcript` has all of it.',
    ),
    drafts: described(readOnly(list(recordSchema(drafts))), 'The work that was asked for, up to 50.'),
    facts: described(readOnly(list(recordSchema(facts))), 'What was learned, up to 50.'),
    signals: described(readOnly(list(recordSchema(signals))), 'What was noticed, up to 50.'),
  },
  search: ['from', 'to', 'callerName', 'summary'],
  times: ['startedAt'],
  filters: {
    ...equal('direction', 'status', 'personId', 'customerId', 'workRecordId', 'phoneNumberId'),
    since: since('startedAt'),
    until: until('startedAt'),
  },
  unique: [['provider', 'providerCallId']],
  lookups: ['voicemailId'],
})

function handledBy() {
  const who = object(
    { type: oneOf(['human', 'ai', 'none']), userId: nullable(uuid()), agentName: nullable(line()) },
    {
      type: 'Whether a person or a machine talks.',
      userId: 'The user who talks.',
      agentName: 'What whoever talks is called.',
    },
  )
  return withDefault(who, { type: 'none', userId: null, agentName: null })
}
