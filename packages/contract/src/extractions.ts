// What the extractor finds in a conversation, as a preview shows it, and how its proposals fared with those who
// reviewed them.
import type { Static } from 'typebox'
import { bodyWith, type Sent } from './body.js'
import { valueTypes } from './entities/knowledge.js'
import { canonicalKinds } from './entities/work.js'
import {
  anyValue,
  confidence,
  described,
  describedFields,
  flag,
  instant,
  integer,
  line,
  list,
  longText,
  named,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  uuid,
  word,
} from './field.js'
import { limits } from './limits.js'
import type { Parameters } from './query.js'

export const mentionKinds = [
  'date',
  'time',
  'phone',
  'email',
  'address',
  'money',
  'person',
  'number',
  'duration',
] as const

const spoken = object({
  speaker: described(word(), '`agent`, `ai` and `system` are our side; everybody else is the caller’s.'),
  text: described(line(limits.segmentLength), 'What was said.'),
})

export const extractionPreviewBody = bodyWith({
  startedAt: optional(
    described(instant(), 'When the conversation began: days are reckoned from here. Now, if absent.'),
  ),
  timeZone: optional(described(line(64), 'IANA name. That of the organization, if absent.')),
  segments: described(
    list(spoken, limits.previewSegments),
    `At most ${limits.previewCharacters} characters of text in all.`,
  ),
})
export type ExtractionPreviewRequest = Sent<typeof extractionPreviewBody>

const place = {
  segmentIndex: described(integer({ minimum: 0 }), 'Which of the segments it is in, from 0.'),
  start: described(integer({ minimum: 0 }), 'The first character in the text of its segment.'),
  end: described(integer({ minimum: 0 }), 'Past the last character.'),
  quote: described(line(limits.segmentLength), 'The words themselves.'),
}
const quotes = () => list(object(place))
const manyQuotes = 10_000

const foundField = describedFields(
  {
    key: text(),
    label: line(),
    value: anyValue(),
    valueType: oneOf(valueTypes),
    confidence: confidence(),
    rule: described(line(), 'How it was found; the guide on extraction lists the rules.'),
    evidence: quotes(),
  },
  {
    key: 'Which field it is.',
    label: 'What people call it.',
    value: 'What was found.',
    valueType: 'The type of what was found.',
    confidence: 'How sure that is, from 0 to 1.',
    evidence: 'Where exactly it was said.',
  },
)

export const extractionPreview = named(
  'ExtractionPreview',
  object(
    {
      extractor: line(),
      fallbackReason: nullable(line()),
      mentions: list(
        object(
          { kind: oneOf(mentionKinds), ...place, value: anyValue() },
          {
            kind: 'What was mentioned.',
            value: 'The same in one form.',
          },
        ),
        manyQuotes,
      ),
      facts: described(list(object(foundField), 500), 'What would be proposed as facts.'),
      signals: list(
        object(
          { kind: text(), confidence: confidence(), evidence: quotes() },
          {
            kind: 'What was noticed.',
            confidence: 'How sure that is, from 0 to 1.',
            evidence: 'Where exactly it showed.',
          },
        ),
        500,
      ),
      draft: object(
        {
          canonicalKind: nullable(oneOf(canonicalKinds)),
          title: nullable(line()),
          summary: nullable(longText()),
          fields: described(list(object(foundField), 500), 'What the draft of a call would say.'),
          missingFields: list(word(), 500),
          isComplete: described(flag(), 'Nothing that its kind of work requires is missing.'),
        },
        {
          canonicalKind: 'Which kind of work it would be.',
          title: 'What the work would be called.',
          summary: 'What was asked for.',
          missingFields: 'What its kind of work requires and nobody said.',
        },
      ),
      summary: nullable(longText()),
    },
    {
      extractor: 'What read it: `rules`, or `model:` and the name of the model.',
      fallbackReason: 'Why the rules were used in place of the model.',
      mentions: 'What is named in the words: days, numbers, people.',
      signals: 'What would be detected.',
      draft: 'What would be proposed as work.',
      summary: 'What was said, in short.',
    },
  ),
)
export type ExtractionPreview = Static<typeof extractionPreview>

