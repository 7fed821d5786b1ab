// Amounts of money: "$4,350", "five hundred and twenty bucks", "twelve dollars and fifty cents", "£20".
import type { Found, Money } from '../mention.js'
import { readNumber } from './spoken-numbers.js'
import { endOf, isGlued, startOf, type Utterance, valueAt, wordAt } from './utterance.js'

/** What a plain dollar is, by country; elsewhere it is the one of the United States. */
const dollars: ReadonlyMap<string, string> = new Map([
  ['CA', 'CAD'],
  ['AU', 'AUD'],
  ['NZ', 'NZD'],
  ['SG', 'SGD'],
])
const DOLLAR = 'dollar'
const symbols: ReadonlyMap<string, string> = new Map([
  ['$', DOLLAR],
  ['£', 'GBP'],
  ['€', 'EUR'],
  ['¥', 'JPY'],
])
const names: ReadonlyMap<string, string> = new Map([
  ...'dollar dollars buck bucks'.split(' ').map((word) => [word, DOLLAR] as const),
  ...'pound pounds quid gbp sterling'.split(' ').map((word) => [word, 'GBP'] as const),
  ...'euro euros eur'.split(' ').map((word) => [word, 'EUR'] as const),
  ['usd', 'USD'],
  ['cad', 'CAD'],
  ['aud', 'AUD'],
])
const cents = new Set(['cent', 'cents', 'pence', 'p'])
const thousands = new Set(['k', 'grand'])
/** Amounts beyond are no amounts, and would not be whole cents in a double. */
const AMOUNT_MAX = 1e12

interface Read {
  readonly value: Money
  readonly next: number
}

export function findMoney(utterance: Utterance, country: string): Found[] {
  const found: Found[] = []
  for (let index = 0; index < utterance.tokens.length; index++) {
    const read = readSymbol(utterance, index, country) ?? readNamed(utterance, index, country)
    if (read === undefined) continue
    found.push({
      kind: 'money',
      start: startOf(utterance, index),
      end: endOf(utterance, read.next - 1),
      value: read.value,
    })
    index = read.next - 1
  }
  return found
}

const money = (amount: number, currency: string, country: string): Money | undefined =>
  amount >= 0 && amount < AMOUNT_MAX
    ? {
        amountCents: Math.round(amount * 100),
        currency: currency === DOLLAR ? (dollars.get(country) ?? 'USD') : currency,
      }
    : undefined

function readSymbol(utterance: Utterance, index: number, country: string): Read | undefined {
  const currency = symbols.get(wordAt(utterance, index))
  const amount = currency === undefined ? undefined : readAmount(utterance, index + 1)
  const value = amount && currency && money(amount.value, currency, country)
  return value ? { value, next: names.has(wordAt(utterance, amount.next)) ? amount.next + 1 : amount.next } : undefined
}

/** A number with "k", "grand" or "million" taken in. */
function readAmount(utterance: Utterance, index: number) {
  const number = readNumber(utterance, index)
  if (number === undefined) return undefined
  return thousands.has(wordAt(utterance, number.next)) &&
    (isGlued(utterance, number.next) || wordAt(utterance, number.next) === 'grand')
    ? { value: number.value * 1_000, next: number.next + 1 }
    : number
}

function readNamed(utterance: Utterance, index: number, country: string): Read | undefined {
  const amount = readAmount(utterance, index)
  if (amount === undefined) return undefined
  const unit = wordAt(utterance, amount.next)
  const currency = names.get(unit)
  if (currency !== undefined) {
    const rest = readCents(utterance, amount.next + 1)
    const value = money(amount.value + (rest?.value ?? 0) / 100, currency, country)
    return value && { value, next: rest?.next ?? amount.next + 1 }
  }
  const isPence = unit === 'pence' || (unit === 'p' && country === 'GB')
  if (cents.has(unit) && (unit !== 'p' || isPence)) {
    const value = money(amount.value / 100, isPence ? 'GBP' : DOLLAR, country)
    return value && { value, next: amount.next + 1 }
  }
  const isGrand = wordAt(utterance, amount.next - 1) === 'grand'
  const value = isGrand ? money(amount.value, DOLLAR, country) : undefined
  return value && { value, next: amount.next }
}

/** "And fifty cents", "and fifty", "fifty cents" after the dollars. */
function readCents(utterance: Utterance, index: number): { value: number; next: number } | undefined {
  const from = wordAt(utterance, index) === 'and' ? index + 1 : index
  if (valueAt(utterance, from) === undefined && wordAt(utterance, from) === '') return undefined
  const number = readNumber(utterance, from)
  if (number === undefined || number.value >= 100 || !cents.has(wordAt(utterance, number.next))) return undefined
  return { value: number.value, next: number.next + 1 }
}
