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

const touchedRecord = object({ entityType: word(), id: uuid() })

export const inboundEntry = object({
  id: uuid(),
  connectionId: uuid('integration_connection'),
  kind: word(),
  receivedAt: instant(),
  status: described(oneOf(inboundStatuses), 'What became of it; `pending`: still to be worked on.'),
  error: described(nullable(longText()), 'Why it failed or was ignored, or what the last try met.'),
  attempts: integer({ minimum: 0 }),
  nextAttemptAt: described(nullable(instant()), 'Null when nothing is left to do, and while the connection is paused.'),
  processedAt: nullable(instant()),
  simulated: flag(),
  providerIds: described(freeForm(), 'What the provider calls the things it tells of, such as `CallSid`.'),
  records: described(list(touchedRecord), 'The records that it made or changed.'),
  headers: optional(described(freeForm(), 'Without secrets. Shown to ADMIN keys.')),
  body: optional(described(line(limits.inboundAudioBytes), 'As it was sent, without secrets. Shown to ADMIN keys.')),
})
export type InboundEntry = Static<typeof inboundEntry>

export const inboundSimulationBody = bodyWith({
  kind: word(),
  headers: optional(freeForm()),
  body: described(anyValue(), 'A text is taken as it is: a form for Twilio. Anything else is sent as JSON.'),
})

export const inboundSimulation = object({
  entry: inboundEntry,
  answer: described(
    object({ status: integer(), contentType: nullable(line()), body: nullable(line(limits.bodyBytes)) }),
    'What the provider would have been answered.',
  ),
})

export const connectionCheck = object({
  ok: flag(),
  status: oneOf(connectionStatuses),
  message: described(longText(), 'What is wrong and what to do about it, or what the provider answered.'),
})