const count = () => integer({ minimum: 0 })

export const modelCallSources = ['call', 'sms', 'voicemail'] as const

export const modelCall = named(
  'ModelCall',
  object({
    id: described(uuid(), 'Later calls have greater ids.'),
    connectionId: described(uuid('integration_connection'), 'The connection whose model was asked.'),
    model: described(line(), 'The name of the model, as `config.model` had it then.'),
    source: described(oneOf(modelCallSources), 'What sort of conversation it was asked about.'),
    subject: described(
      nullable(
        named(
          'ModelCallSubject',
          object({
            entityType: described(oneOf(['call', 'message']), 'A text or voicemail is named by its message.'),
            id: described(uuid(), 'The id of that record.'),
          }),
        ),
      ),
      'The record that was read; null where the words belong to none.',
    ),
    promptTokens: described(nullable(count()), 'Tokens of the question; null where the endpoint did not count.'),
    completionTokens: described(nullable(count()), 'Tokens of the answer; null where the endpoint did not count.'),
    cost: described(nullable(number({ minimum: 0 })), 'In the currency of the endpoint; null where it does not tell.'),
    durationMs: described(count(), 'How long the endpoint took, in milliseconds.'),
    failure: described(nullable(longText()), 'Why the rules stood in for the model; null when its answer was used.'),
    dropped: described(
      named(
        'ModelCallDropped',
        object({
          quotes: described(count(), 'Values whose quote nobody said.'),
          types: described(count(), 'Values of another type than their definition has.'),
          keys: described(count(), 'Values of a key that nobody asked for.'),
        }),
      ),
      'How much of the answer was not used, and why.',
    ),
    createdAt: described(instant(), 'When the answer had come, or was given up.'),
  }),
)
export type ModelCall = Static<typeof modelCall>

export const qualityGroups = ['key', 'extractor'] as const

export const factQualityParameters = {
  groupBy: {
    schema: list(oneOf(qualityGroups)),
    description: 'By which to tell facts apart: `key`, `extractor`, or both; all together unless said otherwise',
  },
  since: { schema: instant(), description: 'Only facts captured at or after this time; 90 days ago unless said' },
  until: { schema: instant(), description: 'Only facts captured before this time; now unless said' },
} satisfies Parameters

const tally = {
  proposed: described(
    integer({ minimum: 0 }),
    'All that were captured from conversations in the period, without those that their extractor replaced or took ' +
      'back itself.',
  ),
  confirmed: described(integer({ minimum: 0 }), 'Confirmed as they were proposed, by somebody.'),
  edited: described(integer({ minimum: 0 }), 'Another value of the same call and key was confirmed in its place.'),
  rejected: described(integer({ minimum: 0 }), 'Rejected by somebody.'),
  ignored: described(integer({ minimum: 0 }), 'Nobody has decided on them; a threshold is nobody.'),
}

const bucket = object({
  from: described(confidence(), 'Facts at least this sure.'),
  to: described(confidence(), 'Facts less sure than this; where it is 1, those of 1 too.'),
  ...tally,
  precision: nullable(described(confidence(), 'Confirmed, of those that somebody decided on.')),
})

export const factQuality = named(
  'FactQuality',
  object(
    {
      since: described(instant(), 'Facts captured at or after this time.'),
      until: described(instant(), 'Facts captured before this time.'),
      isTruncated: described(flag(), `Only the newest ${limits.qualityFacts} facts were counted.`),
      groups: list(
        object({
          key: nullable(described(line(), 'Null unless grouped by key.')),
          extractor: nullable(described(line(), 'Null unless grouped by extractor, and for facts that name none.')),
          ...tally,
          precision: nullable(described(confidence(), 'Confirmed, of those that somebody decided on.')),
          calibration: described(list(bucket), 'The same by how sure the facts were.'),
          suggestedThreshold: nullable(
            described(
              confidence(),
              'The lowest confidence from which on at least 95 % were confirmed, of at least 20 that were decided on.',
            ),
          ),
        }),
        1_000,
      ),
    },
    { groups: 'How the facts fared, by what they are told apart.' },
  ),
)
export type FactQuality = Static<typeof factQuality>
