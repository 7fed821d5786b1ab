// The words of an utterance, with their places: lower case, without accents, by their stems, so that "Bedrooms" is
// found in "two bedroom". Positions are those of the text as it was written.

export interface Word {
  readonly text: string
  readonly stem: string
  readonly start: number
  readonly end: number
}

/** Words that say nothing about what is talked of; a term may have them between its words. */
const fillers = new Set(
  `a an the of to for in on at by with and or is are was were be been will would could should can do does did have has
  had my your our their his her its it this that these those there what which who whose how you i we they me us please
  so`.split(/\s+/),
)

export const isFiller = ({ text }: Word): boolean => fillers.has(text)

/** Each character stands for itself, so that places stay: `É` → `e`. */
export function plain(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length && /^[\x20-\x7e]*$/.test(lower)) return lower
  let result = ''
  for (let at = 0; at < text.length; at++) result += plainCharacter(text.charAt(at))
  return result
}

const plainCharacter = (character: string): string => {
  if (character === '’' || character === '‘') return "'"
  return character.toLowerCase().normalize('NFD').charAt(0) || character
}

const wordPattern = /[\p{L}\p{N}]+(?:'[\p{L}]+)*/gu

export function wordsOf(text: string): Word[] {
  return [...plain(text).matchAll(wordPattern)].map((match) => ({
    text: match[0],
    stem: stemOf(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }))
}

/** Rough, the same for both sides of a comparison. */
export function stemOf(word: string): string {
  const bare = word.replace(/'s?$/, '')
  if (bare.length < 4 || /\d/.test(bare)) return bare
  const cut = bare.replace(/(?:ings?|ed|es|s|ly)$/, '')
  const stem = cut.length < 3 ? bare : cut
  return stem
    .replace(/([^aeiou])\1$/, '$1')
    .replace(/(.{2,})e$/, '$1')
    .replace(/y$/, 'i')
}

export interface Span {
  readonly start: number
  readonly end: number
}

/** Terms come from definitions, which are the same from one conversation to the next. */
const knownTerms = new Map<string, readonly string[]>()
const KNOWN_TERMS_MAX = 20_000

/** What a term is looked for by: the stems of its words that say something, or of all where none does. */
export function stemsOfTerm(term: string): readonly string[] {
  const known = knownTerms.get(term)
  if (known) return known
  const words = wordsOf(term.replaceAll('_', ' '))
  const telling = words.filter((word) => !isFiller(word))
  const stems = (telling.length > 0 ? telling : words).map(({ stem }) => stem)
  if (knownTerms.size >= KNOWN_TERMS_MAX) knownTerms.clear()
  knownTerms.set(term, stems)
  return stems
}

/** Every stem that a term could begin with here, those of words written apart included. */
export function stemsIn(words: readonly Word[]): ReadonlySet<string> {
  const stems = new Set(words.map(({ stem }) => stem))
  for (const [at, { stem }] of words.entries()) {
    const next = words[at + 1]
    if (next) stems.add(stemOf(stem + next.stem))
  }
  return stems
}

/** Where the stems stand one after another, with nothing but fillers between them. */
export function findTerm(words: readonly Word[], stems: readonly string[]): Span | undefined {
  const [first] = stems
  if (first === undefined) return undefined
  for (let at = 0; at < words.length; at++) {
    if (lengthAt(words, at, first) === 0) continue
    const end = endOfTerm(words, at, stems)
    if (end !== undefined) return { start: words[at]?.start ?? 0, end }
  }
  return undefined
}

function endOfTerm(words: readonly Word[], from: number, stems: readonly string[]): number | undefined {
  let at = from
  for (const stem of stems) {
    while (at > from && lengthAt(words, at, stem) === 0 && isFillerAt(words, at)) at++
    const length = lengthAt(words, at, stem)
    if (length === 0) return undefined
    at += length
  }
  return words[at - 1]?.end
}

const isFillerAt = (words: readonly Word[], at: number): boolean => words[at] !== undefined && isFiller(words[at])

/** How many words from here say the stem: one, two that are written apart ("pick up" for "pickup"), or none. */
function lengthAt(words: readonly Word[], at: number, stem: string): number {
  const [word, next] = [words[at], words[at + 1]]
  if (word === undefined) return 0
  if (word.stem === stem) return 1
  return next !== undefined && stem.startsWith(word.stem) && stemOf(word.stem + next.stem) === stem ? 2 : 0
}

/** The sentences of a text: a full stop within a number or an address ends none. */
export function sentencesOf(text: string): Span[] {
  const spans: Span[] = []
  let start = 0
  for (const match of text.matchAll(/(?<!\b(?:mr|mrs|ms|dr|st|ave|apt|no|p\.m|a\.m|[a-z]))[.!?]+(?=\s|$)/gi)) {
    const end = match.index + match[0].length
    spans.push({ start, end })
    start = end
  }
  if (text.slice(start).trim() !== '') spans.push({ start, end: text.length })
  return spans
}
