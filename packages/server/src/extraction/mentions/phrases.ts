// Tables of phrases, looked up by their first word: most words begin none, and then nothing is compared.
import { phraseEnd, type Utterance, wordAt } from './utterance.js'

interface Phrase<Value> {
  readonly words: readonly string[]
  readonly value: Value
}

export type Phrases<Value> = ReadonlyMap<string, readonly Phrase<Value>[]>

/** Written as in speech: words with spaces between, in lower case, without apostrophes. */
export function phrasesOf<Value>(rows: Iterable<readonly [text: string, value: Value]>): Phrases<Value> {
  const table = new Map<string, Phrase<Value>[]>()
  for (const [text, value] of rows) {
    const words = text.split(' ')
    const first = words[0] ?? ''
    table.set(first, [...(table.get(first) ?? []), { words, value }])
  }
  for (const same of table.values()) same.sort((a, b) => b.words.length - a.words.length)
  return table
}

/** The longest phrase that begins here, and the token after it. */
export function readPhrase<Value>(
  utterance: Utterance,
  index: number,
  table: Phrases<Value>,
): { value: Value; next: number } | undefined {
  for (const { words, value } of table.get(wordAt(utterance, index)) ?? []) {
    const next = phraseEnd(utterance, index, words)
    if (next !== undefined) return { value, next }
  }
  return undefined
}
