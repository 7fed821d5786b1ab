// What was learned in conversations: facts and their definitions, signals, their definitions and their raw events.
import { type Body, createBody, patchBody, ruledBody } from '../body.js'
import { entity, equal, type Filter, type SentToCreate, type SentToPatch } from '../entity.js'
import {
  anyValue,
  confidence,
  described,
  type Field,
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
  readOnly,
  required,
  text,
  uuid,
  word,
} from '../field.js'
import { limits } from '../limits.js'
import { factStatuses } from '../states.js'

export const factSubjects = ['person', 'company', 'customer', 'work_record'] as const
export const factSources = ['call', 'sms', 'voicemail', 'form', 'manual', 'api', 'import'] as const
export const valueTypes = ['string', 'number', 'boolean', 'enum', 'date', 'json'] as const
export const severities = ['info', 'warning', 'critical'] as const

export const evidence = () =>
  list(
    object({
      callSessionId: nullable(uuid('call')),
      segmentId: nullable(uuid()),
      messageId: nullable(uuid('message')),
      quote: line(8_000),
      startMs: nullable(integer({ minimum: 0 })),
      endMs: nullable(integer({ minimum: 0 })),
      speaker: nullable(word()),
      startChar: optional(
        described(integer({ minimum: 0 }), 'Where the quote begins in the text of its segment or message.'),
      ),
      endChar: optional(described(integer({ minimum: 0 }), 'Where it ends; exclusive.')),
    }),
    50,
  )

const HINTS = 'Other words for it, as callers and agents say them: the extractor finds the field by these too.'
const PHRASES =
  'What callers say when it is the case; the extractor fires the signal on any of them that is not negated.'

const anyOf = (field: string): Filter => ({ field, op: 'in' })

export const facts = entity({
  slug: 'facts',
  name: 'fact',
  label: 'Facts',
  description: 'Something learned about a subject, with its evidence and its standing.',
  verbs: 'LGC',
  fields: {
    subjectType: required(oneOf(factSubjects)),
    subjectId: required(uuid('@subjectType')),
    key: required(text()),
    label: readOnly(nullable(line())),
    value: required(anyValue()),
    valueType: readOnly(oneOf(valueTypes)),
    status: oneOf(factStatuses, 'proposed'),
    confidence: nullable(confidence()),
    source: oneOf(factSources, 'api'),
    sourceCallSessionId: nullable(uuid('call')),
    sourceMessageId: nullable(uuid('message')),
    observedAt: instant(),
    extractor: nullable(line()),
    evidence: evidence(),
    rationale: nullable(longText()),
    corroborationCount: readOnly(integer({ minimum: 0 })),
    confirmedAt: readOnly(nullable(instant())),
    confirmedBy: readOnly(nullable(uuid())),
    confirmedVia: readOnly(nullable(oneOf(['human', 'api', 'threshold', 'promotion', 'draft_approval']))),
    rejectedAt: readOnly(nullable(instant())),
    rejectedBy: readOnly(nullable(uuid())),
    promotedSubjectType: readOnly(nullable(oneOf(['person', 'company', 'customer']))),
    promotedSubjectId: readOnly(nullable(uuid())),
    promotedAt: readOnly(nullable(instant())),
    promotedBy: readOnly(nullable(uuid())),
    supersededById: readOnly(nullable(uuid('fact'))),
    supersededAt: readOnly(nullable(instant())),
  },
  search: ['key', 'label', 'value'],
  times: ['observedAt'],
  filters: {
    subjectType: anyOf('subjectType'),
    subjectId: anyOf('subjectId'),
    key: anyOf('key'),
    status: anyOf('status'),
    ...equal('sourceCallSessionId'),
    minConfidence: { field: 'confidence', op: '>=' },
    since: { field: 'observedAt', op: '>=' },
    until: { field: 'observedAt', op: '<' },
  },
})

/** What someone who captures a fact may say of its standing; everything else is reached by a move. */
export const capturedStatuses = ['proposed', 'confirmed'] as const

type FactSent = Omit<SentToPatch<typeof facts>, 'status'> &
  Pick<SentToCreate<typeof facts>, 'key' | 'value'> & { status?: (typeof capturedStatuses)[number] }

