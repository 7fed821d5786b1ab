// Where a street is: ", San Francisco, CA 94121", "in Brooklyn", ", Chippendale New South Wales 2008, Australia".
import { phrasesOf, readPhrase } from './phrases.js'
import { units } from './spoken-numbers.js'
import { countries, regionAbbreviations, regions } from './street-words.js'
import {
  isBoundary,
  isCapitalized,
  isGlued,
  isWord,
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
  const lateCity = postal && !city && !region ? readCapitals(utterance, postal.next) : undefined
  const end = lateCity?.next ?? postal?.next ?? afterRegion
  const town = city ?? lateCity
  return {
    ...(town && { city: town.text }),
    ...(region && { region: region.text }),
    ...(postal && { postalCode: postal.text }),
    next: readCountry(utterance, end) ?? end,
  }
}

const skipComma = (utterance: Utterance, index: number): number =>
  wordAt(utterance, index) === ',' ? index + 1 : index

/** After a comma or "in": capitals, or in a text without capitals all words up to the next mark. */
function readCity(utterance: Utterance, index: number): { text: string; next: number } | undefined {
  const opening = wordAt(utterance, index)
  if (opening !== ',' && opening !== 'in') return undefined
  if (isCapitalized(utterance, index + 1)) return readCapitals(utterance, index + 1)
  return opening === ',' ? readLowerCity(utterance, index + 1) : undefined
}

/** Capitalized words up to the region. */
function readCapitals(utterance: Utterance, from: number): { text: string; next: number } | undefined {
  if (regionAbbreviations.has(writtenAt(utterance, from))) return undefined
  let at = from
  while (at < from + CITY_WORDS_MAX && isCapitalized(utterance, at) && isCityWord(utterance, at, from)) at++
  return at > from ? { text: spanOf(utterance, from, at), next: at } : undefined
}

/** In a text without capitals: all words up to the next mark or region. */
function readLowerCity(utterance: Utterance, from: number): { text: string; next: number } | undefined {
  let at = from
  while (at < from + CITY_WORDS_MAX && isCityWord(utterance, at, from)) at++
  const isWhole = at > from && (isBoundary(utterance, at) || readRegion(utterance, at) !== undefined)
  if (!isWhole) return undefined
  const text = spanOf(utterance, from, at).replace(/(^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase())
  return { text, next: at }
}

function isCityWord(utterance: Utterance, index: number, from: number): boolean {
  const word = wordAt(utterance, index)
  if (!isWord(word) || notCities.has(word) || isCode(utterance, index)) return false
  return index === from || readRegion(utterance, index) === undefined
}

/** The beginning of "W1G 6BW" is no part of a city. */
const isCode = (utterance: Utterance, index: number): boolean =>
  isGlued(utterance, index + 1) && valueAt(utterance, index + 1) !== undefined

function readRegion(utterance: Utterance, index: number): { text: string; next: number } | undefined {
  const written = writtenAt(utterance, index)
  if (regionAbbreviations.has(written)) return { text: written, next: index + 1 }
  const name = readPhrase(utterance, index, regions)
  return name && { text: name.value, next: name.next }
}

const postalCode = /^(?:\d{5}(?:-\d{4})?|\d{4}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})(?![\p{L}\d])/u

/** Five digits, four in Australia, letters and digits in Canada and Britain, or five digits said one by one. */
function readPostal(utterance: Utterance, index: number): { text: string; next: number } | undefined {
  const from = skipLabel(utterance, skipComma(utterance, index))
  const start = startOf(utterance, from)
  const match = postalCode.exec(utterance.text.slice(start, start + 11))
  if (match === null) return readSpokenPostal(utterance, from)
  if (wordAt(utterance, index) === ',' && match[0].length === 4) return undefined
  let next = from + 1
  while (next < utterance.tokens.length && startOf(utterance, next) < start + match[0].length) next++
  return isGlued(utterance, next) && valueAt(utterance, next) !== undefined ? undefined : { text: match[0], next }
}

const postalLabels = phrasesOf(['zip code', 'zip', 'postal code', 'postcode'].map((label) => [label, label]))

const skipLabel = (utterance: Utterance, index: number): number =>
  readPhrase(utterance, index, postalLabels)?.next ?? index

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

const readCountry = (utterance: Utterance, index: number): number | undefined =>
  wordAt(utterance, index) === ',' ? readPhrase(utterance, index + 1, countries)?.next : undefined
