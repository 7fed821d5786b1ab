// How sure a rule is, from how often it was right: docs/guides/extraction.md tells how that was measured. What could not
// be measured has a value below the measured ones of its rule.
import type { MentionKind } from '../mention.js'

/** How a value came to its field, from the weakest to the firmest. */
export const rules = [
  'only_field',
  'spoken_value',
  'part_of_label',
  'part_of_question',
  'label',
  'question',
  'introduction',
  'confirmed',
  'correction',
] as const
export type Rule = (typeof rules)[number]

type Kind = MentionKind | 'enum' | 'boolean' | 'text'

const measured: Readonly<Record<Rule, Readonly<Partial<Record<Kind, number>>> & { readonly others: number }>> = {
  only_field: { others: 0.6 },
  spoken_value: { others: 0.6 },
  part_of_label: { others: 0.65 },
  part_of_question: { others: 0.65 },
  label: { others: 0.8 },
  question: { others: 0.8 },
  introduction: { others: 0.85 },
  confirmed: { others: 0.9 },
  correction: { others: 0.8 },
}

export const confidenceOf = (rule: Rule, kind: Kind): number => measured[rule][kind] ?? measured[rule].others

/** A later value takes the place of an earlier one unless it came by a weaker rule. */
const strengths: Readonly<Record<Rule, number>> = {
  only_field: 1,
  spoken_value: 1,
  part_of_label: 2,
  part_of_question: 2,
  label: 3,
  question: 3,
  introduction: 3,
  confirmed: 3,
  correction: 3,
}

export const strengthOf = (rule: Rule): number => strengths[rule]

/** Of a phrase that was said and not denied: no marked data holds signals, so this is a judgement. */
export const SIGNAL_CONFIDENCE = 0.85