/** What captures a fact. Where the subject follows from something else, such as a call, it may be left out. */
export function factBody({ subjectRequired }: { subjectRequired: boolean }): Body<FactSent> {
  const body = createBody(facts)
  const schema = body.schema as unknown as { properties: Record<string, Field<unknown>>; required: string[] }
  const subject = ['subjectType', 'subjectId']
  const properties = { ...schema.properties, status: optional(oneOf(capturedStatuses, 'proposed')) }
  const required = schema.required.filter((name) => subjectRequired || !subject.includes(name))
  const together = { dependentRequired: { subjectType: ['subjectId'], subjectId: ['subjectType'] } }
  return ruledBody(
    { ...body, schema: { ...schema, properties, required } as unknown as Field<FactSent> },
    subjectRequired ? undefined : together,
  )
}

export const factDefinitions = entity({
  slug: 'fact-definitions',
  name: 'fact_definition',
  label: 'Fact definitions',
  description: 'What a fact key means: its type, its subject, and when it confirms itself.',
  verbs: 'LGCPD',
  fields: {
    key: required(text()),
    label: text(),
    valueType: required(oneOf(valueTypes)),
    subjectScope: required(oneOf([...factSubjects, 'polymorphic'] as const)),
    description: nullable(longText()),
    enumValues: nullable(list(line(), 200)),
    cardinality: oneOf(['one', 'many'], 'one'),
    autoConfirmThreshold: nullable(confidence()),
    hints: described(list(text(), limits.hints), HINTS),
    inferred: readOnly(
      described(flag(), 'Set by Parley: true while nobody has configured the definition that the first fact made.'),
    ),
  },
  search: ['key', 'label'],
  filters: ['key', 'valueType'],
  unique: [['key']],
})

/**
 * Only the key must be said: of a definition that exists, what is absent is kept. What a new one lacks is refused when
 * it is made.
 */
export const factDefinitionBody: Body = {
  ...patchBody(factDefinitions),
  schema: { ...(patchBody(factDefinitions).schema as object), required: ['key'] } as unknown as Body['schema'],
}

export const signals = entity({
  slug: 'signals',
  name: 'signal',
  label: 'Signals',
  description: 'A complaint, an upsell, an escalation: something noticed with confidence.',
  verbs: 'LG',
  fields: {
    kind: required(text()),
    signalKey: readOnly(text()),
    confidence: required(confidence()),
    severity: oneOf(severities, 'info'),
    callSessionId: nullable(uuid('call')),
    workRecordId: nullable(uuid('work_record')),
    personId: nullable(uuid('person')),
    firedAt: instant(),
    details: freeForm(),
    evidence: evidence(),
  },
  search: ['kind'],
  filters: {
    ...equal('kind', 'callSessionId', 'workRecordId'),
    signalKey: { field: 'kind', op: '=' },
    minConfidence: { field: 'confidence', op: '>=' },
  },
})

export const signalDefinitions = entity({
  slug: 'signal-definitions',
  name: 'signal_definition',
  label: 'Signal definitions',
  description: 'A kind of signal: how severe it is and how sure we must be before it fires.',
  verbs: 'LGCPD',
  fields: {
    key: required(text()),
    label: text(),
    description: nullable(longText()),
    severity: oneOf(severities, 'info'),
    fireThreshold: nullable(confidence()),
    enabled: flag(true),
    phrases: described(list(text(), limits.hints), PHRASES),
  },
  search: ['key', 'label'],
  filters: ['key'],
  unique: [['key']],
})

export const signalEvents = entity({
  slug: 'signal-events',
  name: 'signal_event',
  label: 'Signal events',
  description: 'Every raw detection of a signal, whether or not it was sure enough to fire.',
  verbs: 'LGC',
  fields: {
    kind: required(text()),
    confidence: required(confidence()),
    signalDefinitionId: nullable(uuid('signal_definition')),
    callSessionId: nullable(uuid('call')),
    messageId: nullable(uuid('message')),
    personId: nullable(uuid('person')),
    workRecordId: nullable(uuid('work_record')),
    detectedAt: instant(),
    details: freeForm(),
    evidence: evidence(),
  },
  search: ['kind'],
  filters: ['kind', 'callSessionId', 'workRecordId'],
})
