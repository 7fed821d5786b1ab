// The draft of a work record that a call leaves behind, waiting for someone to decide.
import { entity } from '../entity.js'
import { confidence, instant, line, list, longText, mergedForm, nullable, oneOf, readOnly, required, uuid, word } from '../field.js'
import { draftStatuses } from '../states.js'
import { canonicalKinds } from './work.js'

export const drafts = entity({
  slug: 'drafts',
  name: 'draft',
  label: 'Drafts',
  description: 'A proposed work record from a call, awaiting human approval.',
  verbs: 'LGCP',
  fields: {
    callSessionId: required(uuid('call')),
    status: readOnly(oneOf(draftStatuses, 'draft')),
    canonicalKind: nullable(oneOf(canonicalKinds)),
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
  },
  search: ['title', 'summary'],
  filters: ['status', 'callSessionId'],
})
