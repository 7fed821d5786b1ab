// Numbers as people say and write them: "4,350", "twenty-five", "one thousand three hundred and thirty", "the third".
import { isGlued, phraseEnd, type Utterance, valueAt, wordAt } from './utterance.js'

export interface ReadNumber {
  readonly value: number
  /** The token after the number. */
  readonly next: number
}

/** Words of one row: the first has the value `from`, each further one `step` more. */
export const countedWords = (words: string, from: number, step = 1): ReadonlyMap<string, number> =>
  new Map(words.split(' ').map((word, index) => [word, from + index * step]))

export const units = countedWords('zero one two three four five six seven eight nine', 0)
export const teens = countedWords('ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen', 10)
export const tens = countedWords('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10)
const scales = countedWords('thousand million billion', 1)
const ordinals = new Map([
  ...countedWords('first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth', 1),
  ...countedWords('thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth', 13),
  ...countedWords('twentieth thirtieth', 20, 10),
])
const ordinalEndings = new Set(['st', 'nd', 'rd', 'th'])
/** Longer runs of number words are lists of digits, not numbers. */
const WORDS_MAX = 16

/** A number below a hundred in words. */
export function readSmall(utterance: Utterance, index: number): ReadNumber | undefined {
  const word = wordAt(utterance, index)
  const plain = units.get(word) ?? teens.get(word)
  if (plain !== undefined) return { value: plain, next: index + 1 }
  const ten = tens.get(word)
  if (ten === undefined) return undefined
  const after = wordAt(utterance, index + 1) === '-' ? index + 2 : index + 1
  const unit = units.get(wordAt(utterance, after))
  return unit ? { value: ten + unit, next: after + 1 } : { value: ten, next: index + 1 }
}

/** A whole or decimal number in digits, words, or both ("3 hundred", "2.5 million"). */
export function readNumber(utterance: Utterance, index: number): ReadNumber | undefined {
  const digits = valueAt(utterance, index)
  if (digits !== undefined) return readScaled(utterance, { value: digits, next: index + 1 })
  const isArticle = wordAt(utterance, index) === 'a' && isScale(wordAt(utterance, index + 1))
  const small = isArticle ? { value: 1, next: index + 1 } : readSmall(utterance, index)
  return small && readScaled(utterance, small)
}

/** Also "two and a half". */
export function readWithHalf(utterance: Utterance, index: number): ReadNumber | undefined {
  const number = readNumber(utterance, index)
  const half = number && phraseEnd(utterance, number.next, andAHalf)
  return number && half !== undefined ? { value: number.value + 0.5, next: half } : number
}

const andAHalf = ['and', 'a', 'half']

const isScale = (word: string): boolean => word === 'hundred' || scales.has(word)

/** Goes on while hundreds, thousands and smaller parts follow. */
function readScaled(utterance: Utterance, first: ReadNumber): ReadNumber {
  let [total, part, next] = [0, first.value, first.next]
  for (let read = 0; read < WORDS_MAX; read++) {
    const word = wordAt(utterance, next)
    const power = scales.get(word)
    if (word === 'hundred' && part < 100) [part, next] = [part * 100, next + 1]
    else if (power !== undefined) [total, part, next] = [total + part * 1_000 ** power, 0, next + 1]
    else if (isScale(wordAt(utterance, phraseEnd(utterance, next, andAHalf) ?? -1))) {
      ;[part, next] = [part + 0.5, next + andAHalf.length]
    } else {
      const more = readRest(utterance, next, isScale(wordAt(utterance, next - 1)), part)
      if (more === undefined) break
      ;[part, next] = [part + more.value, more.next]
    }
  }
  return { value: total + part, next }
}

/** The smaller part after "hundred" or "thousand", with or without "and". */
function readRest(utterance: Utterance, index: number, afterScale: boolean, part: number): ReadNumber | undefined {
  if (!afterScale) return undefined
  const rest = readSmall(utterance, wordAt(utterance, index) === 'and' ? index + 1 : index)
  return rest !== undefined && (part % 100 === 0 || part === 0) ? rest : undefined
}

/** "8th", "eighth", "twenty-first"; only with its ending. */
export function readOrdinal(utterance: Utterance, index: number): ReadNumber | undefined {
  const digits = valueAt(utterance, index)
  if (digits !== undefined) {
    const isOrdinal = ordinalEndings.has(wordAt(utterance, index + 1)) && isGlued(utterance, index + 1)
    return isOrdinal && Number.isInteger(digits) ? { value: digits, next: index + 2 } : undefined
  }
  const word = wordAt(utterance, index)
  const plain = ordinals.get(word)
  if (plain !== undefined) return { value: plain, next: index + 1 }
  const ten = tens.get(word)
  if (ten === undefined) return undefined
  const after = wordAt(utterance, index + 1) === '-' ? index + 2 : index + 1
  const unit = ordinals.get(wordAt(utterance, after))
  return unit !== undefined && unit < 10 ? { value: ten + unit, next: after + 1 } : undefined
}
