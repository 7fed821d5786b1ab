// Street addresses: a house number, a street, and whatever follows of unit, city, region and postal code. A street
// without a number, or a name without a kind of street, counts only after words such as "the address is".
import type { Address, Found } from '../mention.js'
import { readPlace } from './address-place.js'
import { readUnit } from './address-unit.js'
import { readOrdinal, readSmall } from './spoken-numbers.js'
import { compass, leadingKinds, softStreetKinds, streetKinds } from './street-words.js'
import {
  endOf,
  isAttached,
  isBoundary,
  isCapitalized,
  isGlued,
  isWord,
  startOf,
  type Utterance,
  valueAt,
  wordAt,
  writtenAt,
} from './utterance.js'

/** Words of a street's name before its kind. */
const NAME_WORDS_MAX = 5
/** Words that end a street's name, since no street is called so. */
const notInNames = new Set(
  (
    'is are was were be at on in for with and or but if so then that this these those it its i you we they my your have ' +
    'has had would will can could should do does did am pm people person persons tickets ticket rooms room bedrooms ' +
    'bedroom the bath baths bathroom star stars minutes hours days nights dollars percent degrees oclock to from by about ' +
    'please thanks an than located which when where there here a their per miles buses flights hotels options'
  ).split(' '),
)
/** Words after which an address is expected. */
const cues = new Set(['address', 'located', 'location', 'situated', 'lives', 'live', 'living'])
const CUE_REACH = 6
/** "The hotel called 45 Park Lane" is a name. */
const namingWords = new Set(['called', 'named', 'hotel', 'restaurant'])

/** Words before a house number. */
const placeWords = new Set(['at', 'on', 'to', 'in', 'near', 'from', 'is', 'its', 'of'])

interface Street {
  /** As the caller says it, in capitals where the transcript has none. */
  readonly text: string
  readonly from: number
  readonly next: number
}

export function findAddresses(utterance: Utterance): Found[] {
  const found: Found[] = []
  const isAsked = utterance.asked.has('address')
  let isCued = 0
  for (let index = 0; index < utterance.tokens.length; index++) {
    isCued = cues.has(wordAt(utterance, index)) ? CUE_REACH : isCued - 1
    const street = readStreet(utterance, index, isCued > 0) ?? (isAsked ? readAnswer(utterance, index) : undefined)
    if (street === undefined) continue
    const { value, next } = readWhole(utterance, street)
    found.push({ kind: 'address', start: startOf(utterance, street.from), end: endOf(utterance, next - 1), value })
    index = next - 1
  }
  return found
}

/** What follows the street: unit, then city, region, postal code, country. */
function readWhole(utterance: Utterance, street: Street): { value: Address; next: number } {
  const unit = readUnit(utterance, street.next)
  const place = readPlace(utterance, unit?.next ?? street.next)
  const { city, region, postalCode } = place
  const line = unit === undefined ? street.text : `${street.text} ${unit.text}`
  const tail = [region, postalCode].filter((part) => part !== undefined).join(' ')
  const formatted = [line, city, tail].filter((part) => part !== undefined && part !== '').join(', ')
  const value = {
    formatted,
    street: street.text,
    ...(unit && { unit: unit.text }),
    ...(city !== undefined && { city }),
    ...(region !== undefined && { region }),
    ...(postalCode !== undefined && { postalCode }),
  }
  return { value, next: place.next }
}

function readStreet(utterance: Utterance, index: number, isExpected: boolean): Street | undefined {
  const house = readHouse(utterance, index)
  if (house === undefined) return isExpected ? readNumberless(utterance, index) : undefined
  if (namingWords.has(wordAt(utterance, index - 1))) return undefined
  const takesSoft = isExpected || (placeWords.has(wordAt(utterance, index - 1)) && house.text.length > 2)
  const name = readNamed(utterance, house.next, takesSoft) ?? readLeading(utterance, house.next)
  const end = name ?? (isExpected ? readCapitals(utterance, house.next) : undefined)
  if (end === undefined) return undefined
  return { text: `${house.text} ${titled(utterance, house.next, end)}`, from: index, next: end }
}

/** "377", "123-01", "28bis", "221B", "twelve", "one two three". */
function readHouse(utterance: Utterance, index: number): { text: string; next: number } | undefined {
  if (valueAt(utterance, index) !== undefined) return readHouseDigits(utterance, index)
  let [text, next] = ['', index]
  for (let small = readSmall(utterance, next); small && text.length < 5; small = readSmall(utterance, next)) {
    ;[text, next] = [text + small.value, small.next]
  }
  return next > index && !/^0/.test(text) ? { text, next } : undefined
}

