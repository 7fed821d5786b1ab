// Which fields a sentence names, and which enum values it says. Terms are looked up by the stems that a sentence has,
// so that a sentence costs what its words do, however many definitions there are.
import { isNegated } from './answers.js'
import type { Sentence } from './lines.js'
import type { SoughtField, Term } from './sought-fields.js'
import { findTerm, type Span, stemsOfTerm } from './words.js'

/** Where a sentence names a field, and how well: by the whole name, by what sets it apart, or by its kind alone. */
export interface Naming {
  readonly span: Span
  readonly score: 3 | 2 | 1
}

export interface NamedField {
  readonly field: SoughtField
  readonly naming: Naming
}

export interface SaidValue extends Span {
  readonly field: SoughtField
  readonly value: string
}

interface Index {
  readonly terms: ReadonlyMap<string, readonly { field: SoughtField; term: Term }[]>
  readonly values: ReadonlyMap<string, readonly { field: SoughtField; value: string; stems: readonly string[] }[]>
}

const indexes = new WeakMap<readonly SoughtField[], Index>()

function indexOf(fields: readonly SoughtField[]): Index {
  const known = indexes.get(fields)
  if (known) return known
  const terms = new Map<string, { field: SoughtField; term: Term }[]>()
  const values = new Map<string, { field: SoughtField; value: string; stems: readonly string[] }[]>()
  for (const field of fields) {
    for (const term of field.terms)
      for (const stem of new Set([term.stems[0], term.telling[0], term.stems.at(-1)])) add(terms, stem, { field, term })
    for (const value of field.enumValues) {
      const stems = stemsOfTerm(value)
      add(values, stems[0], { field, value, stems })
    }
  }
  const index = { terms, values }
  indexes.set(fields, index)
  return index
}

function add<T>(to: Map<string, T[]>, stem: string | undefined, one: T): void {
  if (stem === undefined) return
  const known = to.get(stem)
  if (known) known.push(one)
  else to.set(stem, [one])
}

/** So many fields of one name are told apart; who defines more of them means none. */
const SAME_NAME_MAX = 20

export function namedIn(sentence: Sentence, fields: readonly SoughtField[]): NamedField[] {
  const { terms } = indexOf(fields)
  const best = new Map<SoughtField, Naming>()
  for (const stem of sentence.stems) {
    for (const { field, term } of (terms.get(stem) ?? []).slice(0, SAME_NAME_MAX)) {
      if (best.get(field)?.score === 3) continue
      const naming = namingBy(sentence, term, field.kinds.length > 0)
      if (naming && naming.score > (best.get(field)?.score ?? 0)) best.set(field, naming)
    }
  }
  return [...best].map(([field, naming]) => ({ field, naming }))
}

function namingBy(sentence: Sentence, { stems, telling }: Term, isOfKind: boolean): Naming | undefined {
  const whole = termIn(sentence, stems)
  if (whole) return { span: whole, score: telling.length > 0 || !isOfKind ? 3 : 1 }
  // The value itself says that it is a date, so the word need not be said.
  const apart = isOfKind && telling.length > 0 ? termIn(sentence, telling) : undefined
  if (apart) return { span: apart, score: 2 }
  const head = stems.at(-1)
  const named = stems.length > 1 && head !== undefined ? termIn(sentence, [head]) : undefined
  return named && { span: named, score: 1 }
}

const termIn = ({ words, stems: known }: Sentence, stems: readonly string[]): Span | undefined =>
  stems.length > 0 && known.has(stems[0] ?? '') ? findTerm(words, stems) : undefined

/** The enum values that the sentence says and does not deny. */
export function enumValuesIn(sentence: Sentence, fields: readonly SoughtField[]): SaidValue[] {
  const { values } = indexOf(fields)
  if (values.size === 0) return []
  return [...sentence.stems].flatMap((stem) =>
    (values.get(stem) ?? []).slice(0, SAME_NAME_MAX).flatMap(({ field, value, stems }) => {
      const span = findTerm(sentence.words, stems)
      return span && !isNegated(sentence.line.text, sentence.words, span) ? [{ field, value, ...span }] : []
    }),
  )
}

/** The field that is named best; none where two are named by their kind alone. */
export function bestNamed(named: readonly NamedField[], cost: (one: NamedField) => number): NamedField | undefined {
  const score = named.reduce((most, { naming }) => Math.max(most, naming.score), 0)
  const best = named.filter(({ naming }) => (score > 1 ? naming.score > 1 : true))
  if (score === 1 && best.length > 1) return undefined
  return best.toSorted((a, b) => cost(a) - cost(b))[0]
}
