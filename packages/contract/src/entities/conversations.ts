// The talk itself: calls, texts, messages of any channel, voicemails, the threads they form and the numbers they run
// over.
import { entity, equal, type Filter, recordSchema } from '../entity.js'
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
  nullable,
  object,
  oneOf,
  phone,
  readOnly,
  recipient,
  required,
  secureUri,
  tags,
  text,
  uri,
  uuid,
  withDefault,
  word,
} from '../field.js'
import { limits } from '../limits.js'
import { callStatuses, phoneNumberStatuses, smsStatuses } from '../states.js'
import { routing } from './call-routing.js'
import { drafts } from './drafts.js'
import { facts, signals } from './knowledge.js'

export const directions = ['inbound', 'outbound'] as const
export const channels = ['sms', 'voice', 'email'] as const
export const transcriptStatuses = ['none', 'live', 'available'] as const
export const recordingStatuses = ['none', 'pending', 'available', 'failed'] as const
export const speakers = ['agent', 'caller', 'ai', 'third_party', 'system'] as const

const since = (field: string): Filter => ({ field, op: '>=' })
const until = (field: string): Filter => ({ field, op: '<' })

export const conversations = entity({
  slug: 'conversations',
  name: 'conversation',
  label: 'Conversations',
  description: 'A thread with one participant on one channel.',
  verbs: 'LGCPUD',
  fields: {
    channel: required(oneOf(['sms', 'voice', 'email', 'chat', 'whatsapp'])),
    direction: nullable(oneOf(directions)),
    status: oneOf(['open', 'pending', 'snoozed', 'closed'], 'open'),
    subject: nullable(line()),
    participantAddress: nullable(line()),
    ourAddress: nullable(line()),
    phoneNumberId: nullable(uuid('phone_number')),
    personId: nullable(uuid('person')),
    customerId: nullable(uuid('customer')),
    workRecordId: nullable(uuid('work_record')),
    assignedToId: nullable(uuid()),
    startedAt: instant(),
    lastMessageAt: nullable(instant()),
    messageCount: readOnly(withDefault(integer({ minimum: 0 }), 0)),
    lastMessagePreview: readOnly(nullable(line())),
    summary: nullable(longText()),
    tags: tags(),
  },
  search: ['subject', 'summary', 'participantAddress', 'lastMessagePreview'],
  filters: ['channel', 'status', 'personId', 'customerId', 'assignedToId'],
  lookups: ['participantAddress', 'ourAddress'],
})

export const phoneNumbers = entity({
  slug: 'phone-numbers',
  name: 'phone_number',
  label: 'Phone numbers',
  description: 'A number the organization owns.',
  verbs: 'LGCP',
  writeScope: 'ADMIN',
  fields: {
    e164: required(phone()),
    provider: withDefault(word(), 'generic'),
    providerSid: nullable(line()),
    status: oneOf(phoneNumberStatuses, 'active'),
    label: nullable(line()),
    capabilities: capabilities(),
    isDefault: flag(),
    integrationConnectionId: nullable(uuid('integration_connection')),
    routing: described(nullable(routing()), 'What happens to calls; null: a short announcement and a hang-up'),
    autoCreated: described(readOnly(flag()), 'Made because its provider reported a text or a call on it'),
  },
  search: ['e164', 'label'],
  filters: ['status'],
  unique: [['e164']],
  lookups: ['isDefault'],
})

/** What a carrier may say of the pictures that came with a text. */
export const mediaCount = () => integer({ minimum: 0, maximum: limits.smsMediaItems })
export const mediaUrls = () => list(secureUri(), limits.smsMediaItems)

export const mediaStatuses = ['pending', 'available', 'failed'] as const

const smsMedia = () =>
  object({
    id: uuid(),
    contentType: line(),
    bytes: nullable(integer({ minimum: 0 })),
    status: oneOf(mediaStatuses),
    url: described(nullable(uri()), 'Good without a key for five minutes; null until it is available'),
  })

