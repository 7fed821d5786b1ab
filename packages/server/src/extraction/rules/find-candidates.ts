// Everything that could be the value of a field, line by line, with the rule that says so. Which of them stands is
// decided in choose-values.ts.
import type { Mention } from '../mention.js'
import type { Place } from '../understanding.js'
import { isNegated } from './answers.js'
import type { Rule } from './confidence.js'
import { valueFor } from './field-values.js'
import { freeTextAfter, shortAnswer } from './free-text.js'
import { confirmable, type Line, type Sentence } from './lines.js'
import type { SoughtField } from './sought-fields.js'
import { findTerm, type Span, stemsOfTerm } from './words.js'

export interface Candidate {
  readonly field: SoughtField
  readonly value: unknown
  readonly rule: Rule
  readonly kind: Mention['kind'] | 'enum' | 'boolean' | 'text'
  /** Where it was said; of a confirmed one, where the question and the yes are. */
  readonly places: readonly Place[]
  readonly lineIndex: number
  readonly mention?: Mention
  /** The caller denied it: whatever says the same is taken back. */
  readonly isDenied?: boolean
}

/** Where a sentence names a field, and how well: by the whole name, by what sets it apart, or by its kind alone. */
interface Naming {
  readonly span: Span
  readonly score: 3 | 2 | 1
}

function namingOf(sentence: Sentence, { terms, kinds }: SoughtField): Naming | undefined {
  let best: Naming | undefined
  for (const { stems, telling } of terms) {
    const naming = namingBy(sentence, stems, telling, kinds.length > 0)
    if (naming && naming.score > (best?.score ?? 0)) best = naming
  }
  return best
}

