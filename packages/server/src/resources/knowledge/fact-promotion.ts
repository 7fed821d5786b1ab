// Promotion: a fact becomes a lasting attribute of a person, company or customer, with its provenance. The fact keeps
// its own subject.
import {
  companies,
  customers,
  type Entity,
  type Fields,
  factMoves,
  factPromotionBody,
  facts,
  fieldValues,
  patchBody,
  people,
  promotionTargets,
  type Row,
  recordSchema,
  valueOf,
  workRecords,
} from '@parley/contract'
import { bodyShaper, type Shaper } from '../../http/body-validation.js'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { badRequest, conflict } from '../../store/api-error.js'
import type { Answer } from '../../store/response.js'
import type { Work } from '../../store/work.js'
import type { Rules } from '../generic/crud.js'
import { addHistory } from '../generic/field-history.js'
import { changedFields, newRecord, patched } from '../generic/record-values.js'
import { findTwin } from '../generic/reference-checks.js'
import { requireMove } from '../generic/state-transitions.js'
import { companyRules, customerRules } from '../people/address-book.js'
import { personRules } from '../people/people.js'
import { actorId, confirmFact, requireFact } from './fact-decisions.js'
import { findDefinition } from './fact-definitions.js'
import { type Fact, standingOf, supersede } from './fact-supersession.js'

type TargetType = (typeof promotionTargets)[number]

interface Target {
  readonly type: TargetType
  readonly id: string
}

/** What a fact is promoted to keeps what it has no field for among its custom fields. */
type Promotable = Entity<Fields & { customFields: typeof people.fields.customFields }>

interface TargetKind {
  readonly entity: Promotable
  readonly rules: Rules<Promotable>
  readonly shape: Shaper
  /** The keys that have a field of their own; all others go to `customFields`. */
  readonly columns: Readonly<Record<string, string>>
}

const columns = {
  display_name: 'displayName',
  legal_name: 'legalName',
  primary_email: 'primaryEmail',
  primary_phone: 'primaryPhone',
}
const { legal_name: _, ...columnsOfCustomers } = columns

const targetKinds: Readonly<Record<TargetType, TargetKind>> = {
  person: { entity: people, rules: personRules, shape: bodyShaper(patchBody(people)), columns },
  company: {
    entity: companies,
    rules: companyRules,
    shape: bodyShaper(patchBody(companies)),
    columns: { ...columns, display_name: 'name' },
  },
  customer: {
    entity: customers,
    rules: customerRules,
    shape: bodyShaper(patchBody(customers)),
    columns: columnsOfCustomers,
  },
}

export const promoteEndpoint: Endpoint = endpoint({
  method: 'POST',
  path: '/facts/{id}/promote',
  scope: 'WRITE',
  operationId: 'promoteFact',
  summary: 'Promote a fact',
  description:
    'Makes the fact a lasting attribute of a person, company or customer. Without a target, a fact on such a ' +
    'subject targets it, and a fact on a work record targets its primary person, else its company, else its ' +
    'customer, as the scope of the definition says.',
  tag: facts.label,
  body: factPromotionBody,
  returns: { status: 200, schema: recordSchema(facts) },
  async handle(input) {
    const { work } = input
    const fact = await requireFact(input)
    if (fact.status === 'promoted') return again(fact, input)
    const confirmed = await confirmFirst(work, fact)
    const target = await targetOf(input, confirmed)
    return work.respond(200, await promote(input, confirmed, target))
  },
})

type Asked = { readonly targetSubjectType?: TargetType; readonly targetSubjectId?: string }

/** Promoting a promoted fact is no change, as long as nothing else is asked for. */
function again(fact: Fact, { work, body }: Input<Asked>): Answer<Fact> {
  const { targetSubjectType: type = fact.promotedSubjectType, targetSubjectId: id = fact.promotedSubjectId } = body
  if (type === fact.promotedSubjectType && id === fact.promotedSubjectId) return work.respond(200, fact)
  const { promotedSubjectType, promotedSubjectId } = fact
  throw conflict('state', 'The fact was promoted to another subject', {
    from: 'promoted',
    to: 'promoted',
    allowed: [],
    promotedSubjectType,
    promotedSubjectId,
  })
}

/** A proposed fact on a work record is confirmed on its way; one that is older than what stands there cannot go on. */
async function confirmFirst(work: Work, fact: Fact): Promise<Fact> {
  if (fact.status !== 'proposed' || fact.subjectType !== 'work_record') {
    requireMove(factMoves, 'promote', fact.status)
    return fact
  }
  const confirmed = await confirmFact(work, fact, 'promotion')
  requireMove(factMoves, 'promote', confirmed.status)
  return confirmed
}

