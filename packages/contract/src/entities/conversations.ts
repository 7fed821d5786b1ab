// The talk in writing: texts, messages of any channel, the threads they form and the numbers they run over. Calls and
// voicemails have a file of their own.
import { entity, equal, since, until } from '../entity.js'
import {
  callerId,
  flag,
  instant,
  integer,
  line,
  list,
  longText,
  named,
  nullable,
  object,
  oneOf,
  phone,
  readOnly,
  recipient,
  required,
  secureUri,
  tags,
  uri,
  uuid,
  withDefault,
  word,
} from '../field.js'
import { limits } from '../limits.js'
import { phoneNumberStatuses, smsStatuses } from '../states.js'
import { routing } from './call-routing.js'

export const directions = ['inbound', 'outbound'] as const
export const channels = ['sms', 'voice', 'email'] as const

/** Whether the number is null because the other side showed none. */
export const withheld = () => readOnly(flag())

export const conversations = entity({
  slug: 'conversations',
  batch: true,
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
    unreadCount: withDefault(integer({ minimum: 0, maximum: 1_000_000 }), 0),
    isUnread: readOnly(flag()),
    lastReadAt: readOnly(nullable(instant())),
  },
  about: {
    channel: 'Where the talk runs.',
    direction: 'Who began it: `inbound` is the other side.',
    status: 'Whether it still needs somebody. An inbound message opens it again.',
    subject: 'What it is about, such as the subject of the mail.',
    participantAddress: 'The other side: a phone number or an e-mail address.',
    ourAddress: 'Your side: the number or address that they wrote to or called.',
    phoneNumberId: 'The number of yours that it runs over.',
    personId: 'Who the other side is.',
    customerId: 'The customer that it concerns.',
    workRecordId: 'The work that it concerns.',
    assignedToId: 'The user who takes care of it.',
    startedAt: 'When it began. Now, unless you say otherwise.',
    lastMessageAt: 'When the latest message came or went.',
    messageCount: 'How many messages it has.',
    lastMessagePreview: 'The beginning of the latest message.',
    summary: 'What was said so far, in a few sentences.',
    tags: 'Your own words to find it by.',
    unreadCount: [
      'Texts and mails that came in and nobody of your organization has read; calls and voicemails do not count.',
      'Send 0 when they were read, with `If-Match` so that none is missed that came meanwhile.',
    ].join(' '),
    isUnread: 'Whether there are any.',
    lastReadAt: 'When somebody read the last of them.',
  },
  search: ['subject', 'summary', 'participantAddress', 'lastMessagePreview'],
  times: ['lastMessageAt'],
  filters: {
    ...equal('channel', 'status', 'personId', 'customerId', 'assignedToId'),
    isUnread: { field: 'isUnread', op: '=', byExpression: true },
  },
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
    routing: nullable(routing()),
    autoCreated: readOnly(flag()),
  },
  about: {
    e164: 'The number itself.',
    provider: 'The carrier that it is rented from.',
    providerSid: 'What the carrier calls it.',
    status: 'Texts go out from an `active` number only. `retired` is final.',
    label: 'What your people call it.',
    capabilities: 'What it can be used for.',
    isDefault: 'Texts go out from it when neither the request nor the thread names another. One number is.',
    integrationConnectionId: 'The connection to the carrier that it runs over.',
    routing: 'What happens to calls; null: a short announcement and a hang-up.',
    autoCreated: 'Made because its provider reported a text or a call on it.',
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
  named(
    'SmsMedia',
    object(
      {
        id: uuid(),
        contentType: line(),
        bytes: nullable(integer({ minimum: 0 })),
        status: oneOf(mediaStatuses),
        url: nullable(uri()),
      },
      {
        id: 'Made by Parley.',
        contentType: 'What it is, such as `image/jpeg`.',
        bytes: 'How large it is; null until it was fetched.',
        status: 'Whether it is here.',
        url: 'Good without a key for five minutes; null until it is available.',
      },
    ),
  )

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
    numMedia: readOnly(withDefault(mediaCount(), 0)),
    mediaUrls: readOnly(mediaUrls()),
    media: readOnly(list(smsMedia(), limits.smsMediaItems)),
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
  about: {
    direction: '`inbound` came to you, `outbound` went out.',
    from: 'Who sent it; null when the sender shows no number.',
    fromWithheld: 'The sender shows no number.',
    to: 'Who it goes to.',
    body: 'What it says.',
    numMedia: 'How many pictures or other files came with it.',
    mediaUrls: 'Where the carrier keeps them, as it said; they may need its credentials.',
    media: 'What came with it, fetched and kept here.',
    status: 'How far it came. `received` is inbound; the others tell of an outbound one.',
    threadId: 'The conversation that it is part of.',
    personId: 'Who the other side is; found by the number.',
    phoneNumberId: 'The number of yours that it came to or left from.',
    providerMessageId: 'What the carrier calls it.',
    errorCode: "Why it could not be sent or delivered: the carrier's code, or ours such as `recipient_opted_out`.",
    errorMessage: 'The same in words.',
    sentAt: 'When Parley accepted it; of an inbound one when it was sent, as the carrier says. It never changes.',
    deliveredAt: 'When the carrier reported that it arrived.',
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
  about: {
    threadId: 'The conversation that it is part of. Found or made by the two addresses unless you name one.',
    direction: '`inbound` came to you, `outbound` went out.',
    channel: 'How it came or went. POST records `email` only; Parley makes the others of texts, calls and voicemails.',
    body: 'What was said: the text, the mail, the summary of the call or the transcript of the voicemail.',
    from: 'Who sent it: a phone number or an e-mail address.',
    to: 'Who it went to.',
    personId: 'Who the other side is.',
    smsId: 'The text that it is.',
    callSessionId: 'The call that it tells of.',
    voicemailId: 'The voicemail that it tells of.',
  },
  search: ['body'],
  filters: ['channel', 'direction', 'threadId', 'personId'],
  lookups: ['smsId', 'voicemailId'],
})

function capabilities() {
  const uses = object(
    { voice: flag(true), sms: flag(true) },
    { voice: 'It can be called from and to.', sms: 'It can be texted from and to.' },
  )
  return withDefault(uses, { voice: true, sms: true })
}