function namingBy(
  sentence: Sentence,
  stems: readonly string[],
  telling: readonly string[],
  isOfKind: boolean,
): Naming | undefined {
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
  stems[0] !== undefined && known.has(stems[0]) ? findTerm(words, stems) : undefined

/** The field that is named best; none where two are named by their kind alone. */
function bestNamed<T extends { naming: Naming }>(named: readonly T[], cost: (one: T) => number): T | undefined {
  const score = Math.max(0, ...named.map(({ naming }) => naming.score))
  const best = named.filter(({ naming }) => (score > 1 ? naming.score > 1 : true))
  if (score === 1 && best.length > 1) return undefined
  return best.toSorted((a, b) => cost(a) - cost(b))[0]
}

export const placeIn = (line: Pick<Line, 'index' | 'text'>, { start, end }: Span): Place => ({
  segmentIndex: line.index,
  start,
  end,
  quote: line.text.slice(start, end),
})

/** What one line of the caller says of the fields. */
export function candidatesIn(line: Line, fields: readonly SoughtField[]): Candidate[] {
  const labelled = line.sentences.flatMap((sentence) => labelledIn(sentence, fields))
  const taken = new Set(labelled.flatMap(({ mention }) => mention ?? []))
  const answered = answersIn(line, fields, taken)
  const named = [...labelled, ...answered]
  const claimed = new Set(named.flatMap(({ mention }) => mention ?? []))
  const others = line.mentions.filter((mention) => !claimed.has(mention))
  return [...confirmedIn(line, fields), ...named, ...onlyFieldsFor(line, others, fields), ...spokenValues(line, fields)]
}

/** An enum value that is said by itself, where no other field has the same value. */
function spokenValues(line: Line, fields: readonly SoughtField[]): Candidate[] {
  const enums = fields.filter(({ valueType }) => valueType === 'enum')
  const isShared = (value: string) => enums.filter(({ enumValues }) => enumValues.includes(value)).length > 1
  return enums.flatMap((field) =>
    line.sentences
      .filter(({ isQuestion }) => !isQuestion)
      .flatMap((sentence) => enumIn(sentence, field, 'spoken_value'))
      .filter(({ value }) => typeof value === 'string' && !isShared(value)),
  )
}

/** Each mention goes to the field whose name stands nearest in the sentence. */
function labelledIn(sentence: Sentence, fields: readonly SoughtField[]): Candidate[] {
  const named = namedIn(sentence, fields)
  const worded = named.flatMap(({ field, naming }) => wordedIn(sentence, field, naming))
  const byMention = sentence.mentions.flatMap((mention) => {
    const takers = named.filter(({ field }) => takes(field, mention))
    const nearest = bestNamed(takers, ({ naming }) => distance(naming, mention))
    return nearest ? [ofMention(sentence.line, nearest.field, mention, labelRule(nearest.naming))] : []
  })
  return [...byMention, ...worded]
}

const namedIn = (sentence: Sentence, fields: readonly SoughtField[]) =>
  fields.flatMap((field) => {
    const naming = namingOf(sentence, field)
    return naming ? [{ field, naming }] : []
  })

const takes = (field: SoughtField, mention: Mention): boolean =>
  field.kinds.includes(mention.kind) && valueFor(field, mention) !== undefined

const labelRule = ({ score }: Naming): Rule => (score > 1 ? 'label' : 'part_of_label')
const questionRule = ({ score }: Naming): Rule => (score > 1 ? 'question' : 'part_of_question')

/** What a name promises comes after it more often than before. */
const distance = ({ span }: Naming, mention: Mention): number =>
  Math.max(span.start - mention.end, mention.start - span.end, 0) + (mention.end <= span.start ? 10 : 0)

const ofMention = (line: Line, field: SoughtField, mention: Mention, rule: Rule): Candidate => ({
  field,
  value: valueFor(field, mention),
  rule,
  kind: mention.kind,
  places: [placeIn(line, mention)],
  lineIndex: line.index,
  mention,
})

/** A value that is words itself: an enum value, a yes or no, free text. */
function wordedIn(sentence: Sentence, field: SoughtField, naming: Naming): Candidate[] {
  const { line } = sentence
  const rule = labelRule(naming)
  const isWhole = naming.score > 1
  const base = { field, rule, lineIndex: line.index }
  if (field.valueType === 'enum') return enumIn(sentence, field, rule)
  if (field.valueType === 'boolean' && isWhole && !sentence.isQuestion) {
    const value = !isNegated(line.text, sentence.words, naming.span)
    return [{ ...base, value, kind: 'boolean', places: [placeIn(line, naming.span)] }]
  }
  if (!field.isFreeText || !isWhole || sentence.isQuestion) return []
  const said = freeTextAfter(line.text, naming.span, sentence.end)
  return said ? [{ ...base, value: said.text, kind: 'text', places: [placeIn(line, said)] }] : []
}

/** The values of an enum that the sentence names and does not deny. */
function enumIn(sentence: Sentence, field: SoughtField, rule: Rule): Candidate[] {
  const { line, words } = sentence
  return field.enumValues.flatMap((value): Candidate[] => {
    const span = findTerm(words, stemsOfTerm(value))
    if (!span || isNegated(line.text, words, span)) return []
    return [{ field, value, rule, kind: 'enum', places: [placeIn(line, span)], lineIndex: line.index }]
  })
}

/** What the line says in answer to questions of ours that name fields. */
function answersIn(line: Line, fields: readonly SoughtField[], taken: ReadonlySet<Mention>): Candidate[] {
  const named = line.asked.filter(({ isQuestion }) => isQuestion).flatMap((sentence) => namedIn(sentence, fields))
  const used = new Set<SoughtField>()
  const byMention = line.mentions.flatMap((mention) => {
    const takers = taken.has(mention) ? [] : named.filter(({ field }) => takes(field, mention) && !used.has(field))
    const asked = bestNamed(takers, ({ naming }) => -naming.score)
    if (asked === undefined) return []
    used.add(asked.field)
    return [ofMention(line, asked.field, mention, questionRule(asked.naming))]
  })
  return [...byMention, ...named.flatMap(({ field, naming }) => wordedAnswer(line, field, naming))]
}

function wordedAnswer(line: Line, field: SoughtField, naming: Naming): Candidate[] {
  const base = { field, rule: questionRule(naming), lineIndex: line.index }
  if (field.valueType === 'enum') return line.sentences.flatMap((sentence) => enumIn(sentence, field, base.rule))
  if (naming.score === 1) return []
  if (field.valueType === 'boolean')
    return line.answer
      ? [{ ...base, value: line.answer === 'yes', kind: 'boolean', places: [placeIn(line, firstWords(line))] }]
      : []
  const said = field.isFreeText ? shortAnswer(line) : undefined
  return said ? [{ ...base, value: said.text, kind: 'text', places: [placeIn(line, said)] }] : []
}

const firstWords = ({ text, sentences }: Line): Span => sentences[0] ?? { start: 0, end: text.length }

/** What we said and the caller then confirmed, or denied. */
function confirmedIn(line: Line, fields: readonly SoughtField[]): Candidate[] {
  if (line.answer === undefined) return []
  const yes = placeIn(line, firstWords(line))
  return confirmable(line.asked).flatMap((sentence) =>
    labelledOrOnly(sentence, fields).map((one) => ({
      ...one,
      rule: 'confirmed' as const,
      places: [...one.places, yes],
      lineIndex: line.index,
      isDenied: line.answer === 'no',
    })),
  )
}

/** Our own sentence read as if the caller had said it. */
function labelledOrOnly(sentence: Sentence, fields: readonly SoughtField[]): Candidate[] {
  const withoutYesNo = fields.filter(({ valueType, isFreeText }) => valueType !== 'boolean' && !isFreeText)
  const labelled = labelledIn(sentence, withoutYesNo)
  const taken = new Set(labelled.flatMap(({ mention }) => mention ?? []))
  const text = sentence.line.text.slice(sentence.start, sentence.end)
  // Our own address or number is nothing of theirs.
  const isTheirs = ({ kind }: Mention) => !personal.has(kind) || /\byour?\b/i.test(text)
  const others = sentence.mentions.filter((mention) => !taken.has(mention) && isTheirs(mention))
  return [...labelled, ...onlyFieldsFor(sentence.line, others, withoutYesNo)]
}

const personal: ReadonlySet<string> = new Set(['phone', 'email', 'address'])

/** Mentions that no name claims, for the one field that takes their kind. A person may be anybody, and a count anything. */
function onlyFieldsFor(line: Line, mentions: readonly Mention[], fields: readonly SoughtField[]): Candidate[] {
  return mentions.flatMap((mention) => {
    if (mention.kind === 'person' || mention.kind === 'number' || mention.kind === 'duration') return []
    const takers = fields.filter((field) => field.kinds[0] === mention.kind && valueFor(field, mention) !== undefined)
    const own = takers.filter(({ origin }) => origin !== 'built-in')
    const [only, another] = own.length > 0 ? own : takers
    return only && another === undefined ? [ofMention(line, only, mention, 'only_field')] : []
  })
}
