// What is said of an SMS: to send one, to record one that came in, and to report what became of it.
import { bodyWith, createBody, ruledBody, type Sent } from './body.js'
import { mediaCount, mediaUrls, sms } from './entities/conversations.js'
import { externalRef } from './entity.js'
import {
  anyGiven,
  callerId,
  described,
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
      to: optional(
        described(nullable(recipient()), 'Needed unless `personId` is given; wins over the number of the person.'),
      ),
      personId: optional(nullable(uuid('person'))),
      fromPhoneNumberId: optional(nullable(uuid('phone_number'))),
      externalRefs: optional(list(externalRef, limits.externalRefs)),
    },
    { ignored: createBody(sms).ignored },
  ),
  anyGiven({ to: { type: 'string' }, personId: { type: 'string' } }),
)
export type SmsSend = Sent<typeof smsSendBody>

export const inboundSmsBody = ruledBody(
  bodyWith({
    from: described(
      nullable(callerId()),
      'A number, a short code, a sender name, or null where the carrier shows none.',
    ),
    to: phone(),
    body: optional(
      described(nullable(line(limits.smsLength)), 'Needed unless `mediaUrls` or `numMedia` tells of pictures.'),
    ),
    mediaUrls: optional(mediaUrls()),
    numMedia: optional(mediaCount()),
    sentAt: optional(nullable(instant())),
    providerMessageId: optional(described(nullable(text()), 'The same one again is answered with the same SMS.')),
    optOutType: optional(
      described(
        nullable(oneOf(['STOP', 'START', 'HELP'])),
        'What the carrier took the text for, where it knows words that we do not.',
      ),
    ),
    media: optional(
      described(
        list(object({ contentType: line(), url: secureUri() }), limits.smsMediaItems),
        'What came with it: fetched in the background and kept here.',
      ),
    ),
  }),
  anyGiven({
    body: { type: 'string', pattern: '\\S' },
    mediaUrls: { type: 'array', minItems: 1 },
    media: { type: 'array', minItems: 1 },
    numMedia: { type: 'integer', minimum: 1 },
  }),
)
export type InboundSms = Sent<typeof inboundSmsBody>

export const smsReceiptBody = bodyWith({
  status: oneOf(['queued', 'sent', 'delivered', 'undelivered', 'failed']),
  providerMessageId: optional(described(nullable(text()), 'Kept where none is known yet.')),
  errorCode: optional(nullable(line())),
  errorMessage: optional(nullable(line())),
  at: optional(nullable(instant())),
})
export type SmsReceipt = Sent<typeof smsReceiptBody>