async function promote(input: Input, fact: Fact, target: Target): Promise<Fact> {
  const { work } = input
  const { entity } = targetKinds[target.type]
  const record = await work.get(entity, target.id)
  if (record === undefined)
    throw badRequest('targetSubjectId', `names a ${target.type} that does not exist`, 'reference')
  await putFieldValue(work, fact, target)
  const previousValue = await putAttribute(input, fact, target, record)
  const { older } = await standingOf(work, fact)
  const promoted = work.update(facts, {
    ...fact,
    status: 'promoted',
    promotedSubjectType: target.type,
    promotedSubjectId: target.id,
    promotedAt: input.now.toISOString(),
    promotedBy: actorId(input),
  })
  const { id: factId, key, value } = promoted
  work.publish('fact.promoted', {
    factId,
    key,
    value,
    targetSubjectType: target.type,
    targetSubjectId: target.id,
    previousValue,
    fact: promoted,
  })
  supersede(work, older, promoted)
  return promoted
}

/** The target that was asked for, else the one that follows from the fact. */
async function targetOf(input: Input<Asked>, fact: Fact): Promise<Target> {
  const { work } = input
  const { targetSubjectType: type, targetSubjectId: id } = input.body
  if (type !== undefined && id !== undefined) return { type, id }
  if (id !== undefined) throw badRequest('targetSubjectType', 'is required with targetSubjectId', 'required')
  const target = (await candidates(work, fact)).find((one) => type === undefined || one.type === type)
  if (target === undefined)
    throw badRequest('targetSubjectId', 'cannot be told from the fact; name a person, company or customer', 'required')
  return target
}

async function candidates(work: Work, fact: Fact): Promise<Target[]> {
  if (fact.subjectType !== 'work_record') return [{ type: fact.subjectType, id: fact.subjectId }]
  const record = await work.get(workRecords, fact.subjectId)
  if (record === undefined) return []
  const all = [
    { type: 'person' as const, id: record.primaryPersonId },
    { type: 'company' as const, id: record.primaryCompanyId },
    { type: 'customer' as const, id: record.customerId },
  ]
  const scope = (await findDefinition(work, fact.key))?.subjectScope
  const isNamed = promotionTargets.some((type) => type === scope)
  return all.flatMap(({ type, id }) => (id !== null && (!isNamed || type === scope) ? [{ type, id }] : []))
}

/** Sets the field or the custom field of the target, with one history entry; returns what was there. */
async function putAttribute(input: Input, fact: Fact, { type }: Target, before: Row<Promotable>): Promise<unknown> {
  const { work } = input
  const { entity, rules, shape, columns } = targetKinds[type]
  const column = Object.hasOwn(columns, fact.key) ? columns[fact.key] : undefined
  const { customFields } = before
  const sent = column ? { [column]: fact.value } : { customFields: { ...customFields, [fact.key]: fact.value } }
  const shaped = shape(sent, input.caller.settings) ?? {}
  const previousValue =
    (column ? valueOf(before, column) : Object.hasOwn(customFields, fact.key) ? customFields[fact.key] : null) ?? null
  const newValue = column ? shaped[column] : fact.value
  const wanted = patched(entity, before, shaped)
  const after = (await rules.complete?.(input, wanted, before)) ?? wanted
  if (changedFields(entity, before, after).length > 0) {
    const record = work.update(entity, after)
    await rules.after?.({ work, input, record, before })
  }
  addHistory(work, entity, before.id, {
    field: column ?? fact.key,
    previousValue,
    newValue,
    changeType: 'promote',
    sourceFactId: fact.id,
  })
  return previousValue
}

/** The value of a field is one per record and key; a locked one is not overwritten. */
async function putFieldValue(work: Work, fact: Fact, target: Target): Promise<void> {
  const address = { entityType: targetKinds[target.type].entity.name, entityId: target.id, key: fact.key }
  const values = {
    ...address,
    value: fact.value,
    source: 'fact' as const,
    sourceFactId: fact.id,
    confidence: fact.confidence,
  }
  const known = await findTwin(work, fieldValues, ['entityType', 'entityId', 'key'], address)
  if (known?.locked)
    throw conflict('locked', `${fact.key} of this ${target.type} is locked`, { fieldValueId: known.id })
  if (known) work.update(fieldValues, { ...known, ...values })
  else work.insert(fieldValues, newRecord(fieldValues, work, values))
}
