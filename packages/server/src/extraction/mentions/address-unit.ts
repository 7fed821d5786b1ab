// The flat, suite or floor of an address: "#1000", "apartment 4B", "suite three hundred", "2nd Floor".
import { readNumber, readOrdinal } from './spoken-numbers.js'
import { unitKinds } from './street-words.js'
import { isGlued, isWord, type Utterance, valueAt, wordAt, writtenAt } from './utterance.js'

export function readUnit(utterance: Utterance, index: number): { text: string; next: number } | undefined {
  const from = wordAt(utterance, index) === ',' ? index + 1 : index
  const ordinal = readOrdinal(utterance, from)
  if (ordinal !== undefined && wordAt(utterance, ordinal.next) === 'floor') {
    return { text: `Floor ${ordinal.value}`, next: ordinal.next + 1 }
  }
  const kind = unitKinds.get(wordAt(utterance, from))
  if (kind !== undefined) return readNamedUnit(utterance, from + 1, kind)
  return readBareUnit(utterance, index)
}

/** "Flat 3, 14 Martin Place": a unit that ends where the street begins. */
export function readUnitBefore(utterance: Utterance, street: number): { text: string; from: number } | undefined {
  const end = wordAt(utterance, street - 1) === ',' ? street - 1 : street
  for (const from of [end - 2, end - 3]) {
    const kind = unitKinds.get(wordAt(utterance, from))
    const unit = kind === undefined ? undefined : readNamedUnit(utterance, from + 1, kind)
    if (unit?.next === end) return { text: unit.text, from }
  }
  return undefined
}

function readNamedUnit(utterance: Utterance, index: number, kind: string) {
  const from = ['.', '#', 'number'].includes(wordAt(utterance, index)) ? index + 1 : index
  const number = readDesignation(utterance, from)
  return number && { text: kind === '#' ? `#${number.text}` : `${kind} ${number.text}`, next: number.next }
}

/** "4", "B201", "125C", "4 b", "three hundred". */
function readDesignation(utterance: Utterance, index: number): { text: string; next: number } | undefined {
  const word = wordAt(utterance, index)
  if (valueAt(utterance, index) !== undefined) {
    const hasLetter = /^[a-z]$/.test(wordAt(utterance, index + 1)) && isGlued(utterance, index + 1)
    const text = writtenAt(utterance, index) + (hasLetter ? wordAt(utterance, index + 1).toUpperCase() : '')
    return { text, next: hasLetter ? index + 2 : index + 1 }
  }
  if (/^[a-z]$/.test(word)) {
    const hasNumber = valueAt(utterance, index + 1) !== undefined
    const text = word.toUpperCase() + (hasNumber ? writtenAt(utterance, index + 1) : '')
    return { text, next: hasNumber ? index + 2 : index + 1 }
  }
  const number = isWord(word) ? readNumber(utterance, index) : undefined
  if (number === undefined) return undefined
  const letter = /^[b-z]$/.test(wordAt(utterance, number.next)) ? wordAt(utterance, number.next).toUpperCase() : ''
  return { text: `${number.value}${letter}`, next: letter === '' ? number.next : number.next + 1 }
}

/** "45 San Clemente Drive B200": a letter and digits in one. */
function readBareUnit(utterance: Utterance, index: number) {
  const isUnit =
    /^[a-z]$/.test(wordAt(utterance, index)) &&
    isGlued(utterance, index + 1) &&
    valueAt(utterance, index + 1) !== undefined
  return isUnit ? readDesignation(utterance, index) : undefined
}
