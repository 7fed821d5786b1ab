// Facts: what was learned about a subject, captured with its evidence. The same value again from the same call
// corroborates the fact that is there; a fact that is sure enough confirms itself.
import { capturedStatuses, factBody, facts, isOneOf, limits, recordSchema } from '@parley/contract'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { badRequest, conflict } from '../../store/api-error.js'
import { finding } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import { crud } from '../generic/crud.js'
import { findByRefs, writeRefs } from '../generic/external-ref-rows.js'
import { completed } from '../generic/fixed-shape.js'
import { newRecord, requireComplete } from '../generic/record-values.js'
import { requireReferences } from '../generic/reference-checks.js'
import { askedVia, confirmFact, factMoveEndpoints } from './fact-decisions.js'
import { definitionFor, type FactDefinition, requireFit } from './fact-definitions.js'
import { promoteEndpoint } from './fact-promotion.js'
import { type Fact, factData, isTakenBack, type Slot, slotFence } from './fact-supersession.js'
import { isSameValue } from './fact-value-types.js'

export type { Fact } from './fact-supersession.js'

/** What a fact is about and where it comes from, where its body does not say. */
export interface FactDefaults {
  readonly subjectType?: Fact['subjectType'] | undefined
  readonly subjectId?: string | undefined
  readonly sourceCallSessionId?: string | null | undefined
  readonly source?: Fact['source'] | undefined
}

type Captured = Partial<Fact> & Pick<Fact, 'key' | 'value'>

/**
 * Captures a fact: makes it, or corroborates the one that says the same from the same call. Facts of one change see
 * each other, so that several may share a definition that does not exist yet, or a slot. `body` has the shape of
 * `factBody`. With `builtIn`, which is stored nowhere, no definition is made.
 */
export async function addFact(
  work: Work,
  body: Record<string, unknown>,
  defaults: FactDefaults = {},
  builtIn?: FactDefinition,
): Promise<{ fact: Fact; isNew: boolean }> {
  const sent = body as Captured
  requireCapturable(sent, work.now)
  const slot = slotOf(sent, defaults)
  const sourceCallSessionId = sent.sourceCallSessionId ?? defaults.sourceCallSessionId ?? null
  const [definition, twin] = await Promise.all([
    builtIn ?? definitionFor(work, sent.key, sent.value),
    findTwin(work, slot, sent, sourceCallSessionId),
  ])
  requireFit(definition, slot.subjectType, sent.value)
  if (twin)
    return {
      fact: await confirmIfSure(work, definition, sent, corroborate(work, twin, sent)),
      isNew: false,
    }
  const source =
    sent.source ??
    defaults.source ??
    (sourceCallSessionId ? 'call' : work.caller.actor.type === 'user' ? 'manual' : 'api')
  const fact = await insertFact(work, body, {
    ...slot,
    label: definition.label,
    valueType: definition.valueType,
    source,
    sourceCallSessionId,
  })
  const settled = await confirmIfSure(work, definition, sent, fact)
  if (settled.status === 'proposed') work.publish('fact.proposed', factData(settled))
  return { fact: settled, isNew: true }
}

function requireCapturable({ status = 'proposed', observedAt }: Captured, now: Date): void {
  if (!isOneOf(capturedStatuses, status))
    throw badRequest('status', `must be one of: ${capturedStatuses.join(', ')}`, 'enum')
  const latest = now.getTime() + limits.observedAheadSeconds * 1000
  if (observedAt !== undefined && Date.parse(observedAt) > latest) {
    throw badRequest('observedAt', `must not be more than ${limits.observedAheadSeconds} seconds ahead`, 'future')
  }
}

/** Type and id belong together: either both are sent, or both follow from the defaults. */
function slotOf({ subjectType, subjectId, key }: Captured, defaults: FactDefaults): Slot {
  const subject = subjectType === undefined && subjectId === undefined ? defaults : { subjectType, subjectId }
  if (subject.subjectType === undefined) throw badRequest('subjectType', 'is required', 'required')
  if (subject.subjectId === undefined) throw badRequest('subjectId', 'is required', 'required')
  return { subjectType: subject.subjectType, subjectId: subject.subjectId, key }
}

