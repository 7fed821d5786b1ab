// One segment cut into words, numbers and marks, once for all finders. Finders look a bounded number of tokens ahead,
// so that their cost grows with the length of the text and no faster.

export interface Token {
  /** Lower case, without apostrophes. */
  readonly lower: string
  readonly start: number
  readonly end: number
  /** Of a number in digits: `4,350.50` is one token. */
  readonly value: number | undefined
}

/** What the other side has just asked for. */
export type Topic = 'time' | 'date' | 'money' | 'name' | 'address' | 'phone' | 'email' | 'count'

export interface Utterance {
  readonly text: string
  readonly tokens: readonly Token[]
  /** Whether the transcript writes capitals inside sentences; "I" says nothing. */
  readonly hasCapitals: boolean
  /** Topics of the question that this segment answers. */
  readonly asked: ReadonlySet<Topic>
}

const pieces = /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?|\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)*|\S/gu
const noTopics: ReadonlySet<Topic> = new Set()

export function readUtterance(text: string, asked: ReadonlySet<Topic> = noTopics): Utterance {
  const tokens: Token[] = []
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    const isNumber = piece >= '0' && piece < ':'
    const lower = isNumber ? piece : piece.length === 1 ? piece.toLowerCase() : piece.toLowerCase().replace(/['’]/g, '')
    const value = isNumber ? Number(piece.replaceAll(',', '')) : undefined
    tokens.push({ lower, start: index, end: index + piece.length, value })
  }
  return { text, tokens, hasCapitals: /\p{Lu}\p{Ll}/u.test(text.slice(1)), asked }
}

/** Past either end there is an empty word, which no table holds. */
export const wordAt = ({ tokens }: Utterance, index: number): string => tokens[index]?.lower ?? ''

export const valueAt = ({ tokens }: Utterance, index: number): number | undefined => tokens[index]?.value

export const startOf = ({ tokens, text }: Utterance, index: number): number => tokens[index]?.start ?? text.length

export const endOf = ({ tokens }: Utterance, index: number): number => tokens[index]?.end ?? 0

/** As written, capitals and all. */
export const writtenAt = ({ tokens, text }: Utterance, index: number): string => {
  const token = tokens[index]
  return token === undefined ? '' : text.slice(token.start, token.end)
}

/** The text from one token up to another, exclusive. */
export const spanOf = (utterance: Utterance, from: number, to: number): string =>
  utterance.text.slice(startOf(utterance, from), endOf(utterance, to - 1))

/** Whether nothing stands between a token and the one before it: `5pm`, `1st`. */
export const isGlued = ({ tokens }: Utterance, index: number): boolean =>
  index > 0 && tokens[index]?.start === tokens[index - 1]?.end

/** Whether a number is part of what stands before it: `A4`, `-5`, `$5`; the end of a sentence is none of that. */
export const isAttached = (utterance: Utterance, index: number): boolean =>
  isGlued(utterance, index) && !'.,;:!?(["'.includes(wordAt(utterance, index - 1))

const letter = /^\p{L}/u
export const isWord = (word: string): boolean => letter.test(word)

const capital = /^\p{Lu}/u
export const isCapitalized = (utterance: Utterance, index: number): boolean => capital.test(writtenAt(utterance, index))

/** Whether a sentence, or the text, ends before this token. */
export const isBoundary = (utterance: Utterance, index: number): boolean => {
  const word = wordAt(utterance, index)
  return word === '' || '.,;:!?'.includes(word)
}

/** Where a phrase of several words ends that begins here, or undefined. */
export function phraseEnd(utterance: Utterance, index: number, words: readonly string[]): number | undefined {
  return words.every((word, offset) => wordAt(utterance, index + offset) === word) ? index + words.length : undefined
}
