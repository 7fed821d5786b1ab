// Everything that could be the value of a field, line by line, with the rule that says so. Which of them stands is
// decided in find-fields.ts.
import type { Mention } from '../mention.js'
import type { Place } from '../understanding.js'
import { isNegated } from './answers.js'
import type { Rule } from './confidence.js'
import { valueFor } from './field-values.js'
import { freeTextAfter, shortAnswer } from './free-text.js'
import { confirmable, type Line, type Sentence } from './lines.js'
import { bestNamed, enumValuesIn, type Naming, namedIn, type SaidValue } from './namings.js'
import type { SoughtField } from './sought-fields.js'
import type { Span } from './words.js'

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
  const values = line.sentences.flatMap((sentence) => enumValuesIn(sentence, fields))
  const answered = answersIn(line, fields, taken, values)
  const named = [...labelled, ...answered]
  const claimed = new Set(named.flatMap(({ mention }) => mention ?? []))
  const others = line.mentions.filter((mention) => !claimed.has(mention))
  return [...confirmedIn(line, fields), ...named, ...onlyFieldsFor(line, others, fields), ...spokenValues(line, values)]
}

/** An enum value that is said by itself, where no other field has the same value. */
function spokenValues(line: Line, said: readonly SaidValue[]): Candidate[] {
  const isShared = ({ value, field }: SaidValue) => said.some((one) => one.value === value && one.field !== field)
  const isAsked = ({ start }: SaidValue) =>
    line.sentences.some((sentence) => sentence.isQuestion && start >= sentence.start && start < sentence.end)
  return said.filter((one) => !isShared(one) && !isAsked(one)).map((one) => ofValue(line, one, 'spoken_value'))
}

const ofValue = (line: Line, said: SaidValue, rule: Rule): Candidate => ({
  field: said.field,
  value: said.value,
  rule,
  kind: 'enum',
  places: [placeIn(line, said)],
  lineIndex: line.index,
})

/** Each mention goes to the field whose name stands nearest in the sentence. */
function labelledIn(sentence: Sentence, fields: readonly SoughtField[]): Candidate[] {
  const named = namedIn(sentence, fields)
  const values = enumValuesIn(sentence, fields)
  const worded = named.flatMap(({ field, naming }) => wordedIn(sentence, field, naming, values))
  const byMention = sentence.mentions.flatMap((mention) => {
    const takers = named.filter(({ field }) => takes(field, mention))
    const nearest = bestNamed(takers, ({ naming }) => distance(naming, mention))
    return nearest ? [ofMention(sentence.line, nearest.field, mention, labelRule(nearest.naming))] : []
  })
  return [...byMention, ...worded]
}

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
function wordedIn(sentence: Sentence, field: SoughtField, naming: Naming, values: readonly SaidValue[]): Candidate[] {
  const { line } = sentence
  const rule = labelRule(naming)
  const isWhole = naming.score > 1
  const base = { field, rule, lineIndex: line.index }
  if (field.valueType === 'enum')
    return values.filter((said) => said.field === field).map((said) => ofValue(line, said, rule))
  if (field.valueType === 'boolean' && isWhole && !sentence.isQuestion) {
    const value = !isNegated(line.text, sentence.words, naming.span)
    return [{ ...base, value, kind: 'boolean', places: [placeIn(line, naming.span)] }]
  }
  if (!field.isFreeText || !isWhole || sentence.isQuestion) return []
  const said = freeTextAfter(line.text, naming.span, sentence.end)
  return said ? [{ ...base, value: said.text, kind: 'text', places: [placeIn(line, said)] }] : []
}

/** What the line says in answer to questions of ours that name fields. */
function answersIn(
  line: Line,
  fields: readonly SoughtField[],
  taken: ReadonlySet<Mention>,
  values: readonly SaidValue[],
): Candidate[] {
  const named = line.asked.filter(({ isQuestion }) => isQuestion).flatMap((sentence) => namedIn(sentence, fields))
  const used = new Set<SoughtField>()
  const byMention = line.mentions.flatMap((mention) => {
    const takers = taken.has(mention) ? [] : named.filter(({ field }) => takes(field, mention) && !used.has(field))
    const asked = bestNamed(takers, ({ naming }) => -naming.score)
    if (asked === undefined) return []
    used.add(asked.field)
    return [ofMention(line, asked.field, mention, questionRule(asked.naming))]
  })
  return [...byMention, ...named.flatMap(({ field, naming }) => wordedAnswer(line, field, naming, values))]
}

function wordedAnswer(line: Line, field: SoughtField, naming: Naming, values: readonly SaidValue[]): Candidate[] {
  const base = { field, rule: questionRule(naming), lineIndex: line.index }
  if (field.valueType === 'enum')
    return values.filter((said) => said.field === field).map((said) => ofValue(line, said, base.rule))
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
  const isStated = ({ field }: Candidate) => field.valueType !== 'boolean' && !field.isFreeText
  const labelled = labelledIn(sentence, fields).filter(isStated)
  const taken = new Set(labelled.flatMap(({ mention }) => mention ?? []))
  const text = sentence.line.text.slice(sentence.start, sentence.end)
  // Our own address or number is nothing of theirs.
  const isTheirs = ({ kind }: Mention) => !personal.has(kind) || /\byour?\b/i.test(text)
  const others = sentence.mentions.filter((mention) => !taken.has(mention) && isTheirs(mention))
  return [...labelled, ...onlyFieldsFor(sentence.line, others, fields)]
}

const personal: ReadonlySet<string> = new Set(['phone', 'email', 'address'])

/**
 * Mentions that no name claims, for the one field that takes their kind. A person may be anybody, and a count anything.
 */
function onlyFieldsFor(line: Line, mentions: readonly Mention[], fields: readonly SoughtField[]): Candidate[] {
  return mentions.flatMap((mention) => {
    if (mention.kind === 'person' || mention.kind === 'number' || mention.kind === 'duration') return []
    const takers = fields.filter((field) => field.kinds[0] === mention.kind && valueFor(field, mention) !== undefined)
    const own = takers.filter(({ origin }) => origin !== 'built-in')
    const [only, another] = own.length > 0 ? own : takers
    return only && another === undefined ? [ofMention(line, only, mention, 'only_field')] : []
  })
}
