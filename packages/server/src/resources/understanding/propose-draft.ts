// The one draft of a call, as far as the extractor has a part in it: it makes the draft or fills its gaps, and keeps
// what it proposed beside it, so that it can tell its own words from what others wrote since, and change only its own.
import { calls, drafts, editableDraftStatuses, facts, isObject, limits } from '@parley/contract'
import { builtInFacts } from '../../extraction/built-in-facts.js'
import type { FoundField, Understanding, Vocabulary } from '../../extraction/understanding.js'
import type { Work } from '../../store/work.js'
import { missingFields, workFieldsOf } from '../drafts/draft-proposal.js'
import { addDraft, type Draft } from '../drafts/drafts.js'
import { changedFields, shortened } from '../generic/record-values.js'
import { isSameValue } from '../knowledge/fact-value-types.js'
import { valueIssues } from '../work/work-field-schema.js'
import { isExtracted } from './propose-facts.js'
import { evidenceOf, type SpokenCall } from './spoken.js'

type Extraction = NonNullable<Draft['extraction']>
type Values = Record<string, unknown>

/** A work record says nothing of its own about persons; the draft shows such fields with their evidence. */
const personal = new Set(builtInFacts.filter(({ subject }) => subject === 'person').map(({ key }) => key))

export interface DraftParts {
  readonly spoken: SpokenCall
  readonly understanding: Understanding
  readonly vocabulary: Vocabulary
  /** The keys whose facts are about a person, a company or a customer. */
  readonly personalKeys: ReadonlySet<string>
}

/** Makes the draft or fills its gaps; and the call's own summary, where nobody wrote one. */
export async function proposeDraft(work: Work, parts: DraftParts): Promise<void> {
  const { spoken } = parts
  const { id: callSessionId, personId, customerId } = spoken.call
  const known = await work.find(drafts, { callSessionId })
  const open = known.findLast(({ status }) => editableDraftStatuses.includes(status))
  if (open === undefined && known.length > 0) return
  const extraction = extractionOf(parts, open?.extraction?.isDraftMade ?? open === undefined)
  summarizeCall(work, spoken.call, open, extraction)
  if (open) return reviseDraft(work, parts, open, extraction)
  if (!isWorthDraft(parts)) return
  const made = await filled(work, parts, blankDraft, extraction)
  await addDraft(work, { callSessionId, personId, customerId, ...made })
}

function summarizeCall(work: Work, call: SpokenCall['call'], open: Draft | undefined, { summary }: Extraction): void {
  if (summary !== null && summary !== call.summary && !isSummarized(call, open?.extraction ?? null))
    work.update(calls, { ...call, summary })
}

/** Somebody else wrote the call's summary. */
const isSummarized = ({ summary }: SpokenCall['call'], ours: Extraction | null): boolean =>
  summary !== null && summary !== ours?.summary

const blankDraft = {
  canonicalKind: null,
  title: null,
  summary: null,
  payload: {},
  factIds: [],
  confidence: null,
  extraction: null,
} as const satisfies Partial<Draft>

type Filled = Pick<Draft, keyof typeof blankDraft>

/** A draft is made for something to say: while the call lasts a field, at its end whatever the caller said. */
const isWorthDraft = ({ spoken, understanding }: DraftParts): boolean =>
  understanding.fields.length > 0 || (spoken.isFinal && understanding.summary !== null)

async function reviseDraft(work: Work, parts: DraftParts, before: Draft, extraction: Extraction): Promise<void> {
  const { personId, customerId } = parts.spoken.call
  const links = { personId: before.personId ?? personId, customerId: before.customerId ?? customerId }
  const wanted: Draft = { ...before, ...links, ...(await filled(work, parts, before, extraction)) }
  const after = { ...wanted, missingFields: await missingFields(work, wanted) }
  if (changedFields(drafts, before, after).length > 0) work.update(drafts, after)
}

