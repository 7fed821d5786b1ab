// Signals: a phrase of a definition that the caller says and does not deny.
import type { FoundSignal, Place, WantedSignal } from '../understanding.js'
import { isNegated } from './answers.js'
import { SIGNAL_CONFIDENCE } from './confidence.js'
import { placeIn } from './find-candidates.js'
import type { Line } from './lines.js'
import { findTerm, stemOf, wordsOf } from './words.js'

const EVIDENCE_MAX = 5

export function findSignals(lines: readonly Line[], wanted: readonly WantedSignal[]): FoundSignal[] {
  const heard = lines.filter(({ isOurs }) => !isOurs)
  return wanted.flatMap(({ key, phrases }) => {
    const stems = phrases.map((phrase) => wordsOf(phrase).map(({ text }) => stemOf(text)))
    const evidence = heard.flatMap((line) => placesOf(line, stems)).slice(0, EVIDENCE_MAX)
    return evidence.length > 0 ? [{ kind: key, confidence: SIGNAL_CONFIDENCE, evidence }] : []
  })
}

function placesOf(line: Line, phrases: readonly (readonly string[])[]): Place[] {
  return line.sentences.flatMap(({ words, stems: known }) =>
    phrases.flatMap((stems) => {
      const span = known.has(stems[0] ?? '') ? findTerm(words, stems) : undefined
      const isSaid = span && (hasNegation(stems) || !isNegated(line.text, words, span))
      return isSaid ? [placeIn(line, span)] : []
    }),
  )
}

/** "Not happy" is its own phrase: another "not" before it is no matter of ours. */
const hasNegation = (stems: readonly string[]): boolean => stems.some((stem) => /^(?:not|no|never|.*n't)$/.test(stem))
