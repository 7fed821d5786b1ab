// E-mail addresses, written or said: "maria@example.com", "j dot smith at example dot co dot uk".
import type { Found } from '../mention.js'
import { teens, tens, units } from './spoken-numbers.js'
import { endOf, isGlued, isWord, startOf, type Utterance, valueAt, wordAt, writtenAt } from './utterance.js'

const written = /[a-z0-9](?:[a-z0-9._%+-]{0,62}[a-z0-9_])?@[a-z0-9](?:[a-z0-9-]{0,62})(?:\.[a-z0-9-]{1,63}){1,5}/gi
const spokenMarks: ReadonlyMap<string, string> = new Map([
  ['dot', '.'],
  ['.', '.'],
  ['point', '.'],
  ['period', '.'],
  ['underscore', '_'],
  ['_', '_'],
  ['dash', '-'],
  ['hyphen', '-'],
  ['-', '-'],
  ['plus', '+'],
])
const dots = new Set(['dot', '.', 'point'])
/** Words before "at" that are no mailbox: "look at example dot com". */
const notMailboxes = new Set(
  'look looking found find is are was us me it them you here there website site online order book available only'.split(
    ' ',
  ),
)
const PARTS_MAX = 24

export function findEmails(utterance: Utterance): Found[] {
  const whole = findWritten(utterance)
  return whole.length > 0 ? whole : findSpoken(utterance)
}

function findWritten({ text }: Utterance): Found[] {
  if (!text.includes('@')) return []
  return [...text.matchAll(written)].map(({ 0: quote, index }) => {
    const address = quote.replace(/[.-]+$/, '')
    return { kind: 'email', start: index, end: index + address.length, value: address.toLowerCase() }
  })
}

function findSpoken(utterance: Utterance): Found[] {
  const found: Found[] = []
  for (let index = 1; index < utterance.tokens.length; index++) {
    if (wordAt(utterance, index) !== 'at' && wordAt(utterance, index) !== '@') continue
    const domain = readDomain(utterance, index + 1)
    const local = domain && readLocal(utterance, index - 1)
    if (!domain || !local) continue
    found.push({
      kind: 'email',
      start: startOf(utterance, local.from),
      end: endOf(utterance, domain.next - 1),
      value: `${local.text}@${domain.text}`,
    })
  }
  return found
}

/** Backwards from "at": marks join parts, and single letters and digits join each other. */
function readLocal(utterance: Utterance, last: number): { text: string; from: number } | undefined {
  let text = partOf(utterance, last)
  if (text === undefined || notMailboxes.has(text)) return undefined
  let from = last
  for (let count = 0; count < PARTS_MAX; count++) {
    const mark = spokenMarks.get(wordAt(utterance, from - 1))
    const joined = partOf(utterance, mark === undefined ? from - 1 : from - 2)
    if (joined === undefined || (mark === undefined && !isSpelled(utterance, from, joined))) break
    text = joined + (mark ?? '') + text
    from -= mark === undefined ? 1 : 2
  }
  return { text, from }
}

/** "M a r i a", "maria 7 7": what is spelled belongs together. */
function isSpelled(utterance: Utterance, index: number, before: string): boolean {
  const isShort = (word: string) => word.length === 1
  const isNumber = /^\d+$/.test(partOf(utterance, index) ?? '')
  const word = wordAt(utterance, index - 1)
  return (
    (isShort(word) && isShort(wordAt(utterance, index))) || (isNumber && !/^(is|its|at|the|email|and)$/.test(before))
  )
}

/** A word, digits, or a number word as digits. */
function partOf(utterance: Utterance, index: number): string | undefined {
  const word = wordAt(utterance, index)
  if (valueAt(utterance, index) !== undefined) return writtenAt(utterance, index)
  const ten = tens.get(word)
  if (ten !== undefined) return String(units.has(wordAt(utterance, index + 1)) ? ten / 10 : ten)
  const number = units.get(word) ?? teens.get(word)
  if (number !== undefined) return String(number)
  return /^[a-z]+$/.test(word) ? word : undefined
}

/** "Example dot com", "g mail dot com", "example.co.uk". */
function readDomain(utterance: Utterance, index: number): { text: string; next: number } | undefined {
  let [text, next, hasDot] = ['', index, false]
  for (let count = 0; count < PARTS_MAX; count++) {
    const part = partOf(utterance, next)
    if (part === undefined) return undefined
    ;[text, next] = [text + part, next + 1]
    const mark = wordAt(utterance, next)
    const isDot = dots.has(mark) && (mark !== '.' || isGlued(utterance, next + 1))
    if (isDot || mark === 'dash' || mark === 'hyphen' || mark === '-') {
      ;[text, next, hasDot] = [text + (isDot ? '.' : '-'), next + 1, hasDot || isDot]
      continue
    }
    if (hasDot || !isWord(mark) || count > 2) break
  }
  return hasDot && /\.[a-z]{2,}$/.test(text) ? { text, next } : undefined
}
