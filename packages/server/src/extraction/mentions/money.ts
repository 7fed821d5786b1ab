// Amounts of money: "$4,350", "five hundred and twenty bucks", "twelve dollars and fifty cents", "£20", and a bare
// number where somebody asked how much.
import type { Found, Money } from '../mention.js'
import { currencyCodes, currencyNamed, currencySymbols, DOLLAR, dollarOf } from './currencies.js'
import { type ReadNumber, readNumber } from './spoken-numbers.js'
import { endOf, isBoundary, isGlued, startOf, type Utterance, wordAt } from './utterance.js'

const cents = new Set(['cent', 'cents', 'pence'])
const rangeWords = new Set(['to', 'and', 'or', '-', '–'])
/** Amounts beyond are no amounts, and would not be whole cents in a double. */
const AMOUNT_MAX = 1e12

interface Read {
  readonly value: Money
  readonly next: number
}

export function findMoney(utterance: Utterance, country: string): Found[] {
  const found: Found[] = []
  for (let index = 0; index < utterance.tokens.length; index++) {
    const read = readMoney(utterance, index, country)
    if (read === undefined) continue
    found.push(mention(utterance, index, read))
    index = read.next - 1
  }
  return found
}

const mention = (utterance: Utterance, index: number, { value, next }: Read): Found => ({
  kind: 'money',
  start: startOf(utterance, index),
  end: endOf(utterance, next - 1),
  value,
})

const readMoney = (utterance: Utterance, index: number, country: string): Read | undefined =>
  readSymbol(utterance, index, country) ??
  readNamed(utterance, index, country) ??
  readRangeStart(utterance, index, country) ??
  readPence(utterance, index, country)

function priced(amount: number, currency: string, country: string, next: number): Read | undefined {
  if (!(amount >= 0 && amount < AMOUNT_MAX)) return undefined
  const code = currency === DOLLAR ? dollarOf(country) : currency
  return { value: { amountCents: Math.round(amount * 100), currency: code }, next }
}

/** "$35", "US$35", "USD 35", "$35 USD". */
function readSymbol(utterance: Utterance, index: number, country: string): Read | undefined {
  const word = wordAt(utterance, index)
  const currency = currencySymbols.get(word) ?? currencyCodes.get(word)
  const amount = currency === undefined ? undefined : readAmount(utterance, index + 1)
  if (currency === undefined || amount === undefined) return undefined
  const code = currencyCodes.get(wordAt(utterance, amount.next))
  return priced(amount.value, code ?? currency, country, code === undefined ? amount.next : amount.next + 1)
}

/** A number with "k" or "grand" taken in. */
function readAmount(utterance: Utterance, index: number): ReadNumber | undefined {
  const number = readNumber(utterance, index)
  if (number === undefined) return undefined
  const isThousands = wordAt(utterance, number.next) === 'k' && isGlued(utterance, number.next)
  return isThousands ? { value: number.value * 1_000, next: number.next + 1 } : number
}

/** "170 bucks", "twelve dollars fifty", "two grand". */
function readNamed(utterance: Utterance, index: number, country: string): Read | undefined {
  const amount = readAmount(utterance, index)
  if (amount === undefined) return undefined
  const unit = wordAt(utterance, amount.next)
  if (unit === 'grand') return priced(amount.value * 1_000, DOLLAR, country, amount.next + 1)
  const currency = currencyNamed(unit, country) ?? currencyCodes.get(unit)
  if (currency === undefined) return undefined
  const rest = readCents(utterance, amount.next + 1)
  return priced(amount.value + (rest?.value ?? 0) / 100, currency, country, rest?.next ?? amount.next + 1)
}

/** "And fifty cents", "fifty cents", or "fifty" at the end of the phrase. */
function readCents(utterance: Utterance, index: number): ReadNumber | undefined {
  const hasAnd = wordAt(utterance, index) === 'and'
  const number = readNumber(utterance, hasAnd ? index + 1 : index)
  if (number === undefined || number.value >= 100) return undefined
  if (cents.has(wordAt(utterance, number.next))) return { value: number.value, next: number.next + 1 }
  return !hasAnd && number.value >= 10 && isBoundary(utterance, number.next) ? number : undefined
}

function readPence(utterance: Utterance, index: number, country: string): Read | undefined {
  const amount = readNumber(utterance, index)
  const unit = amount === undefined ? '' : wordAt(utterance, amount.next)
  if (amount === undefined || !cents.has(unit)) return undefined
  return priced(amount.value / 100, unit === 'pence' ? 'GBP' : DOLLAR, country, amount.next + 1)
}

/** The 20 of "20 to 30 dollars". */
function readRangeStart(utterance: Utterance, index: number, country: string): Read | undefined {
  const amount = readAmount(utterance, index)
  if (amount === undefined || !rangeWords.has(wordAt(utterance, amount.next))) return undefined
  const isBetween = wordAt(utterance, amount.next) !== 'and' || wordAt(utterance, index - 1) === 'between'
  const end = isBetween ? readNamed(utterance, amount.next + 1, country) : undefined
  const isRising = end !== undefined && end.value.amountCents > amount.value * 100
  return isRising ? priced(amount.value, end.value.currency, country, amount.next) : undefined
}

const spending = new Set(
  (
    'pay paid pays paying cost costs charge charged charges owe owed quoted spend spent transfer send deposit ' +
    'withdraw'
  ).split(' '),
)
const beforeAmount = new Set(
  'up to about around me us him her them is was only just it of you at another over under'.split(' '),
)
const WORDS_BEFORE = 3

/** "I paid 45.50", "it costs around sixty". */
function isSpent(utterance: Utterance, index: number): boolean {
  for (let at = index - 1; at >= index - 1 - WORDS_BEFORE; at--) {
    if (spending.has(wordAt(utterance, at))) return true
    if (!beforeAmount.has(wordAt(utterance, at))) return false
  }
  return false
}

const afterAmount = new Set(
  'please and to from for would will is should per a in into thanks i as last on each total'.split(' '),
)

/**
 * An amount without its currency: the answer to "how much?", or what somebody paid. Only what no other finder has read
 * is one, and only where the segment names no price.
 */
export function findBareMoney(utterance: Utterance, country: string, isTaken: (at: number) => boolean): Found[] {
  const isAsked = utterance.asked.has('money')
  const isSpeaking = isAsked || utterance.tokens.some(({ lower }) => spending.has(lower))
  if (!isSpeaking || findMoney(utterance, country).length > 0) return []
  for (let index = 0; index < utterance.tokens.length; index++) {
    const amount = isTaken(startOf(utterance, index)) ? undefined : readAmount(utterance, index)
    if (amount === undefined) continue
    const ends = isBoundary(utterance, amount.next) || afterAmount.has(wordAt(utterance, amount.next))
    const isAmount = ends && (isAsked || isSpent(utterance, index)) && wordAt(utterance, index) !== 'one'
    const read = isAmount ? priced(amount.value, DOLLAR, country, amount.next) : undefined
    if (read !== undefined) return [mention(utterance, index, read)]
    index = amount.next - 1
  }
  return []
}
