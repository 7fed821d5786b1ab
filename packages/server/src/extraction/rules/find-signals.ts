// Signals: a phrase of a definition that the caller says and does not deny.
import type { FoundSignal, Place, RulesMemory, WantedSignal } from '../understanding.js'
import { isNegated } from './answers.js'
import { SIGNAL_CONFIDENCE } from './confidence.js'
import { placeIn } from './find-candidates.js'
import type { Line } from './lines.js'
import { findTerm, stemOf, wordsOf } from './words.js'

const EVIDENCE_MAX = 5

type Stems = readonly string[]

/** What to listen for, and where each line was found to say it: a line that was read stays as it is. */
interface Listening {
  /** Of which definitions. */
  readonly definitions: string
  readonly signals: readonly { readonly key: string; readonly phrases: readonly Stems[] }[]
  readonly said: WeakMap<Line, readonly Said[]>
}

interface Said {
  readonly key: string
  readonly places: readonly Place[]
}

export function findSignals(
  lines: readonly Line[],
  wanted: readonly WantedSignal[],
  memory: RulesMemory = {},
): FoundSignal[] {
  const listening = listeningFor(wanted, memory)
  const found = new Map<string, Place[]>(wanted.map(({ key }) => [key, []]))
  for (const line of lines)
    for (const { key, places } of line.isOurs ? [] : saidIn(line, listening)) found.get(key)?.push(...places)
  return [...found].flatMap(([kind, places]) =>
    places.length > 0 ? [{ kind, confidence: SIGNAL_CONFIDENCE, evidence: places.slice(0, EVIDENCE_MAX) }] : [],
  )
}

function listeningFor(wanted: readonly WantedSignal[], memory: RulesMemory): Listening {
  const definitions = JSON.stringify(wanted.map(({ key, phrases }) => [key, phrases]))
  const known = memory.signals as Listening | undefined
  if (known?.definitions === definitions) return known
  const signals = wanted.map(({ key, phrases }) => ({ key, phrases: phrases.map(stemsOf) }))
  const made: Listening = { definitions, signals, said: new WeakMap() }
  memory.signals = made
  return made
}

const stemsOf = (phrase: string): Stems => wordsOf(phrase).map(({ text }) => stemOf(text))

function saidIn(line: Line, { signals, said }: Listening): readonly Said[] {
  const known = said.get(line)
  if (known) return known
  const made = signals
    .map(({ key, phrases }) => ({ key, places: placesOf(line, phrases) }))
    .filter(({ places }) => places.length > 0)
  said.set(line, made)
  return made
}

function placesOf(line: Line, phrases: readonly Stems[]): Place[] {
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
