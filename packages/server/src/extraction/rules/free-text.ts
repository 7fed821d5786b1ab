// A value that is plain words: what follows a field's name, or a short answer.
import type { Line } from './lines.js'
import type { Span } from './words.js'
import { plain } from './words.js'

export interface Said extends Span {
  readonly text: string
}

const LENGTH_MAX = 80
const WORDS_MAX = 8

const link = /^\s*(?:is|are|was|will be|would be|it's|'s|:|=|-)\s+(?:called |named |about )?/i
/** What begins an answer and says nothing. */
const opening =
  /^(?:(?:um+|uh+|oh|well|so|hi|hello|yes|yeah|sure|ok(?:ay)?|please|it's|it is|that's|that is|that would be|it would be|i think|i'd say|i guess|just|the|a|an|my|i want|i need|i'd like)[,.\s]+)+/i
const clauseEnd = /[.,;!?](?=\s|$)| (?:and|but|because|so) /i

/** `My policy number is AB-123, and …` → `AB-123`. */
export function freeTextAfter(text: string, name: Span, sentenceEnd: number): Said | undefined {
  const rest = text.slice(name.end, sentenceEnd)
  const linked = link.exec(rest)
  if (linked === null) return undefined
  return trimmed(text, name.end + linked[0].length, sentenceEnd)
}

/** The first sentence of an answer, when it is short, asks nothing back and is no mere yes or no. */
export function shortAnswer({ text, sentences, answer }: Line): Said | undefined {
  const [first] = sentences
  if (first === undefined || text.slice(first.start, first.end).trimEnd().endsWith('?')) return undefined
  if (answer === 'no' || /\b(?:don't|do not|not sure|no idea)\b/.test(plain(text))) return undefined
  const lead = opening.exec(text.slice(first.start).trimStart())?.[0].length ?? 0
  const padding = text.slice(first.start).length - text.slice(first.start).trimStart().length
  const said = trimmed(text, first.start + padding + lead, first.end)
  return said && said.text.split(/\s+/).length <= WORDS_MAX ? said : undefined
}

function trimmed(text: string, start: number, end: number): Said | undefined {
  const clause = text.slice(start, end)
  const cut = clauseEnd.exec(clause)
  const kept = (cut ? clause.slice(0, cut.index) : clause).trimEnd()
  return kept === '' || kept.length > LENGTH_MAX ? undefined : { text: kept, start, end: start + kept.length }
}
