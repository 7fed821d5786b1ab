// Street addresses: a house number, a street, and whatever follows of unit, city, region and postal code. A street
// without a number, or a name without a kind of street, counts only after words such as "the address is".
import type { Address, Found } from '../mention.js'
import { readChain } from './address-chain.js'
import { readPlace } from './address-place.js'
import { readUnit, readUnitBefore } from './address-unit.js'
import { isAfterSign, readNumberless, readStreet, type Street } from './street.js'
import { endOf, startOf, type Utterance, valueAt, wordAt } from './utterance.js'

/** Words after which an address is expected, for some tokens. */
const cues = new Set(['address', 'located', 'location', 'situated', 'lives', 'live', 'living'])
const CUE_REACH = 6
/** "The hotel called 45 Park Lane" is a name, and stays one. */
const namingWords = new Set(['called', 'named', 'hotel', 'restaurant', 'cafe', 'bar'])
const businesses = new Set(
  'hotel hotels restaurant apartments apartment cafe bar inn suites residences lofts'.split(' '),
)
const NAMES_MAX = 100

/** `names` are those of places that look like addresses; they are kept from segment to segment. */
export function findAddresses(utterance: Utterance, names: Set<string>): Found[] {
  const found: Found[] = []
  const isAsked = utterance.asked.has('address')
  let reach = 0
  for (let index = 0; index < utterance.tokens.length; index++) {
    reach = cues.has(wordAt(utterance, index)) ? CUE_REACH : reach - 1
    const street = readStreetHere(utterance, index, reach > 0, isAsked)
    const isKnownName = street !== undefined && isName(utterance, street, names, reach > 0 || isAsked)
    const whole = street === undefined || isKnownName ? undefined : readWhole(utterance, street)
    const chain = reach > 0 && isAfterSign(utterance, index) ? readChain(utterance, index) : undefined
    const read = chain !== undefined && chain.next > (whole?.next ?? 0) ? { ...chain, from: index } : whole
    if (read !== undefined) {
      const [start, end] = [startOf(utterance, read.from), endOf(utterance, read.next - 1)]
      found.push({ kind: 'address', start, end, value: read.value })
    }
    index = (read?.next ?? street?.next ?? index + 1) - 1
  }
  return found
}

function readStreetHere(utterance: Utterance, index: number, isCued: boolean, isAsked: boolean): Street | undefined {
  const isAnswer = isAsked && valueAt(utterance, index) !== undefined
  return readStreet(utterance, index, isCued || isAnswer) ?? (isCued ? readNumberless(utterance, index) : undefined)
}

function isName(utterance: Utterance, street: Street, names: Set<string>, isCued: boolean): boolean {
  const isBusiness = businesses.has(wordAt(utterance, street.next)) && readUnit(utterance, street.next) === undefined
  const isIntroduced = namingWords.has(wordAt(utterance, street.from - 1)) || isBusiness
  if (isIntroduced && names.size < NAMES_MAX) names.add(street.text)
  return isIntroduced || (!isCued && names.has(street.text))
}

/** The street with its unit, which may stand before it, and what follows of city, region, postal code, country. */
function readWhole(utterance: Utterance, street: Street): { value: Address; from: number; next: number } {
  const unit = readUnit(utterance, street.next)
  const before = unit === undefined ? readUnitBefore(utterance, street.from) : undefined
  const place = readPlace(utterance, unit?.next ?? street.next)
  const { city, region, postalCode } = place
  const name = unit?.text ?? before?.text
  const line = name === undefined ? street.text : `${street.text} ${name}`
  const tail = [region, postalCode].filter((part) => part !== undefined).join(' ')
  const formatted = [line, city, tail].filter((part) => part !== undefined && part !== '').join(', ')
  const value = {
    formatted,
    street: street.text,
    ...(name !== undefined && { unit: name }),
    ...(city !== undefined && { city }),
    ...(region !== undefined && { region }),
    ...(postalCode !== undefined && { postalCode }),
  }
  return { value, from: before?.from ?? street.from, next: place.next }
}