/** The draft with its gaps filled. */
async function filled(work: Work, parts: DraftParts, before: Filled, extraction: Extraction): Promise<Filled> {
  const { spoken, understanding } = parts
  const ofCall = await factsOfCall(work, spoken.call.id)
  const said = new Set(ofCall.filter((fact) => !isExtracted(fact)).map(({ key }) => key))
  const summary = isSummarized(spoken.call, before.extraction) ? spoken.call.summary : extraction.summary
  const standing = ofCall.filter(({ status }) => status !== 'rejected' && status !== 'superseded').map(({ id }) => id)
  return {
    canonicalKind: gapFilled(before.canonicalKind, before.extraction?.canonicalKind, extraction.canonicalKind),
    title: gapFilled(before.title, before.extraction?.title, extraction.title),
    summary: gapFilled(before.summary, before.extraction?.summary, summary),
    payload: filledPayload(
      before,
      fieldsOfWork(parts, before).filter(({ key }) => !said.has(key)),
    ),
    factIds: extraction.isDraftMade ? standing.slice(0, limits.listItems) : [...before.factIds],
    confidence: extraction.isDraftMade ? meanConfidence(understanding.fields) : before.confidence,
    extraction,
  }
}

/** What is empty, or what we put there ourselves. */
function gapFilled<T>(current: T | null, ours: T | null | undefined, proposed: T | null): T | null {
  return current === null || (ours !== undefined && ours !== null && current === ours) ? (proposed ?? current) : current
}

/** Sets what nobody said, changes what is ours, and takes back what is ours and was denied. */
function filledPayload(before: Filled, fields: readonly FoundField[]): Values {
  const payload: Values = { ...before.payload }
  const { structuredFieldsJson } = workFieldsOf(payload)
  const said: Values = { ...(isObject(structuredFieldsJson) && structuredFieldsJson), ...payload }
  const ours = new Map((before.extraction?.fields ?? []).map(({ key, value }) => [key, value]))
  const isOurs = (key: string) => Object.hasOwn(payload, key) && isSameValue(payload[key], ours.get(key))
  for (const { key, value } of fields) {
    const isGap = !Object.hasOwn(said, key) && !ours.has(key)
    if (isGap || isOurs(key)) payload[key] = value
  }
  for (const key of ours.keys()) if (isOurs(key) && !fields.some((field) => field.key === key)) delete payload[key]
  return payload
}

/** Those fields that the work record itself would have, of values that its kind allows. */
function fieldsOfWork(
  { understanding, vocabulary, personalKeys }: DraftParts,
  { canonicalKind }: Filled,
): FoundField[] {
  const kind = canonicalKind ?? understanding.canonicalKind ?? 'service_request'
  const schema = vocabulary.workTypes.find((type) => type.canonicalKind === kind)?.fieldSchema
  const properties: Values = isObject(schema?.['properties']) ? schema['properties'] : {}
  return understanding.fields
    .filter(({ key }) => !personal.has(key) && !personalKeys.has(key))
    .filter(({ key, value }) => valueIssues(properties[key], value, key).length === 0)
}

function extractionOf({ spoken, understanding }: DraftParts, isDraftMade: boolean): Extraction {
  const { extractor, fallbackReason, canonicalKind, fields, title, summary } = understanding
  return {
    extractor,
    fallbackReason,
    fingerprint: spoken.fingerprint,
    isDraftMade,
    canonicalKind,
    title: spoken.isFinal && title !== null ? shortened(title) : null,
    summary: spoken.isFinal ? summary : null,
    fields: fields.slice(0, limits.listItems).map(({ key, value, confidence, evidence }) => ({
      key,
      value,
      confidence,
      evidence: evidenceOf(spoken, evidence),
    })),
  }
}

const factsOfCall = (work: Work, callId: string) => work.find(facts, { sourceCallSessionId: callId }, 500)

const meanConfidence = (fields: readonly FoundField[]): number | null =>
  fields.length === 0
    ? null
    : Math.round((fields.reduce((sum, { confidence }) => sum + confidence, 0) / fields.length) * 100) / 100
