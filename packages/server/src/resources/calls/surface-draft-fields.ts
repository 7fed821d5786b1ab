// What the work record of a call would say if it were made now, field by field: what the draft proposes, what facts
// have shown, what is required and still missing. For people who look on; approval reads the draft itself.
import {
  type draftFieldSources,
  type draftFieldStates,
  type drafts,
  type facts,
  type Row,
  surfaceLimits,
  type workTypeDefinitions,
} from '@parley/contract'
import { workFieldsOf } from '../drafts/draft-proposal.js'
import { fieldTitle } from '../work/work-field-schema.js'
import { titleOf } from '../work/work-type-definitions.js'

type Draft = Row<typeof drafts>
type Fact = Row<typeof facts>
type Definition = Row<typeof workTypeDefinitions>
type Values = Record<string, unknown>

export interface DraftField {
  readonly key: string
  readonly label: string
  readonly value: unknown
  readonly required: boolean
  readonly source: (typeof draftFieldSources)[number]
  readonly factId: string | null
  readonly confidence: number | null
  readonly state: (typeof draftFieldStates)[number]
}

export function draftFieldsOf(
  draft: Draft | null,
  definition: Definition | null,
  captured: readonly Fact[],
): DraftField[] {
  const extracted = new Map((draft?.extraction?.fields ?? []).map((field) => [field.key, field]))
  const proposed = proposedValues(draft)
  const shown = standingFacts(captured)
  const required = new Set(definition?.requiredFields ?? [])
  const keys = new Set([...required, ...Object.keys(proposed), ...shown.keys(), ...extracted.keys()])
  const isApproved = draft?.status === 'approved' || draft?.status === 'synced'
  return [...keys].slice(0, surfaceLimits.draftFields).map((key) => {
    const fact = shown.get(key)
    const value = proposed[key]
    const base = {
      key,
      label: fieldTitle(definition?.fieldSchema, key) ?? fact?.label ?? titleOf(key),
      required: required.has(key),
      factId: fact?.id ?? null,
      confidence: fact?.confidence ?? extracted.get(key)?.confidence ?? null,
    }
    if (!isBlank(value)) return { ...base, value, source: 'draft', state: isApproved ? 'approved' : 'proposed' }
    if (fact)
      return { ...base, value: fact.value, source: 'fact', state: fact.status as 'proposed' | 'confirmed' | 'promoted' }
    // What is about a person that nobody knows yet.
    const found = draft?.status === 'rejected' ? undefined : extracted.get(key)
    if (found) return { ...base, value: found.value, source: 'draft', state: isApproved ? 'approved' : 'proposed' }
    return { ...base, value: null, source: 'none', state: 'missing' }
  })
}

function proposedValues(draft: Draft | null): Values {
  if (draft === null) return {}
  const { structuredFieldsJson, ...fields } = workFieldsOf(draft.payload)
  const own =
    typeof structuredFieldsJson === 'object' && structuredFieldsJson !== null ? (structuredFieldsJson as Values) : {}
  const titled = draft.title === null ? {} : { title: draft.title }
  return { ...titled, ...fields, ...own }
}

const standing = ['proposed', 'confirmed', 'promoted']

/** For each key the fact that stands firmest, and of equals the one that was observed last. */
function standingFacts(captured: readonly Fact[]): Map<string, Fact> {
  const byKey = new Map<string, Fact>()
  for (const fact of captured) {
    const other = byKey.get(fact.key)
    if (standing.includes(fact.status) && (other === undefined || isFirmer(fact, other))) byKey.set(fact.key, fact)
  }
  return byKey
}

function isFirmer(a: Fact, b: Fact): boolean {
  const [rankA, rankB] = [standing.indexOf(a.status), standing.indexOf(b.status)]
  return rankA === rankB ? a.observedAt >= b.observedAt : rankA > rankB
}

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === ''
