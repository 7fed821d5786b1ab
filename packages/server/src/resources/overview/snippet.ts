// The piece of a text that shows why it was found, and where the words are in it. Words are compared as search compares
// them: without case and accents, as prefixes.
import { wordsOf } from '../../store/search-words.js'

export interface Snippet {
  readonly text: string
  /** Pairs of start and end. */
  readonly marks: [number, number][]
}

const LENGTH_MAX = 160
/** So much is shown before the first word that was found. */
const BEFORE = 40
/** Longer texts are looked at no further. */
const LOOKED_AT = 20_000

/** The snippet of the text in which most words are. */
export function bestSnippet(texts: readonly (string | null | undefined)[], asked: readonly string[]): Snippet {
  const given = texts.filter((text): text is string => typeof text === 'string' && text !== '')
  const found = given.map((text) => ({ text, marks: marksIn(text.slice(0, LOOKED_AT), asked) }))
  const best = found.reduce<(typeof found)[number] | undefined>(
    (most, one) => (most === undefined || one.marks.length > most.marks.length ? one : most),
    undefined,
  )
  return best === undefined ? { text: '', marks: [] } : cut(best.text, best.marks)
}

const run = /[\p{L}\p{N}\p{M}]+/gu

function marksIn(text: string, asked: readonly string[]): [number, number][] {
  const marks: [number, number][] = []
  for (const { 0: word, index } of text.matchAll(run))
    if (wordsOf(word).some((one) => asked.some((prefix) => one.startsWith(prefix))))
      marks.push([index, index + word.length])
  return marks
}

/** Begins and ends at words where it can, and never within a letter. */
function cut(text: string, marks: readonly [number, number][]): Snippet {
  if (text.length <= LENGTH_MAX) return { text: oneLine(text), marks: [...marks] }
  const [first = 0] = marks[0] ?? []
  const wanted = Math.max(0, first - BEFORE)
  const start = wanted === 0 ? 0 : Math.min(first, text.indexOf(' ', wanted) + 1 || wanted)
  const last = Math.min(text.length, start + LENGTH_MAX)
  const space = text.lastIndexOf(' ', last)
  const end = last === text.length || space <= start ? last : space
  const within = marks.filter(([from, to]) => from >= start && to <= end)
  return {
    text: oneLine(text.slice(start, end)).toWellFormed(),
    marks: within.map(([from, to]) => [from - start, to - start]),
  }
}

/** Of the same length, so that the marks stay where they are. */
const oneLine = (text: string): string => text.replace(/[\r\n\t]/g, ' ')
