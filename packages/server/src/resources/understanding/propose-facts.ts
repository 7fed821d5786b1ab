// Found facts become proposed ones: on the record that their definition is about, once per value, and only where
// neither a client nor a human has said anything of that key in the conversation.
import { type factSubjects, facts } from '@parley/contract'
import { builtInFacts } from '../../extraction/built-in-facts.js'
import type { FoundField, Understanding } from '../../extraction/understanding.js'
import type { Work } from '../../store/work.js'
import { rejectFact } from '../knowledge/fact-decisions.js'
import { type FactDefinition, findDefinition } from '../knowledge/fact-definitions.js'
import { isTakenBack, supersede } from '../knowledge/fact-supersession.js'
import { isSameValue, typeMismatch } from '../knowledge/fact-value-types.js'
import { addFact, type Fact } from '../knowledge/facts.js'
import { evidenceOf, type Spoken, type SpokenCall } from './spoken.js'

type Subject = Pick<Fact, 'subjectType' | 'subjectId'>

/** Whose facts these are by their `extractor`: ours, and not a client's. */
export const isExtracted = ({ extractor }: Pick<Fact, 'extractor'>): boolean =>
  extractor === 'rules' || extractor?.startsWith('model:') === true

type Found = Pick<Understanding, 'facts' | 'denied' | 'extractor'>

/** Proposes what was found, and takes back what was proposed and denied. */
export async function proposeFacts(
  work: Work,
  spoken: Spoken | SpokenCall,
  { facts: found, denied, extractor }: Found,
): Promise<void> {
  const known = await factsOf(work, spoken, found)
  takeBack(work, known, found, denied)
  for (const key of new Set(found.map((field) => field.key))) {
    const ofKey = known.filter((fact) => fact.key === key)
    const sent = ofKey.findLast((fact) => !isExtracted(fact))
    if (sent) giveWay(work, ofKey, sent)
    else
      await proposeKey(work, {
        spoken,
        key,
        found: found.filter((field) => field.key === key),
        ofKey,
        extractor,
      })
  }
}

/**
 * The caller has denied a value and said no other: what we proposed of it, and nobody has decided on, is rejected by
 * nobody. Where they said another, it gives way to that one.
 */
function takeBack(
  work: Work,
  known: readonly Fact[],
  found: readonly FoundField[],
  denied: Understanding['denied'],
): void {
  const isGone = ({ key, value }: Fact) =>
    denied.some((one) => one.key === key && isSameValue(one.value, value)) && !found.some((one) => one.key === key)
  for (const fact of known) if (isExtracted(fact) && fact.status === 'proposed' && isGone(fact)) rejectFact(work, fact)
}

const FACTS_MAX = 500

/** What is known from this conversation already. */
async function factsOf(work: Work, spoken: Spoken, found: readonly FoundField[]): Promise<Fact[]> {
  if (spoken.callId !== null) return work.find(facts, { sourceCallSessionId: spoken.callId }, FACTS_MAX)
  if (spoken.personId === null || found.length === 0) return []
  const ofPerson = await work.find(facts, { subjectType: 'person', subjectId: spoken.personId }, FACTS_MAX)
  return ofPerson.filter(({ sourceMessageId }) => sourceMessageId === spoken.messageId)
}

/** What a client sent of a key stands before what was proposed of it. */
function giveWay(work: Work, ofKey: readonly Fact[], sent: Fact): void {
  const ours = ofKey.filter(
    (fact) => isExtracted(fact) && fact.status === 'proposed' && fact.subjectId === sent.subjectId,
  )
  supersede(work, ours, sent)
}

interface Key {
  readonly spoken: Spoken | SpokenCall
  readonly key: string
  readonly found: readonly FoundField[]
  readonly ofKey: readonly Fact[]
  readonly extractor: string
}

async function proposeKey(work: Work, { spoken, key, found, ofKey, extractor }: Key): Promise<void> {
  const definition = (await findDefinition(work, key)) ?? builtInDefinition(key, found)
  const subject = definition && subjectOf(definition, spoken)
  if (definition === undefined || subject === undefined) return
  const isMany = definition.cardinality === 'many'
  if (!isMany && ofKey.some(isDecided)) return
  for (const field of found) {
    const isKnown = ofKey.some(
      (fact) =>
        isSameValue(fact.value, field.value) && fact.subjectId === subject.subjectId && !isTakenBack(fact, ofKey),
    )
    if (isKnown || typeMismatch(definition, field.value) !== undefined) continue
    const body = {
      ...subject,
      key,
      value: field.value,
      confidence: field.confidence,
      extractor,
      ...sourceOf(spoken),
      evidence: evidenceOf(spoken, field.evidence),
    }
    const { fact } = await addFact(work, body, {}, isBuiltInOnly(definition) ? definition : undefined)
    const earlier = ofKey.filter((one) => one.status === 'proposed' && one.subjectId === subject.subjectId)
    if (!isMany && fact.status === 'proposed') supersede(work, earlier, fact)
  }
}

/** A human or a client has had their say; a threshold is neither. */
const isDecided = ({ status, confirmedVia }: Fact): boolean =>
  status === 'promoted' || (status === 'confirmed' && confirmedVia !== 'threshold')

const sourceOf = ({ source, callId, messageId, startedAt }: Spoken) =>
  callId === null
    ? { source, sourceMessageId: messageId, observedAt: startedAt.toISOString() }
    : { source, sourceCallSessionId: callId }

/** The definition that a built-in fact has without being stored: the extractor makes none. */
function builtInDefinition(key: string, [first]: readonly FoundField[]): FactDefinition | undefined {
  const builtIn = builtInFacts.find((fact) => fact.key === key)
  if (builtIn === undefined || first === undefined) return undefined
  const subjectScope = builtIn.subject === 'person' ? 'person' : 'polymorphic'
  return {
    ...unstored,
    key,
    label: builtIn.label,
    valueType: builtIn.valueType,
    subjectScope,
  }
}

const unstored = {
  id: '',
  organizationId: '',
  description: null,
  enumValues: null,
  cardinality: 'one',
  autoConfirmThreshold: null,
  hints: [],
  inferred: true,
  externalRefs: [],
  createdAt: '',
  updatedAt: '',
  version: 0,
} as const satisfies Partial<FactDefinition>

const isBuiltInOnly = ({ id }: FactDefinition): boolean => id === ''

/** The record that a fact of this definition is about; undefined while the conversation has none. */
function subjectOf({ subjectScope }: FactDefinition, spoken: Spoken | SpokenCall): Subject | undefined {
  const ids = subjectIds(spoken)
  const wanted: readonly (typeof factSubjects)[number][] =
    subjectScope === 'polymorphic' ? ['work_record', 'person'] : [subjectScope]
  for (const subjectType of wanted) {
    const subjectId = ids[subjectType]
    if (subjectId) return { subjectType, subjectId }
  }
  return undefined
}

function subjectIds(spoken: Spoken | SpokenCall): Readonly<Record<Fact['subjectType'], string | null>> {
  if (!('call' in spoken)) return { person: spoken.personId, company: null, customer: null, work_record: null }
  const { personId, companyId, customerId, workRecordId } = spoken.call
  return { person: personId, company: companyId, customer: customerId, work_record: workRecordId }
}
