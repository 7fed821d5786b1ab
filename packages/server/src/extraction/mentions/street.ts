// A street with its house number: "1012 Oak Grove Road", "235 West 46th Street", "6 Rue Victor Massé", "P.O. Box 12".
import { type HouseNumber, readHouseNumber } from './house-number.js'
import { readOrdinal } from './spoken-numbers.js'
import {
  compass,
  foreignKinds,
  leadingKinds,
  numberedRoads,
  roadOwners,
  softStreetKinds,
  streetKinds,
  unitKinds,
} from './street-words.js'
import {
  endOf,
  isBoundary,
  isCapitalized,
  isGlued,
  isWord,
  spanOf,
  startOf,
  type Utterance,
  valueAt,
  wordAt,
} from './utterance.js'

export interface Street {
  /** As written, with capitals where the transcript has none. */
  readonly text: string
  readonly from: number
  readonly next: number
}

const NAME_WORDS_MAX = 6
/** Words that end a street's name, since no street is called so. */
const notInNames = new Set(
  (
    'is are was were be at on in for with and or but if so then that this these those it its i you we they my your ' +
    'have has had would will can could should do does did am pm people person persons tickets ticket rooms room ' +
    'bedrooms bedroom the bath baths bathroom star stars minute minutes hour hours day days night nights week weeks ' +
    'month months year years dollars percent degrees oclock to from by about please thanks an than located which ' +
    'when where there here a their per off out left right away down up over past into turn mile miles buses flights ' +
    'hotels options more other of long block blocks'
  ).split(' '),
)
/** Words before a house number. */
const placeWords = new Set(['at', 'on', 'to', 'in', 'near', 'from', 'is', 'its', 'of'])
/** Small words inside a name. */
const particles = new Set(['de', 'du', 'des', 'la', 'le', 'del', 'da', 'of', 'the', 'di', 'van', 'den', 'der'])

/** `isExpected`: somebody has just said, or asked for, an address. */
export function readStreet(utterance: Utterance, index: number, isExpected: boolean): Street | undefined {
  const box = readBox(utterance, index)
  if (box !== undefined) return box
  const house = readHouseNumber(utterance, index)
  if (house === undefined) return undefined
  const takesSoft = isExpected || (house.text.length > 2 && placeWords.has(wordAt(utterance, index - 1)))
  const end =
    readLeading(utterance, house.next) ??
    readNamed(utterance, house.next, takesSoft, isPlaced(utterance, index, house)) ??
    (isExpected ? readExpected(utterance, house.next, index) : readUnkinded(utterance, house, index))
  if (end === undefined) return undefined
  return { text: `${house.text} ${titled(utterance, skipComma(utterance, house.next), end)}`, from: index, next: end }
}

/** Where a house number may stand; a long number is one anywhere. */
const isPlaced = (utterance: Utterance, index: number, { text }: HouseNumber): boolean =>
  text.length > 2 || isBoundary(utterance, index - 1) || placeWords.has(wordAt(utterance, index - 1))

/** "P.O. Box 1432". */
function readBox(utterance: Utterance, index: number): Street | undefined {
  if (wordAt(utterance, index) !== 'p' && wordAt(utterance, index) !== 'po') return undefined
  const number = /^p\.? ?o\.? box (\d{1,6})/i.exec(spanOf(utterance, index, index + 6))
  if (number === null) return undefined
  let next = index + 1
  while (endOf(utterance, next - 1) < startOf(utterance, index) + number[0].length) next++
  return { text: `PO Box ${number[1]}`, from: index, next }
}

/** Words up to the last kind of street, with a compass point after it. Returns the token after. */
function readNamed(utterance: Utterance, index: number, takesSoft: boolean, placed: boolean): number | undefined {
  let end: number | undefined
  let hasCapital = false
  for (let at = index, count = 0; count <= NAME_WORDS_MAX; count++) {
    const word = wordAt(utterance, at)
    const isSoft = softStreetKinds.has(word) && (takesSoft || (hasCapital && placed))
    if (count > 0 && (streetKinds.has(word) || isSoft)) end = at + 1
    else if (end !== undefined) break
    const next = nextNamePart(utterance, at, at > index)
    if (next === undefined) break
    hasCapital ||= isCapitalized(utterance, at)
    at = next
  }
  return end === undefined ? undefined : withCompass(utterance, end)
}

/** The token after one word, ordinal ("46th") or abbreviation ("N.") of a street's name. */
function nextNamePart(utterance: Utterance, index: number, isInside: boolean): number | undefined {
  const word = wordAt(utterance, index)
  const ordinal = readOrdinal(utterance, index)
  if (ordinal !== undefined) return ordinal.next
  const isLetterName = word.length === 1 && streetKinds.has(wordAt(utterance, index + 1))
  const isParticle = isInside && particles.has(word) && isCapitalized(utterance, index + 1)
  if (!isWord(word) || (notInNames.has(word) && !isLetterName && !isParticle)) return undefined
  const isCode = valueAt(utterance, index + 1) !== undefined && isGlued(utterance, index + 1)
  return isAbbreviated(utterance, index) || isCode ? index + 2 : index + 1
}

