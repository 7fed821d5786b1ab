// The surface of a call: one read model of all that someone who looks on needs. Its shape is promised to stay:
// call-surface.frozen.json holds it, and a test refuses any change but an added optional key. So it names what it
// promises of each record, and leaves the rest of the record free to grow.
import { calls, segment, transcriptStatuses } from './entities/calls.js'
import { drafts } from './entities/drafts.js'
import { facts } from './entities/knowledge.js'
import { customers, people } from './entities/people.js'
import { signals } from './entities/signals.js'
import { workRecords } from './entities/work.js'
import { type Entity, type Fields, recordSchema } from './entity.js'
import {
  type About,
  anyValue,
  confidence,
  describedFields,
  type Field,
  flag,
  freeForm,
  instant,
  integer,
  line,
  list,
  named,
  nullable,
  oneOf,
  readOnly,
  text,
  uri,
  uuid,
  word,
} from './field.js'

export const summaryStatuses = ['none', 'pending', 'available'] as const
export const draftFieldSources = ['draft', 'fact', 'none'] as const
export const draftFieldStates = ['missing', 'proposed', 'confirmed', 'promoted', 'approved'] as const

/** How much of what grows is shown. */
export const surfaceLimits = { facts: 200, signals: 50, tailSegments: 20, events: 200, draftFields: 500 } as const

/** An object that may have more keys than it promises. */
const promising = <S extends Fields>(given: S, about: About<NoInfer<S>> = {}): Field<Record<string, unknown>> => {
  const properties: unknown = describedFields(given, about)
  return { type: 'object', properties, required: Object.keys(given) } as unknown as Field<Record<string, unknown>>
}

/** The promised part of a record, and which of it was promised as read-only before a report could say it. */
function partOf(
  entity: Entity,
  names: readonly string[],
  onceReadOnly: readonly string[] = [],
): Field<Record<string, unknown>> {
  const { properties } = recordSchema(entity) as unknown as { properties: Record<string, Field<unknown>> }
  const parts = names.map((name) => [name, properties[name] as Field<unknown>] as const)
  return promising(
    Object.fromEntries(parts.map(([name, part]) => [name, onceReadOnly.includes(name) ? readOnly(part) : part])),
  )
}

const call = [
  'id',
  'direction',
  'status',
  'endReason',
  'from',
  'to',
  'callerName',
  'phoneNumberId',
  'personId',
  'customerId',
  'workRecordId',
  'handledBy',
]
const callTimes = [
  'startedAt',
  'answeredAt',
  'endedAt',
  'duration',
  'summary',
  'sentiment',
  'outcome',
  'recordingUrl',
  'recordingStatus',
  'voicemailId',
]
const callMore = [
  'transcriptStatus',
  'transcriptSegmentCount',
  'provider',
  'providerCallId',
  'metadata',
  'createdAt',
  'updatedAt',
  'version',
]
const fact = [
  'id',
  'subjectType',
  'subjectId',
  'key',
  'label',
  'value',
  'valueType',
  'status',
  'confidence',
  'observedAt',
  'evidence',
  'createdAt',
  'version',
]
const draft = [
  'id',
  'callSessionId',
  'status',
  'canonicalKind',
  'title',
  'summary',
  'payload',
  'missingFields',
  'factIds',
  'workRecordId',
  'createdAt',
  'version',
]
const signal = ['id', 'kind', 'confidence', 'severity', 'firedAt', 'details', 'evidence', 'createdAt']
const workRecord = [
  'id',
  'number',
  'canonicalKind',
  'title',
  'recordState',
  'status',
  'stage',
  'priority',
  'customerId',
  'createdAt',
  'version',
]

export const callSurface = named(
  'CallSurface',
  promising(
    {
      callId: uuid('call'),
      organizationId: uuid(),
      asOf: instant(),
      revision: integer({ minimum: 1 }),
      live: flag(),
      call: partOf(calls, [...call, ...callTimes, ...callMore], ['endedAt', 'duration']),
      person: nullable(
        partOf(people, [
          'id',
          'displayName',
          'legalName',
          'primaryEmail',
          'primaryPhone',
          'customerId',
          'createdAt',
          'version',
        ]),
      ),
      customer: nullable(partOf(customers, ['id', 'displayName', 'customerType', 'status', 'createdAt', 'version'])),
      workRecord: nullable(partOf(workRecords, workRecord)),
      draft: nullable(partOf(drafts, draft)),
      draftFields: list(
        promising(
          {
            key: text(),
            label: line(),
            value: anyValue(),
            required: flag(),
            source: oneOf(draftFieldSources),
            factId: nullable(uuid('fact')),
            confidence: nullable(confidence()),
            state: oneOf(draftFieldStates),
          },
          {
            key: 'Which field it is.',
            label: 'What people call it.',
            value: 'What it says; null where nothing is known.',
            required: 'Whether work of this kind needs it.',
            source: 'What says it: the draft itself or a fact.',
            factId: 'The fact that says it.',
            confidence: 'How sure that is, from 0 to 1.',
            state: 'How settled it is.',
          },
        ),
        surfaceLimits.draftFields,
      ),
      facts: list(partOf(facts, fact), surfaceLimits.facts),
      signals: list(partOf(signals, signal), surfaceLimits.signals),
      transcript: promising(
        {
          status: oneOf(transcriptStatuses),
          segmentCount: integer({ minimum: 0 }),
          lastSequence: nullable(integer({ minimum: 0 })),
          tail: list(segment, surfaceLimits.tailSegments),
          segmentsUrl: uri(),
          streamUrl: uri(),
        },
        {
          status: 'Whether there is a transcript, or one is growing.',
          segmentCount: 'How many segments it has.',
          lastSequence: 'The `sequence` of the last one.',
          tail: 'The last segments.',
          segmentsUrl: 'Where all of it is read.',
          streamUrl: 'Where it is followed.',
        },
      ),
      summary: promising(
        { text: nullable(line()), status: oneOf(summaryStatuses) },
        {
          text: 'What was said and agreed, in a few sentences.',
          status: 'Whether it is there; `pending` while the call runs.',
        },
      ),
      recording: promising(
        { status: oneOf(['none', 'pending', 'available']), url: nullable(uri()) },
        {
          status: 'Whether it is there.',
          url: 'Where it is played.',
        },
      ),
      events: list(
        promising(
          { id: text(26), type: word(), at: instant(), data: freeForm() },
          {
            id: 'The `eventId` of the event.',
            type: 'Its type.',
            at: 'When it happened.',
            data: 'What it tells, as in a webhook.',
          },
        ),
        surfaceLimits.events,
      ),
    },
    {
      callId: 'The call that it shows.',
      organizationId: 'The organization that it belongs to.',
      asOf: 'The moment that it shows.',
      revision: 'Rises with every change of the call or of what hangs on it; also the `ETag`.',
      live: 'Whether the call still runs.',
      call: 'The call itself.',
      person: 'Who the other side is.',
      customer: 'The customer that it concerns.',
      workRecord: 'The work that it concerns.',
      draft: 'The work that is being asked for.',
      draftFields: 'What that work needs to know, and what is known of it.',
      facts: 'What was learned, newest first.',
      signals: 'What was noticed, newest first.',
      transcript: 'What is being said.',
      summary: 'What was said, in short.',
      recording: 'The recording of the call.',
      events: 'What has happened in the call, oldest first.',
    },
  ),
)
