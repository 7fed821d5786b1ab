// Phone numbers, written or said digit by digit: "408-555-0100", "four oh eight, double five five, oh one hundred".
// Which numbers exist is libphonenumber's to say.
import { toPhone } from '../../http/telephone.js'
import type { Found } from '../mention.js'
import { teens, tens, units } from './spoken-numbers.js'
import { endOf, isGlued, startOf, type Utterance, valueAt, wordAt, writtenAt } from './utterance.js'

const repeats: ReadonlyMap<string, number> = new Map([
  ['double', 2],
  ['triple', 3],
])
const zeros = new Set(['oh', 'o', 'zero', 'nought'])
const separators = new Set(['-', '–', '.', ',', '…', '(', ')', '/', 'uh', 'um', 'er'])
/** E.164 allows 15 digits; a group is at least one. */
const GROUPS_MAX = 20
const DIGITS_MIN = 7
const SEPARATORS_MAX = 4
/** How far into a segment somebody says that a phone number follows. */
const CUE_TOKENS = 60
const DIGITS_MAX = 15

/** Digits that belong together, with the tokens that say them. */
interface Group {
  readonly digits: string
  readonly from: number
  readonly next: number
}

export interface KnownPhones {
  readonly country: string
  /** Of the North American number named last: "no, 555-0144" is in it too. */
  areaCode: string | undefined
}

export function findPhones(utterance: Utterance, known: KnownPhones): Found[] {
  const found: Found[] = []
  for (let index = 0; index < utterance.tokens.length; index++) {
    const groups = readRun(utterance, index)
    const [first] = groups
    if (first === undefined) continue
    const phone = readPhone(utterance, groups, known)
    index = (phone?.next ?? lastOf(groups).next) - 1
    if (phone === undefined) continue
    const { from, next, value } = phone
    known.areaCode = /^\+1(\d{3})/.exec(value)?.[1] ?? known.areaCode
    found.push({ kind: 'phone', start: startOf(utterance, from), end: endOf(utterance, next - 1), value })
  }
  return found
}

const lastOf = (groups: readonly Group[]): Group => groups[groups.length - 1] ?? { digits: '', from: 0, next: 0 }

/** All digits from here on that only separators part. */
function readRun(utterance: Utterance, index: number): readonly Group[] {
  const groups: Group[] = []
  for (let at = index; groups.length < GROUPS_MAX; ) {
    const group = readGroup(utterance, groups.length === 0 ? at : skipSeparators(utterance, at))
    if (group === undefined) break
    groups.push(group)
    at = group.next
  }
  return groups
}

function skipSeparators(utterance: Utterance, index: number): number {
  let at = index
  while (at < index + SEPARATORS_MAX && separators.has(wordAt(utterance, at))) at++
  return at
}

function readGroup(utterance: Utterance, index: number): Group | undefined {
  const word = wordAt(utterance, index)
  if (valueAt(utterance, index) !== undefined) return readWritten(utterance, index)
  const times = repeats.get(word)
  if (times !== undefined) {
    const digit = digitOf(utterance, index + 1)
    return digit === undefined ? undefined : { digits: digit.repeat(times), from: index, next: index + 2 }
  }
  const digit = digitOf(utterance, index)
  if (digit !== undefined) return withHundred(utterance, { digits: digit, from: index, next: index + 1 })
  const teen = teens.get(word)
  if (teen !== undefined) return { digits: String(teen), from: index, next: index + 1 }
  const ten = tens.get(word)
  if (ten === undefined) return undefined
  const after = wordAt(utterance, index + 1) === '-' ? index + 2 : index + 1
  const unit = units.get(wordAt(utterance, after))
  return unit
    ? { digits: String(ten + unit), from: index, next: after + 1 }
    : { digits: String(ten), from: index, next: index + 1 }
}

/** Digits as written; `555.0100` was read as one number and is two groups. */
function readWritten(utterance: Utterance, index: number): Group | undefined {
  const isLetterGlued = isGlued(utterance, index) && /\p{L}$/u.test(wordAt(utterance, index - 1))
  const digits = writtenAt(utterance, index).replace(/\D/g, '')
  return isLetterGlued || digits.length > DIGITS_MAX
    ? undefined
    : withHundred(utterance, { digits, from: index, next: index + 1 })
}