/** "N.", "Dr.", "Jr." inside a name. */
const isAbbreviated = (utterance: Utterance, index: number): boolean =>
  wordAt(utterance, index + 1) === '.' &&
  wordAt(utterance, index).length <= 3 &&
  isCapitalized(utterance, index) &&
  isCapitalized(utterance, index + 2)

/** "Street Northwest", "Ave. NW". */
function withCompass(utterance: Utterance, end: number): number {
  const hasDot = wordAt(utterance, end) === '.' && isGlued(utterance, end) && wordAt(utterance, end - 1).length <= 4
  const at = hasDot ? end + 1 : end
  return compass.has(wordAt(utterance, at)) ? at + 1 : end
}

/** The kind first, then capitals or a number: "Rue Victor Massé", "Avenue of the Americas", "State Route 17". */
function readLeading(utterance: Utterance, index: number): number | undefined {
  const road = roadOwners.has(wordAt(utterance, index)) ? index + 1 : index
  if (numberedRoads.has(wordAt(utterance, road)) && valueAt(utterance, road + 1) !== undefined) return road + 2
  const at = compass.has(wordAt(utterance, index)) ? index + 1 : index
  const from = wordAt(utterance, at) === 'el' ? at + 1 : at
  if (!leadingKinds.has(wordAt(utterance, from))) return undefined
  return (
    readCapitals(utterance, from + 1) ??
    (foreignKinds.has(wordAt(utterance, from)) ? readLower(utterance, from + 1) : undefined)
  )
}

/** "At 2053 Broadway": a long number after a word of place, and capitals. */
function readUnkinded(utterance: Utterance, house: HouseNumber, index: number): number | undefined {
  const isLikely = house.text.length > 2 && ['at', 'on', 'to'].includes(wordAt(utterance, index - 1))
  return isLikely ? readCapitals(utterance, house.next) : undefined
}

/** Where an address is expected, capitals will do; without any, the words up to the next mark. */
function readExpected(utterance: Utterance, index: number, house: number): number | undefined {
  const from = skipComma(utterance, index)
  const capitals = readCapitals(utterance, from)
  if (capitals !== undefined || from !== index || !isAfterSign(utterance, house)) return capitals
  const end = readLower(utterance, index)
  return end !== undefined && isBoundary(utterance, end) ? end : undefined
}

/** Right after "the address is", "located at" or a colon. */
export const isAfterSign = (utterance: Utterance, index: number): boolean =>
  ['is', 'at', 'on', ':', ''].includes(wordAt(utterance, index - 1))

function readLower(utterance: Utterance, index: number): number | undefined {
  let at = index
  while (at < index + 3 && isWord(wordAt(utterance, at)) && !notInNames.has(wordAt(utterance, at))) at++
  return at > index ? at : undefined
}

const skipComma = (utterance: Utterance, index: number): number =>
  wordAt(utterance, index) === ',' ? index + 1 : index

/** Capitalized words, with small ones between them and a number after them. */
function readCapitals(utterance: Utterance, index: number): number | undefined {
  let [at, end] = [index, index]
  for (; at < index + NAME_WORDS_MAX; at++) {
    const word = wordAt(utterance, at)
    const isHyphen = word === '-' && at > index && isGlued(utterance, at) && isGlued(utterance, at + 1)
    const isDot = word === '.' && at > index && isAbbreviated(utterance, at - 1)
    if (isCapitalized(utterance, at) && !notInNames.has(word)) end = at + 1
    else if (!isHyphen && !isDot && !particles.has(word)) break
  }
  if (end === index) return undefined
  const hasNumber = /^\d{1,4}$/.test(wordAt(utterance, end)) && isBoundary(utterance, end + 1)
  return hasNumber ? end + 1 : end
}

/** "It is located at Fleet Street": capitals right after the sign. */
export function readNumberless(utterance: Utterance, index: number): Street | undefined {
  if (!isAfterSign(utterance, index) || !isCapitalized(utterance, index)) return undefined
  if (unitKinds.has(wordAt(utterance, index))) return undefined
  const end = readCapitals(utterance, index)
  return end === undefined ? undefined : { text: titled(utterance, index, end), from: index, next: end }
}

/** The words as written, with capitals where there were none. */
function titled(utterance: Utterance, from: number, to: number): string {
  return spanOf(utterance, from, to)
    .replace(/\s+/g, ' ')
    .split(' ')
    .map((word) => (particles.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ')
}
