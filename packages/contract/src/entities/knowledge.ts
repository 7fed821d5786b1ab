// What was learned in conversations: facts and their definitions.
import { type Body, createBody, patchBody, ruledBody } from '../body.js'
import { entity, equal, type Filter, type SentToCreate, type SentToPatch } from '../entity.js'
import {
  anyValue,
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

export const evidence = () =>
  list(
    named(
      'Evidence',
      object(
        {
          callSessionId: nullable(uuid('call')),
          segmentId: nullable(uuid()),
          messageId: nullable(uuid('message')),
          quote: line(8_000),
          startMs: nullable(integer({ minimum: 0 })),
          endMs: nullable(integer({ minimum: 0 })),
          speaker: nullable(word()),
          startChar: optional(integer({ minimum: 0 })),
          endChar: optional(integer({ minimum: 0 })),
        },
        {
          callSessionId: 'The call in which it was said.',
          segmentId: 'The segment of its transcript.',
          messageId: 'The message in which it was written.',
          quote: 'The words themselves.',
          startMs: 'When they began, in milliseconds from the start of the call.',
          endMs: 'When they ended, in milliseconds from the start of the call.',
          speaker: 'Who said them.',
          startChar: 'Where the quote begins in the text of its segment or message.',
          endChar: 'Where it ends there; exclusive.',
        },
      ),
    ),
    50,
  )

const HINTS = 'Other words for it, as callers and agents say them: the extractor finds the field by these too.'

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
  about: {
    subjectType: 'What it is about.',
    subjectId: 'Whom or what it is about.',
    key: 'What was learned, such as `preferred_time`. A new key makes its own definition.',
    label: 'What the key is called among people, from its definition.',
    value: 'What was learned. Its type is the `valueType` of the definition; nothing is converted.',
    valueType: 'The type that the value had when it was captured.',
    status: 'Whether it counts. Send `confirmed` with what needs no decision; the actions move it later.',
    confidence:
      'How sure whoever captured it is, from 0 to 1. Over the threshold of its definition it confirms itself.',
    source: 'Where it was learned.',
    sourceCallSessionId: 'The call in which it was said.',
    sourceMessageId: 'The message in which it was written.',
    observedAt: 'When it was said. Now, unless you say otherwise. Of two facts the later one is the fresher.',
    extractor: 'What captured it, such as the name of a model.',
    evidence: 'Where exactly it was said.',
    rationale: 'Why whoever captured it thinks so.',
    corroborationCount: 'How often the same was heard again in the same call.',
    confirmedAt: 'When it was confirmed.',
    confirmedBy: 'The user or key that confirmed it; null where a threshold did.',
    confirmedVia: 'What confirmed it: a person, a key, the threshold, its promotion or the approval of its draft.',
    rejectedAt: 'When it was rejected.',
    rejectedBy: 'The user or key that rejected it.',
    promotedSubjectType: 'What it became an attribute of.',
    promotedSubjectId: 'Whose attribute it became.',
    promotedAt: 'When it was promoted.',
    promotedBy: 'The user or key that promoted it.',
    supersededById: 'The fresher fact that took its place.',
    supersededAt: 'When a fresher one took its place.',
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

const CAPTURED = 'Send `confirmed` with what needs no decision.'

type FactSent = Omit<SentToPatch<typeof facts>, 'status'> &
  Pick<SentToCreate<typeof facts>, 'key' | 'value'> & { status?: (typeof capturedStatuses)[number] }

/** What captures a fact. Where the subject follows from something else, such as a call, it may be left out. */
export function factBody({ subjectRequired }: { subjectRequired: boolean }): Body<FactSent> {
  const body = createBody(facts)
  const schema = body.schema as unknown as { properties: Record<string, Field<unknown>>; required: string[] }
  const subject = ['subjectType', 'subjectId']
  const properties = {
    ...schema.properties,
    status: optional(described(oneOf(capturedStatuses, 'proposed'), CAPTURED)),
  }
  const required = schema.required.filter((name) => subjectRequired || !subject.includes(name))
  const together = { dependentRequired: { subjectType: ['subjectId'], subjectId: ['subjectType'] } }
  return ruledBody(
    { ...body, schema: { ...schema, properties, required } as unknown as Field<FactSent> },
    subjectRequired ? undefined : together,
  )
}

export const factDefinitions = entity({
  slug: 'fact-definitions',
  batch: true,
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
    hints: list(text(), limits.hints),
    inferred: readOnly(flag()),
  },
  about: {
    key: 'The key of its facts. It never changes.',
    label: 'What people call it. Made from the key unless you say.',
    valueType: 'Which values its facts may have. Fixed once there are facts.',
    subjectScope: 'What its facts may be about; `polymorphic` is anything. Fixed once there are facts.',
    description: 'What it means, for people and models that capture it.',
    enumValues: 'The values that an `enum` may have.',
    cardinality: '`one`: a newer fact takes the place of the older. `many`: they stand side by side.',
    autoConfirmThreshold:
      'Facts at least this sure confirm themselves; null: as `settings.factAutoConfirmThreshold` says.',
    hints: HINTS,
    inferred: 'Set by Parley: true while nobody has configured the definition that the first fact made.',
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
