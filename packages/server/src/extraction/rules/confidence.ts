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

/** (right + 1) / (found + 2) of `bench/extraction-confidence.mjs`; `others` were not in the data and are judgements. */
const measured: Readonly<Record<Rule, Readonly<Partial<Record<Kind, number>>> & { readonly others: number }>> = {
  only_field: { date: 0.93, time: 0.83, money: 0.33, address: 0.25, others: 0.5 },
  spoken_value: { others: 0.6 },
  part_of_label: { time: 0.33, others: 0.5 },
  part_of_question: { date: 0.86, time: 0.78, others: 0.6 },
  label: { date: 0.82, time: 0.6, money: 0.89, others: 0.7 },
  question: { date: 0.71, time: 0.8, money: 0.75, others: 0.7 },
  introduction: { others: 0.8 },
  confirmed: { date: 0.9, time: 0.87, money: 0.93, address: 0.33, others: 0.8 },
  correction: { date: 0.8, others: 0.7 },
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
