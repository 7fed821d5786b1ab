// What is said of an SMS: to send one, to record one that came in, and to report what became of it.
import { bodyWith, createBody, ruledBody, type Sent } from './body.js'
import { mediaCount, mediaUrls, sms } from './entities/conversations.js'
import { externalRef } from './entity.js'
import {
  anyGiven,
  callerId,
  instant,
  line,
  list,
  nullable,
  object,
  oneOf,
  optional,
  phone,
  recipient,
  secureUri,
  text,
  uuid,
} from './field.js'
import { limits } from './limits.js'

export const smsSendBody = ruledBody(
  bodyWith(
    {
      body: text(limits.smsLength),
      to: optional(nullable(recipient())),
      personId: optional(nullable(uuid('person'))),
      fromPhoneNumberId: optional(nullable(uuid('phone_number'))),
      externalRefs: optional(list(externalRef, limits.externalRefs)),
    },
    {
      ignored: createBody(sms).ignored,
      about: {
        body: 'What it says.',
        to: 'Who it goes to. Needed unless `personId` is given; wins over the number of the person.',
        personId: 'The person it goes to, at their primary phone.',
        fromPhoneNumberId:
          'The number of yours that it leaves from; that of the thread, else the default one, unless said.',
        externalRefs: 'What it is called in other systems. One that is known answers with the text that has it.',
      },
    },
  ),
  anyGiven({ to: { type: 'string' }, personId: { type: 'string' } }),
)
export type SmsSend = Sent<typeof smsSendBody>

const sentMedia = object(
  { contentType: line(), url: secureUri() },
  { contentType: 'What it is, such as `image/jpeg`.', url: 'Where the carrier keeps it.' },
)

export const inboundSmsBody = ruledBody(
  bodyWith(
    {
      from: nullable(callerId()),
      to: phone(),
      body: optional(nullable(line(limits.smsLength))),
      mediaUrls: optional(mediaUrls()),
      numMedia: optional(mediaCount()),
      sentAt: optional(nullable(instant())),
      providerMessageId: optional(nullable(text())),
      optOutType: optional(nullable(oneOf(['STOP', 'START', 'HELP']))),
      media: optional(list(sentMedia, limits.smsMediaItems)),
    },
    {
      about: {
        from: 'Who sent it, as the carrier says; null where it shows none.',
        to: 'The number of yours that it came to.',
        body: 'What it says. Needed unless `mediaUrls` or `numMedia` tells of pictures.',
        mediaUrls: 'Where the carrier keeps the pictures that came with it.',
        numMedia: 'How many pictures came with it.',
        sentAt: 'When it was sent. Now, unless you say otherwise.',
        providerMessageId: 'What the carrier calls it. The same one again is answered with the same SMS.',
        optOutType: 'What the carrier took the text for, where it knows words that we do not.',
        media: 'What came with it: fetched in the background and kept here.',
      },
    },
  ),
  anyGiven({
    body: { type: 'string', pattern: '\\S' },
    mediaUrls: { type: 'array', minItems: 1 },
    media: { type: 'array', minItems: 1 },
    numMedia: { type: 'integer', minimum: 1 },
  }),
)
export type InboundSms = Sent<typeof inboundSmsBody>

export const smsReceiptBody = bodyWith(
  {
    status: oneOf(['queued', 'sent', 'delivered', 'undelivered', 'failed']),
    providerMessageId: optional(nullable(text())),
    errorCode: optional(nullable(line())),
    errorMessage: optional(nullable(line())),
    at: optional(nullable(instant())),
  },
  {
    about: {
      status: 'How far it came. One that is behind what is known changes nothing.',
      providerMessageId: 'What the carrier calls it; kept where none is known yet.',
      errorCode: "The carrier's code for what went wrong.",
      errorMessage: 'The same in words.',
      at: 'When that was. Now, unless you say otherwise.',
    },
  },
)
export type SmsReceipt = Sent<typeof smsReceiptBody>