function readHouseDigits(utterance: Utterance, index: number) {
  const written = writtenAt(utterance, index)
  if (readOrdinal(utterance, index) !== undefined) return undefined
  if (!/^\d{1,6}$/.test(written) || isAttached(utterance, index)) return undefined
  if (
    wordAt(utterance, index + 1) === '-' &&
    /^\d{1,4}$/.test(writtenAt(utterance, index + 2)) &&
    isGlued(utterance, index + 2)
  ) {
    return { text: `${written}-${writtenAt(utterance, index + 2)}`, next: index + 3 }
  }
  const suffix = wordAt(utterance, index + 1)
  const isSuffixed = isGlued(utterance, index + 1) && /^([a-z]|bis|ter)$/.test(suffix)
  return isSuffixed
    ? { text: written + writtenAt(utterance, index + 1), next: index + 2 }
    : { text: written, next: index + 1 }
}

/** Words up to the last kind of street, with a compass point after it. Returns the token after. */
function readNamed(utterance: Utterance, index: number, takesSoft: boolean): number | undefined {
  let end: number | undefined
  let hasCapital = false
  const before = wordAt(utterance, index - 2)
  const isPlaced = before === '' || isBoundary(utterance, index - 2) || placeWords.has(before)
  for (let at = index, count = 0; count <= NAME_WORDS_MAX; count++) {
    const word = wordAt(utterance, at)
    const isSoft = softStreetKinds.has(word) && (takesSoft || (hasCapital && isPlaced))
    const isKind = count > 0 && (streetKinds.has(word) || isSoft)
    if (isKind) end = at + 1
    else if (end !== undefined && !isKindNear(utterance, at)) break
    const ordinal = readOrdinal(utterance, at)
    if (ordinal !== undefined) {
      at = ordinal.next
      continue
    }
    if (!isWord(word) || (notInNames.has(word) && !isLetterName(utterance, at))) break
    hasCapital ||= isCapitalized(utterance, at)
    at++
  }
  if (end === undefined) return undefined
  const after =
    wordAt(utterance, end) === '.' && isGlued(utterance, end) && isShortKind(wordAt(utterance, end - 1)) ? end + 1 : end
  return compass.has(wordAt(utterance, after)) ? after + 1 : end
}

/** "Oak Grove Road": after one kind of street another may follow at once. */
const isKindNear = (utterance: Utterance, index: number): boolean => {
  const next = wordAt(utterance, index)
  return streetKinds.has(next) || softStreetKinds.has(next)
}

/** "A Street", "1100 H Street". */
const isLetterName = (utterance: Utterance, index: number): boolean =>
  wordAt(utterance, index).length === 1 && streetKinds.has(wordAt(utterance, index + 1))

const isShortKind = (word: string): boolean => word.length <= 4

/** "Rue Gustave Charpentier": the kind first, then capitals. */
function readLeading(utterance: Utterance, index: number): number | undefined {
  return leadingKinds.has(wordAt(utterance, index)) ? readCapitals(utterance, index + 1) : undefined
}

function readCapitals(utterance: Utterance, index: number): number | undefined {
  let at = index
  while (at < index + NAME_WORDS_MAX && isCapitalized(utterance, at) && !notInNames.has(wordAt(utterance, at))) at++
  return at > index ? at : undefined
}

/** "It is located at Bryanston Street": capitals right after the sign. */
function readNumberless(utterance: Utterance, index: number): Street | undefined {
  const before = wordAt(utterance, index - 1)
  if (!['is', 'at', 'on'].includes(before) || !isCapitalized(utterance, index)) return undefined
  const end = readCapitals(utterance, index)
  return end === undefined ? undefined : { text: titled(utterance, index, end), from: index, next: end }
}

/** The answer to "where?" needs no kind of street: "2053 Broadway". */
const readAnswer = (utterance: Utterance, index: number): Street | undefined =>
  valueAt(utterance, index) === undefined ? undefined : readStreet(utterance, index, true)

/** The words as written, with capitals where there were none. */
function titled(utterance: Utterance, from: number, to: number): string {
  const written = utterance.text.slice(startOf(utterance, from), endOf(utterance, to - 1))
  return written.replace(/\s+/g, ' ').replace(/(^| )\p{Ll}/gu, (letter) => letter.toUpperCase())
}