/**
 * The fact that says the same already: under the same external reference, or from the same call. The change is fenced,
 * so that twins meet.
 */
async function findTwin(
  work: Work,
  slot: Slot,
  { externalRefs, value }: Captured,
  callId: string | null,
): Promise<Fact | undefined> {
  const { subjectType, subjectId, key } = slot
  const ofCall = callId === null ? [] : [finding(facts, { subjectType, subjectId, key, sourceCallSessionId: callId })]
  const [fence, said = []] = await work.lookUp(slotFence(slot), ...ofCall)
  work.addFence(fence)
  const known = await findByRefs(work, facts, externalRefs)
  if (known) return requireSame(known, slot, value)
  return said.find((fact) => isSameValue(fact.value, value) && !isTakenBack(fact, said))
}

/** A fact is never edited, so what comes again under its reference must say the same. */
function requireSame(known: Fact, slot: Slot, value: unknown): Fact {
  const isSame =
    known.subjectType === slot.subjectType &&
    known.subjectId === slot.subjectId &&
    known.key === slot.key &&
    isSameValue(known.value, value)
  if (!isSame)
    throw conflict('external_ref_taken', 'The external reference belongs to a fact that says something else', {
      id: known.id,
    })
  return known
}

/** Said again: the count rises, new evidence is kept, and the higher confidence counts. */
function corroborate(work: Work, twin: Fact, { evidence = [], confidence }: Captured): Fact {
  const all = completed(facts.fields.evidence, [...twin.evidence, ...evidence]) as Fact['evidence']
  const isFirst = (one: unknown, at: number) => all.findIndex((other) => isSameValue(one, other)) === at
  return work.update(facts, {
    ...twin,
    corroborationCount: twin.corroborationCount + 1,
    confidence: typeof confidence === 'number' ? Math.max(confidence, twin.confidence ?? 0) : twin.confidence,
    evidence: all.filter(isFirst).slice(0, EVIDENCE_MAX),
  })
}

const EVIDENCE_MAX = 50

async function insertFact(work: Work, body: Record<string, unknown>, values: Partial<Fact>): Promise<Fact> {
  const made = newRecord(facts, work, { ...body, ...values, status: 'proposed', corroborationCount: 0 })
  const fact: Fact = { ...made, observedAt: made.observedAt ?? made.createdAt }
  requireComplete(facts, fact)
  await requireReferences(work, facts, body, fact)
  work.insert(facts, fact)
  await writeRefs(work, facts, undefined, fact)
  return fact
}

/**
 * Confirms a proposed fact when its sender says so, or when it passes the threshold of its definition, else of the
 * tenant.
 */
async function confirmIfSure(work: Work, definition: FactDefinition, { status }: Captured, fact: Fact): Promise<Fact> {
  if (fact.status !== 'proposed') return fact
  if (status === 'confirmed') return confirmFact(work, fact, askedVia(work))
  const threshold = definition.autoConfirmThreshold ?? work.caller.settings.factAutoConfirmThreshold
  const isSure = threshold !== null && fact.confidence !== null && fact.confidence >= threshold
  return isSure ? confirmFact(work, fact, 'threshold') : fact
}

const createFact: Endpoint = endpoint({
  method: 'POST',
  path: '/facts',
  scope: facts.writeScope,
  operationId: 'createFact',
  summary: 'Capture a fact',
  description:
    'A key without a definition gets one, inferred from the value. The same value again from the same call ' +
    'corroborates the fact that is there.',
  tag: facts.label,
  body: factBody({ subjectRequired: true }),
  returns: { status: [201, 200], schema: recordSchema(facts) },
  async handle(input) {
    const { work } = input
    const { fact, isNew } = await addFact(work, input.body)
    return work.respond(isNew ? 201 : 200, fact)
  },
})

const { list, get } = crud(facts)

export const factEndpoints: Endpoint[] = [list, get, createFact, ...factMoveEndpoints, promoteEndpoint]
