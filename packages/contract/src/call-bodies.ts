// What may be said of a call while it runs and when it ends: the bodies of its endpoints beyond the plain record.
import type { Static } from 'typebox'
import { bodyWith, createBody, nestedSchema, patchBody, withOnly, withProperties } from './body.js'
import { aboutSegment, calls, offset, speakers } from './entities/calls.js'
import { draftBody } from './entities/drafts.js'
import { factBody } from './entities/knowledge.js'
import { signalEvents } from './entities/signals.js'
import {
  confidence,
  described,
  type Field,
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
  optional,
  uri,
  word,
} from './field.js'
import { limits } from './limits.js'
import { isOneOf } from './one-of.js'
import { type CallOutcome, callOutcomes } from './states.js'

/** A new call rings or is being talked on; how it ends is reported later. */
export const openCallStatuses = ['ringing', 'in_progress'] as const

/** What may still be said of a call once it is there; the rest of it was settled when it began. */
export const reportedFields = [
  'status',
  'answeredAt',
  'endReason',
  'callerName',
  'summary',
  'outcome',
  'sentiment',
  'language',
  'personId',
  'customerId',
  'companyId',
  'workRecordId',
  'phoneNumberId',
  'recordingUrl',
  'handledBy',
  'metadata',
  'externalRefs',
] as const

const endFields = ['endedAt', 'duration']

/** How it ends is nothing that a call begins with. */
export const callBody = withProperties(
  withOnly(createBody(calls), (name) => !endFields.includes(name)),
  {
    status: optional(
      described(oneOf(openCallStatuses), 'Whether it rings or is being talked on; `ringing` unless you say.'),
    ),
  },
)

const talkSeconds = () => integer({ minimum: 0, maximum: 2_147_483_647 })

/** A call can be read, changed and sent back whole, so what was settled when it began is accepted and ignored. */
export const callReportBody = withProperties(
  withOnly(patchBody(calls), (name) => isOneOf(reportedFields, name)),
  {
    duration: optional(
      described(
        talkSeconds(),
        'How many seconds were talked; taken with a terminal status, ignored once the call has ended.',
      ),
    ),
    endedAt: optional(
      described(nullable(instant()), 'When it ended; taken with a terminal status, ignored once the call has ended.'),
    ),
  },
)

const SENT_BACK = 'Set by Parley; accepted and ignored.'

/** A segment as it is sent. The ids that a segment is read with may come back with it. */
export const segmentBody = named(
  'TranscriptSegment',
  object(
    {
      id: optional(line()),
      callId: optional(line()),
      sequence: offset(),
      speaker: oneOf(speakers),
      text: line(limits.segmentLength),
      startMs: offset(),
      endMs: optional(nullable(offset())),
      confidence: optional(nullable(confidence())),
      isFinal: optional(flag(true)),
    },
    { ...aboutSegment, id: SENT_BACK, callId: SENT_BACK },
  ),
)

export const segmentsBody = bodyWith(
  { segments: list(segmentBody, limits.segmentsPerRequest) },
  { about: { segments: 'What was said, in any order; a segment that is known by its `sequence` is revised.' } },
)

const FACTS =
  'What was learned. The subject is the work record of the call, else its person, unless a fact names another.'
const capturedFact = named('CapturedFact', nestedSchema(factBody({ subjectRequired: false })))
export const callFactsBody = bodyWith(
  { facts: list(capturedFact, limits.factsPerRequest) },
  { about: { facts: FACTS } },
)

const outcomes = Object.keys(callOutcomes) as CallOutcome[]
const OUTCOME =
  'How the call went, over everything else that is known of it; kept as the outcome of a call that has none yet.'

export const callEndBody = bodyWith(
  {
    endedAt: optional(nullable(instant())),
    duration: optional(nullable(talkSeconds())),
    outcome: optional(nullable(oneOf(outcomes))),
    endReason: optional(nullable(word())),
    summary: optional(nullable(longText())),
    transcript: optional(transcriptBody()),
    recordingUrl: optional(nullable(uri())),
    facts: optional(list(capturedFact, limits.factsPerRequest)),
    draft: optional(nullable(named('CapturedDraft', nestedSchema(draftBody({ callRequired: false }))))),
    signals: optional(list(named('CapturedSignal', nestedSchema(createBody(signalEvents))), limits.listItems)),
  },
  {
    required: false,
    about: {
      endedAt: 'When it ended. Now, unless you say otherwise.',
      duration: 'How many seconds were talked; reckoned from `answeredAt` unless you say.',
      outcome: OUTCOME,
      endReason: 'Why it ended, such as `caller_hangup`, `no_answer` or `busy`.',
      summary: 'What was said and agreed, in a few sentences.',
      transcript: 'All that was said: one text of `Speaker: text` lines, taken if no segments came, or segments.',
      recordingUrl: 'Where your telephony keeps the recording.',
      facts: FACTS,
      draft: 'The work that was asked for; it goes to review at once.',
      signals: 'What was noticed.',
    },
  },
)

/** A transcript as one text of `Speaker: text` lines, or as segments. */
function transcriptBody(): Field<string | Static<typeof segmentBody>[]> {
  return {
    type: ['string', 'array'],
    maxLength: limits.bodyBytes,
    items: segmentBody,
    maxItems: limits.segmentsPerRequest,
  } as never
}
