// The draft of a work record that a call leaves behind, waiting for someone to decide.
import { type Body, createBody, patchBody, withProperties } from '../body.js'
import { entity, type SentToPatch } from '../entity.js'
import {
  anyValue,
  confidence,
  described,
  flag,
  instant,
  line,
  list,
  longText,
  mergedForm,
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
import { draftStatuses } from '../states.js'
import { evidence } from './knowledge.js'
import { canonicalKind } from './work.js'

const EXTRACTION =
  'What Parley’s extractor proposed, with its evidence; null when it had no part. What others said since stands in ' +
  'the fields of the draft itself.'

/** What the extractor made of the conversation, as it last proposed it. */
function draftExtraction() {
  const field = object(
    { key: text(), value: anyValue(), confidence: confidence(), evidence: evidence() },
    {
      key: 'Which field it is.',
      value: 'What was read for it.',
      confidence: 'How sure that is, from 0 to 1.',
      evidence: 'Where exactly it was said.',
    },
  )
  return object(
    {
      extractor: line(),
      fallbackReason: nullable(line()),
      fingerprint: line(64),
      isDraftMade: flag(),
      canonicalKind: nullable(canonicalKind()),
      title: nullable(line()),
      summary: nullable(longText()),
      fields: list(field),
    },
    {
      extractor: 'What read it: `rules`, or `model:` and the name of the model.',
      fallbackReason: 'Why the rules were used in place of the model.',
      fingerprint: 'Of the words that were read: a model does not read the same words twice.',
      isDraftMade: 'The extractor made the draft; false when it only filled its gaps.',
      canonicalKind: 'Which kind of work it proposed.',
      title: 'What it would call the work.',
      summary: 'What was asked for, as it read it.',
      fields: 'What it read for each field.',
    },
  )
}

export const drafts = entity({
  slug: 'drafts',
  name: 'draft',
  label: 'Drafts',
  description: 'A proposed work record from a call, awaiting human approval.',
  verbs: 'LGCP',
  fields: {
    callSessionId: required(uuid('call')),
    status: readOnly(oneOf(draftStatuses, 'draft')),
    canonicalKind: nullable(canonicalKind()),
    title: nullable(line()),
    summary: nullable(longText()),
    payload: mergedForm(),
    customerId: nullable(uuid('customer')),
    personId: nullable(uuid('person')),
    confidence: nullable(confidence()),
    missingFields: readOnly(list(word())),
    factIds: list(uuid('fact')),
    workRecordId: readOnly(nullable(uuid('work_record'))),
    approvedBy: readOnly(nullable(uuid())),
    approvedAt: readOnly(nullable(instant())),
    rejectedBy: readOnly(nullable(uuid())),
    rejectedAt: readOnly(nullable(instant())),
    rejectedReason: readOnly(nullable(longText())),
    extraction: readOnly(nullable(described(draftExtraction(), EXTRACTION))),
  },
  about: {
    callSessionId: 'The call that it comes from.',
    status: 'Where it stands. The actions `submit`, `approve`, `reject`, `reopen` and `synced` move it.',
    canonicalKind: 'Which kind of work is proposed.',
    title: 'What the work would be called.',
    summary: 'What was asked for; it becomes the description of the work record.',
    payload:
      'What the work record would say. Keys of a work record become its fields, others its `structuredFieldsJson`.',
    customerId: 'The customer that the work is for.',
    personId: 'Who asked for it.',
    confidence: 'How sure whoever proposed it is, from 0 to 1.',
    missingFields:
      'Which of the required fields of this kind of work nothing says yet. It advises and refuses nothing.',
    factIds: 'The facts that it rests on.',
    workRecordId: 'The work record that its approval made.',
    approvedBy: 'The user or key that approved it.',
    approvedAt: 'When it was approved.',
    rejectedBy: 'The user or key that rejected it.',
    rejectedAt: 'When it was rejected.',
    rejectedReason: 'Why it was rejected, in the words of whoever did.',
  },
  search: ['title', 'summary'],
  filters: ['status', 'callSessionId'],
})

/** What makes a draft. Where the call is known from elsewhere, as at its own end, it is left out. */
export function draftBody({ callRequired }: { callRequired: boolean }): Body<SentToPatch<typeof drafts>> {
  const body = createBody(drafts)
  const schema = body.schema as unknown as { properties: Record<string, unknown>; required: string[] }
  if (callRequired) return body
  const { callSessionId: _, ...properties } = schema.properties
  const required = schema.required.filter((name) => name !== 'callSessionId')
  return { ...body, schema: { ...schema, properties, required } as unknown as typeof body.schema }
}

/**
 * What changes a draft. Its status may stand there, so that a draft can be sent back whole; it moves by the actions
 * alone.
 */
export const draftPatchBody = withProperties(patchBody(drafts), {
  status: optional(described(anyValue(), 'The status that it has. Any other is a conflict: the actions move it.')),
})
