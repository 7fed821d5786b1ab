// A conversation as the rules read it: who said what, in sentences and words, with what was found there, and which
// question of ours a line answers.
import type { Mention, SpokenSegment } from '../mention.js'
import { type Answer, answerIn, isCorrection } from './answers.js'
import { type Span, sentencesOf, stemsIn, type Word, wordsOf } from './words.js'

export interface Sentence extends Span {
  readonly line: Line
  readonly words: readonly Word[]
  /** What a term can begin with here: most terms are ruled out by a look at it. */
  readonly stems: ReadonlySet<string>
  readonly mentions: readonly Mention[]
  /** It asks for something, by its mark or by its words. */
  readonly isQuestion: boolean
}

export interface Line {
  readonly index: number
  readonly text: string
  /** Said by the business: an agent, a voice agent. */
  readonly isOurs: boolean
  readonly sentences: readonly Sentence[]
  readonly mentions: readonly Mention[]
  /** What we said just before: the sentences that this line may answer. Empty for our own lines. */
  readonly asked: readonly Sentence[]
  readonly answer: Answer | undefined
  readonly isCorrection: boolean
}

const ours = new Set(['agent', 'ai', 'assistant', 'bot', 'system'])
/** A question is answered by the next lines of the caller, not by whatever they say later. */
const ANSWER_LINES = 3

/** `known` are the lines of the same conversation when it was shorter: they are not read again. */
export function linesOf(
  segments: readonly SpokenSegment[],
  mentions: readonly Mention[],
  known: readonly Line[] = [],
): Line[] {
  const bySegment = mentionsBySegment(mentions)
  const lines: Line[] = []
  let asked: readonly Sentence[] = []
  let answers = 0
  for (const [index, { speaker, text }] of segments.entries()) {
    const isOurs = ours.has(speaker)
    if (isOurs && lines.at(-1)?.isOurs !== true) asked = []
    answers = isOurs ? 0 : answers + 1
    const before = known[index]
    const isKnown = before !== undefined && before.text === text && before.isOurs === isOurs
    const answered = isOurs || answers > ANSWER_LINES ? [] : asked
    const line = isKnown
      ? before
      : lineOf({ index, text, isOurs, mentions: bySegment.get(index) ?? [], asked: answered })
    lines.push(line)
    if (isOurs) asked = [...asked, ...line.sentences]
  }
  return lines
}

function mentionsBySegment(mentions: readonly Mention[]): ReadonlyMap<number, readonly Mention[]> {
  const bySegment = new Map<number, Mention[]>()
  for (const mention of mentions) {
    const known = bySegment.get(mention.segmentIndex)
    if (known) known.push(mention)
    else bySegment.set(mention.segmentIndex, [mention])
  }
  return bySegment
}

function lineOf(said: Pick<Line, 'index' | 'text' | 'isOurs' | 'mentions' | 'asked'>): Line {
  const { text, isOurs } = said
  const line: Line = {
    ...said,
    sentences: [],
    answer: isOurs ? undefined : answerIn(text),
    isCorrection: !isOurs && isCorrection(text),
  }
  return { ...line, sentences: sentencesIn(line) }
}

const begins =
  /^(?:(?:and|so|okay|ok|then|well)[\s,]+)*(?:what|when|where|which|who|whose|how|do|does|did|is|are|was|were|can|could|would|will|may|have|has|should|any)\b/i
const asksFor = /\b(?:tell me|give me|let me know|confirm|i need your|i'll need|spell|provide)\b/i

function isAsking(text: string, isOurs: boolean): boolean {
  const said = text.trim()
  if (said.endsWith('?') || (isOurs && asksFor.test(said))) return true
  return !/[.!]$/.test(said) && begins.test(said)
}

function sentencesIn(line: Line): Sentence[] {
  return sentencesOf(line.text).map(({ start, end }) => {
    const text = line.text.slice(start, end)
    const words = wordsOf(text).map((word) => ({ ...word, start: word.start + start, end: word.end + start }))
    const mentions = line.mentions.filter((mention) => mention.start >= start && mention.start < end)
    return { line, start, end, words, stems: stemsIn(words), mentions, isQuestion: isAsking(text, line.isOurs) }
  })
}

const anythingElse = /\b(?:anything|something|what) else\b|\bhelp you with\b|\bfurther\b/i
const isItRight =
  /\b(?:right|correct|ok(?:ay)?|work|works|sound|sounds|good|confirm|shall i|should i|go ahead|is that|does that)\b/i

/** The sentences of ours that a yes or no of the caller is about. */
export function confirmable(asked: readonly Sentence[]): readonly Sentence[] {
  const textOf = ({ line, start, end }: Sentence) => line.text.slice(start, end)
  const question = asked.findLast(({ isQuestion }) => isQuestion)
  if (question === undefined || anythingElse.test(textOf(question))) return []
  return isItRight.test(textOf(question)) ? asked : [question]
}