export const sms = entity({
  slug: 'sms',
  name: 'sms',
  label: 'SMS',
  description: 'One text message.',
  verbs: 'LGC',
  fields: {
    direction: readOnly(oneOf(directions)),
    from: readOnly(nullable(callerId())),
    fromWithheld: withheld(),
    to: recipient(),
    body: required(line(limits.smsLength)),
    numMedia: described(readOnly(withDefault(mediaCount(), 0)), 'How many pictures or other files came with it'),
    mediaUrls: described(
      readOnly(mediaUrls()),
      'Where the carrier keeps them, as it said; they may need its credentials',
    ),
    media: described(readOnly(list(smsMedia(), limits.smsMediaItems)), 'What came with it, fetched and kept here'),
    status: readOnly(oneOf(smsStatuses)),
    threadId: readOnly(nullable(uuid('conversation'))),
    personId: nullable(uuid('person')),
    phoneNumberId: readOnly(nullable(uuid('phone_number'))),
    providerMessageId: readOnly(nullable(line())),
    errorCode: readOnly(nullable(line())),
    errorMessage: readOnly(nullable(line())),
    sentAt: readOnly(instant()),
    deliveredAt: readOnly(nullable(instant())),
  },
  search: ['body', 'from', 'to'],
  times: ['sentAt'],
  filters: { ...equal('direction', 'threadId', 'personId', 'status'), since: since('sentAt'), until: until('sentAt') },
  unique: [['direction', 'providerMessageId']],
})

export const messages = entity({
  slug: 'messages',
  name: 'message',
  label: 'Messages',
  description: 'One message of any channel: a text, a call, a voicemail, an e-mail.',
  verbs: 'LGC',
  fields: {
    threadId: uuid('conversation'),
    direction: required(oneOf(directions)),
    channel: required(oneOf(channels)),
    body: required(longText()),
    from: nullable(line()),
    to: nullable(line()),
    personId: readOnly(nullable(uuid('person'))),
    smsId: readOnly(nullable(uuid('sms'))),
    callSessionId: readOnly(nullable(uuid('call'))),
    voicemailId: readOnly(nullable(uuid('voicemail'))),
  },
  search: ['body'],
  filters: ['channel', 'direction', 'threadId', 'personId'],
  lookups: ['smsId', 'voicemailId'],
})

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
    personId: described(nullable(uuid('person')), 'Who left it; found by the number unless said'),
    transcript: nullable(longText()),
    durationSeconds: nullable(integer({ minimum: 0 })),
    listenedAt: described(nullable(instant()), 'When somebody listened to it; null: nobody has yet'),
  },
  /**
   * What is known of the audio: signed anew at each read, because an address that was stored would outlive its
   * signature.
   */
  embedded: {
    recordingUrl: described(
      readOnly(nullable(uri())),
      'Plays without a key for five minutes; null until the audio is there',
    ),
    recordingApiUrl: described(
      readOnly(nullable(uri())),
      'Redirects to a fresh recordingUrl; needs a key and does not expire',
    ),
    recordingStatus: described(
      readOnly(oneOf(recordingStatuses)),
      'pending: it is being fetched; failed: recordingError says why',
    ),
    recordingError: described(readOnly(nullable(word())), 'Why the last address that was to be fetched could not be'),
  },
  search: ['transcript', 'callerNumber'],
  otherFilters: ['source'],
  filters: { ...equal('personId'), since: since('createdAt') },
  lookups: ['callSessionId'],
})

/** Positions and milliseconds within a call. */
export const offset = () => integer({ minimum: 0, maximum: 2_147_483_647 })

export const segment = object({
  id: uuid(),
  callId: uuid('call'),
  sequence: offset(),
  speaker: oneOf(speakers),
  text: line(limits.segmentLength),
  startMs: offset(),
  endMs: nullable(offset()),
  confidence: nullable(confidence()),
  isFinal: flag(true),
})

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
    recordingStatus: readOnly(oneOf(recordingStatuses, 'none')),
    voicemailId: readOnly(nullable(uuid('voicemail'))),
    provider: withDefault(word(), 'generic'),
    providerCallId: nullable(text()),
    metadata: mergedForm(),
  },
  embedded: {
    transcriptStatus: readOnly(oneOf(transcriptStatuses)),
    transcriptSegmentCount: readOnly(integer({ minimum: 0 })),
    transcriptSegments: readOnly(list(segment)),
    drafts: readOnly(list(recordSchema(drafts))),
    facts: readOnly(list(recordSchema(facts))),
    signals: readOnly(list(recordSchema(signals))),
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

/** Whether the number is null because the other side showed none. */
function withheld() {
  return described(readOnly(flag()), 'The number was withheld')
}

function capabilities() {
  return withDefault(object({ voice: flag(true), sms: flag(true) }), { voice: true, sms: true })
}

function handledBy() {
  const who = object({ type: oneOf(['human', 'ai', 'none']), userId: nullable(uuid()), agentName: nullable(line()) })
  return withDefault(who, { type: 'none', userId: null, agentName: null })
}
