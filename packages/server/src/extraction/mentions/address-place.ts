// Where a street is: ", San Francisco, CA 94121", "in Brooklyn", ", Chippendale New South Wales 2008, Australia".
import { units } from './spoken-numbers.js'
import { countries, regionAbbreviations, regions } from './street-words.js'
import {
  isBoundary,
  isCapitalized,
  isGlued,
  isWord,
  phraseEnd,
  spanOf,
  startOf,
  type Utterance,
  valueAt,
  wordAt,
  writtenAt,
} from './utterance.js'

interface Place {
  readonly city?: string
  readonly region?: string
  readonly postalCode?: string
  readonly next: number
}

const CITY_WORDS_MAX = 4
const notCities = new Set(
  'and or but so if then is it its the there this that they we you i in on at for with which would can do does'.split(
    ' ',
  ),
)

export function readPlace(utterance: Utterance, index: number): Place {
  const city = readCity(utterance, index)
  const region = readRegion(utterance, skipComma(utterance, city?.next ?? index))
  const afterRegion = region?.next ?? city?.next ?? index
  const postal = readPostal(utterance, afterRegion)
  const country = readCountry(utterance, postal?.next ?? afterRegion)
  return {
    ...(city && { city: city.text }),
    ...(region && { region: region.text }),
    ...(postal && { postalCode: postal.text }),
    next: country ?? postal?.next ?? afterRegion,
  }
}

const skipComma = (utterance: Utterance, index: number): number =>
  wordAt(utterance, index) === ',' ? index + 1 : index

/** After a comma or "in": capitals, or in a text without capitals all words up to the next mark. */
function readCity(utterance: Utterance, index: number): { text: string; next: number } | undefined {
  const opening = wordAt(utterance, index)
  if (opening !== ',' && opening !== 'in') return undefined
  const from = index + 1
  const isCapital = isCapitalized(utterance, from)
  let at = from
  for (; at < from + CITY_WORDS_MAX; at++) {
    const word = wordAt(utterance, at)
    const isPart = isWord(word) && !notCities.has(word) && (isCapitalized(utterance, at) || !isCapital)
    if (!isPart || (at > from && readRegion(utterance, at) !== undefined)) break
  }
  const isWhole = at > from && (isCapital || (opening === ',' && isBoundary(utterance, at)))
  if (!isWhole || regionAbbreviations.has(writtenAt(utterance, from))) return undefined
  const text = spanOf(utterance, from, at).replace(/(^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase())
  return { text, next: at }
}

function readRegion(utterance: Utterance, index: number): { text: string; next: number } | undefined {
  const written = writtenAt(utterance, index)
  if (regionAbbreviations.has(written)) return { text: written, next: index + 1 }
  for (const [words, short] of regions) {
    const next = phraseEnd(utterance, index, words)
    if (next !== undefined) return { text: short, next }
  }
  return undefined
}

const postalCode = /^(?:\d{5}(?:-\d{4})?|\d{4}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})(?![\p{L}\d])/u

/** Five digits, four in Australia, letters and digits in Canada and Britain, or five digits said one by one. */
function readPostal(utterance: Utterance, index: number): { text: string; next: number } | undefined {
  const from = skipComma(utterance, index)
  const start = startOf(utterance, from)
  const match = postalCode.exec(utterance.text.slice(start, start + 11))
  if (match === null) return readSpokenPostal(utterance, from)
  if (wordAt(utterance, index) === ',' && match[0].length === 4) return undefined
  let next = from + 1
  while (next < utterance.tokens.length && startOf(utterance, next) < start + match[0].length) next++
  return isGlued(utterance, next) && valueAt(utterance, next) !== undefined ? undefined : { text: match[0], next }
}

function readSpokenPostal(utterance: Utterance, index: number): { text: string; next: number } | undefined {
  let digits = ''
  for (let at = index; digits.length < 5; at++) {
    const word = wordAt(utterance, at)
    const digit = word === 'oh' ? 0 : (units.get(word) ?? (/^\d$/.test(word) ? Number(word) : undefined))
    if (digit === undefined) return undefined
    digits += digit
  }
  return { text: digits, next: index + 5 }
}

function readCountry(utterance: Utterance, index: number): number | undefined {
  if (wordAt(utterance, index) !== ',') return undefined
  const ends = countries.map((words) => phraseEnd(utterance, index + 1, words)).filter((end) => end !== undefined)
  return ends.length === 0 ? undefined : Math.max(...ends)
}