const digitOf = (utterance: Utterance, index: number): string | undefined => {
  const word = wordAt(utterance, index)
  if (zeros.has(word)) return '0'
  const unit = units.get(word)
  if (unit !== undefined) return String(unit)
  return /^\d$/.test(word) ? word : undefined
}

/** "One hundred" at the end of a number is 100, "eight hundred" at its beginning 800, "five thousand" 5000. */
function withHundred(utterance: Utterance, group: Group): Group {
  const zeroes = { hundred: '00', thousand: '000' }[wordAt(utterance, group.next)]
  return typeof zeroes === 'string' && group.digits.length === 1
    ? { ...group, digits: group.digits + zeroes, next: group.next + 1 }
    : group
}

/** "One, two, three, four …" is counted, not dialled. */
const isCounting = (groups: readonly Group[]): boolean =>
  groups.length > 2 &&
  groups.every(({ digits }, at) => at === 0 || Number(digits) === Number(groups[at - 1]?.digits) + 1)

const isDate = ({ text, tokens }: Utterance, index: number): boolean => {
  const start = tokens[index]?.start ?? 0
  return /^(19|20)\d\d-\d\d?-\d\d?(?!\d)/.test(text.slice(start, start + 11))
}

/** The zero of "+44 (0)20" is dialled within the country only. */
const isTrunkZero = (utterance: Utterance, { digits, from, next }: Group): boolean =>
  digits === '0' && wordAt(utterance, from - 1) === '(' && wordAt(utterance, next) === ')'

/** Asked before the library, which costs more than everything else here. */
const forms = { international: /^[1-9]\d{6,14}$/, national: /^\d{8,13}$/, northAmerican: /^1?\d{10}$/ }
const northAmerican = new Set(['US', 'CA', 'PR'])
const calling = new Set('phone telephone call calling reach contact dial mobile cell text fax tel'.split(' '))

/** A number that no exchange of North America has is one only where somebody speaks of phones. */
const isDialled = ({ tokens }: Utterance, digits: string): boolean =>
  /^1?[2-9]/.test(digits) || tokens.slice(0, CUE_TOKENS).some(({ lower }) => calling.has(lower))

/** Seven digits, said as three and four, belong to the area spoken of before. */
function missingAreaCode(groups: readonly Group[], { country, areaCode }: KnownPhones): string {
  if (areaCode === undefined || !northAmerican.has(country)) return ''
  let total = 0
  let isParted = false
  for (const { digits } of groups) {
    total += digits.length
    isParted ||= total === 3
  }
  return isParted && total === 7 ? areaCode : ''
}

interface Phone {
  readonly from: number
  readonly next: number
  readonly value: string
}

/** The longest stretch of groups that is a number: what stands before it may be an age or a house. */
function readPhone(utterance: Utterance, groups: readonly Group[], known: KnownPhones): Phone | undefined {
  const total = groups.reduce((sum, { digits }) => sum + digits.length, 0)
  if (total < DIGITS_MIN) return undefined
  for (let begin = 0; begin < groups.length; begin++) {
    for (let end = groups.length; end > begin; end--) {
      const phone = phoneOf(utterance, groups.slice(begin, end), known)
      if (phone !== undefined) return phone
    }
  }
  return undefined
}

function phoneOf(utterance: Utterance, groups: readonly Group[], known: KnownPhones): Phone | undefined {
  const { country } = known
  const [first] = groups
  if (first === undefined) return undefined
  const before = wordAt(utterance, first.from - 1)
  const isInternational = before === '+' || before === 'plus'
  const dialled = isInternational ? groups.filter((group) => !isTrunkZero(utterance, group)) : groups
  const areaCode = isInternational ? '' : missingAreaCode(groups, known)
  const digits = areaCode + dialled.map((group) => group.digits).join('')
  const form = isInternational ? 'international' : northAmerican.has(country) ? 'northAmerican' : 'national'
  if (!forms[form].test(digits) || (form === 'northAmerican' && !isDialled(utterance, digits))) return undefined
  if (isCounting(groups) || isDate(utterance, first.from)) return undefined
  const value = toPhone(isInternational ? `+${digits}` : digits, country)
  if (value === undefined) return undefined
  const isOpened = before === '('
  return { from: isInternational || isOpened ? first.from - 1 : first.from, next: lastOf(groups).next, value }
}
