// The log of what providers sent to a connection, what may be sent in their place in the sandbox, and the answer of a
// connection's check.
import type { Static } from 'typebox'
import { bodyWith } from './body.js'
import { connectionStatuses } from './entities/integrations.js'
import {
  anyValue,
  described,
  flag,
  freeForm,
  instant,
  integer,
  line,
  list,
  longText,
  named,
  nullable,
  object,
  oneOf,
  optional,
  uuid,
  word,
} from './field.js'
import { limits } from './limits.js'

export const inboundStatuses = ['pending', 'processed', 'ignored', 'failed'] as const
export type InboundStatus = (typeof inboundStatuses)[number]

const touchedRecord = object(
  { entityType: word(), id: uuid() },
  { entityType: 'What kind of record it is, such as `call`.', id: 'The record.' },
)

export const inboundEntry = named(
  'InboundRequest',
  object(
    {
      id: uuid(),
      connectionId: uuid('integration_connection'),
      kind: word(),
      receivedAt: instant(),
      status: described(oneOf(inboundStatuses), 'What became of it; `pending`: still to be worked on.'),
      error: described(nullable(longText()), 'Why it failed or was ignored, or what the last try met.'),
      attempts: integer({ minimum: 0 }),
      nextAttemptAt: described(
        nullable(instant()),
        'Null when nothing is left to do, and while the connection is paused.',
      ),
      processedAt: nullable(instant()),
      simulated: flag(),
      providerIds: described(freeForm(), 'What the provider calls the things it tells of, such as `CallSid`.'),
      records: described(list(touchedRecord), 'The records that it made or changed.'),
      headers: optional(described(freeForm(), 'Without secrets. Shown to ADMIN keys.')),
      body: optional(
        described(line(limits.inboundAudioBytes), 'As it was sent, without secrets. Shown to ADMIN keys.'),
      ),
    },
    {
      id: 'Made by Parley.',
      connectionId: 'The connection that it came to.',
      kind: 'What it tells of, such as `sms`.',
      receivedAt: 'When it came.',
      attempts: 'How often it was worked on.',
      processedAt: 'When all was done.',
      simulated: 'Whether it was sent by the sandbox in place of the provider.',
    },
  ),
)
export type InboundEntry = Static<typeof inboundEntry>

export const inboundSimulationBody = bodyWith({
  kind: described(word(), 'What the provider would tell of, such as `sms`.'),
  headers: optional(described(freeForm(), 'Headers that it would send.')),
  body: described(anyValue(), 'A text is taken as it is: a form for Twilio. Anything else is sent as JSON.'),
})

export const inboundSimulation = named(
  'InboundSimulation',
  object({
    entry: described(inboundEntry, 'The request as it was logged.'),
    answer: described(
      object(
        { status: integer(), contentType: nullable(line()), body: nullable(line(limits.bodyBytes)) },
        { status: 'The status of the answer.', contentType: 'Its media type.', body: 'Its body.' },
      ),
      'What the provider would have been answered.',
    ),
  }),
)

export const connectionCheck = named(
  'ConnectionCheck',
  object({
    ok: described(flag(), 'Whether it works.'),
    status: described(oneOf(connectionStatuses), 'The status that the connection has now.'),
    message: described(longText(), 'What is wrong and what to do about it, or what the provider answered.'),
  }),
)
