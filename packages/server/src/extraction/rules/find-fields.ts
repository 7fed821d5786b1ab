// Which value each field has at the end of a conversation: the last one that was said with as much reason as the one
// before, so that corrections win, and none that the caller denied.
import type { Mention } from '../mention.js'
import type { FoundField, Place } from '../understanding.js'
import { confidenceOf, strengthOf } from './confidence.js'
import { valueFor } from './field-values.js'
import { type Candidate, candidatesIn, placeIn } from './find-candidates.js'
import type { Line, Sentence } from './lines.js'
import type { SoughtField } from './sought-fields.js'

const EVIDENCE_MAX = 5
const VALUES_MAX = 20
/** How many lines back a correction may reach. */
const CORRECTED_LINES = 6

interface Chosen {
  readonly candidate: Candidate
  readonly places: readonly Place[]
}

/** `today` is the day of the conversation: a day before it, said by itself, is nobody's wish. */
export function findFields(lines: readonly Line[], fields: readonly SoughtField[], today: string): FoundFields {
  const found: Candidate[] = []
  for (const line of lines) {
    if (line.isOurs) continue
    const named = namedOnce(line, fields, today)
    found.push(...named, ...corrections(line, named, found))
  }
  const byField = new Map<SoughtField, Candidate[]>(fields.map((field) => [field, []]))
  for (const candidate of found) byField.get(candidate.field)?.push(candidate)
  const settled = [...byField.values()].map((candidates) => ({ candidates, chosen: chosenOf(candidates) }))
  return {
    fields: settled.flatMap(({ chosen }) => chosen.map(toFound)),
    denied: settled.flatMap(({ candidates, chosen }) => deniedOf(candidates, chosen)),
  }
}

interface FoundFields {
  readonly fields: FoundField[]
  /** What the caller denied, and nobody said again. */
  readonly denied: Pick<FoundField, 'key' | 'value'>[]
}

const deniedOf = (candidates: readonly Candidate[], chosen: readonly Chosen[]): FoundFields['denied'] =>
  candidates
    .filter(({ isDenied, value }) => isDenied && !chosen.some((one) => isSame(one.candidate.value, value)))
    .map(({ field: { key }, value }) => ({ key, value }))

/** What each line was found to say, for as long as somebody holds on to it: a line that was read stays as it is. */
const readLines = new WeakMap<Line, { fields: readonly SoughtField[]; named: readonly Candidate[] }>()

function namedOnce(line: Line, fields: readonly SoughtField[], today: string): readonly Candidate[] {
  const known = readLines.get(line)
  if (known?.fields === fields) return known.named
  const named = namedIn(line, fields, today)
  readLines.set(line, { fields, named })
  return named
}

/** The same two lists for the same fields: what is looked up in them is kept by the list. */
const partedFields = new WeakMap<readonly SoughtField[], { own: SoughtField[]; builtIn: SoughtField[] }>()

function parted(fields: readonly SoughtField[]) {
  const known = partedFields.get(fields)
  if (known) return known
  const isBuiltIn = ({ origin }: SoughtField) => origin === 'built-in'
  const made = { own: fields.filter((field) => !isBuiltIn(field)), builtIn: fields.filter(isBuiltIn) }
  partedFields.set(fields, made)
  return made
}

function namedIn(line: Line, fields: readonly SoughtField[], today: string): Candidate[] {
  const { own, builtIn } = parted(fields)
  const byOwn = withoutPast(candidatesIn(line, own), today)
  const claimed = new Set(byOwn.flatMap(({ mention }) => mention ?? []))
  const rest = without(line, claimed)
  return [...byOwn, ...withoutPast(candidatesIn(rest, builtIn), today), ...introductions(rest, builtIn)]
}

/** The line as if these mentions were not in it or in what it answers. */
function without(line: Line, claimed: ReadonlySet<Mention>): Line {
  const isFree = (mention: Mention) => !claimed.has(mention)
  const freed = (sentence: Sentence): Sentence => ({ ...sentence, mentions: sentence.mentions.filter(isFree) })
  return {
    ...line,
    mentions: line.mentions.filter(isFree),
    sentences: line.sentences.map(freed),
    asked: line.asked.map(freed),
  }
}

const withoutPast = (candidates: readonly Candidate[], today: string): Candidate[] =>
  candidates.filter(({ rule, kind, value }) => rule !== 'only_field' || kind !== 'date' || String(value) >= today)

const introducing =
  /(?:\bmy (?:full |first |last )?name(?:'s| is)|\bthis is|\bi'?m|\bi am|\bname is|\bit's|\bspeaking,?)\s+$/i

/** A name is the caller's own where they say so. */
function introductions(line: Line, builtIn: readonly SoughtField[]): Candidate[] {
  const field = builtIn.find(({ key }) => key === 'display_name')
  if (field === undefined) return []
  return line.mentions
    .filter(({ kind, start }) => kind === 'person' && introducing.test(line.text.slice(0, start)))
    .map((mention) => ({
      field,
      value: mention.value,
      rule: 'introduction',
      kind: 'person',
      places: [placeIn(line, mention)],
      lineIndex: line.index,
      mention,
    }))
}

/** "No, the 14th": what was last said of that kind is meant, where the line does not name another field. */
function corrections(line: Line, named: readonly Candidate[], before: readonly Candidate[]): Candidate[] {
  if (!line.isCorrection && line.answer !== 'no') return []
  const firmly = new Set(named.filter(({ rule }) => strengthOf(rule) > 1).flatMap(({ mention }) => mention ?? []))
  return line.mentions
    .filter((mention) => !firmly.has(mention))
    .flatMap((mention): Candidate[] => {
      const meant = before.findLast(
        ({ kind, lineIndex }) => kind === mention.kind && line.index - lineIndex <= CORRECTED_LINES,
      )
      const value = meant && valueFor(meant.field, mention)
      if (meant === undefined || value === undefined) return []
      const places = [placeIn(line, mention)]
      return [
        { field: meant.field, value, rule: 'correction', kind: mention.kind, places, lineIndex: line.index, mention },
      ]
    })
}

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (isStructured(a) && isStructured(b) && JSON.stringify(a) === JSON.stringify(b))

const isStructured = (value: unknown): boolean => typeof value === 'object' && value !== null

function chosenOf(candidates: readonly Candidate[]): Chosen[] {
  let chosen: Chosen[] = []
  for (const candidate of candidates) {
    const same = chosen.find((one) => isSame(one.candidate.value, candidate.value))
    if (candidate.isDenied) chosen = chosen.filter((one) => one !== same)
    else if (same) chosen = chosen.map((one) => (one === same ? corroborated(one, candidate) : one))
    else if (candidate.field.isMany) chosen = [...chosen, fresh(candidate)].slice(0, VALUES_MAX)
    else if (chosen.every((one) => strengthOf(candidate.rule) >= strengthOf(one.candidate.rule)))
      chosen = [fresh(candidate)]
  }
  return chosen
}

const fresh = (candidate: Candidate): Chosen => ({ candidate, places: candidate.places })

/** Said again: the firmer rule counts, and both places are shown. */
function corroborated({ candidate, places }: Chosen, again: Candidate): Chosen {
  const isSeen = ({ segmentIndex, start, end }: Place) =>
    places.some((one) => one.segmentIndex === segmentIndex && one.start === start && one.end === end)
  const gain = strengthOf(again.rule) - strengthOf(candidate.rule)
  const isFirmer = gain > 0 || (gain === 0 && confidence(again) > confidence(candidate))
  const all = [...places, ...again.places.filter((place) => !isSeen(place))]
  return { candidate: isFirmer ? again : candidate, places: all.slice(0, EVIDENCE_MAX) }
}

const confidence = ({ rule, kind }: Candidate): number => confidenceOf(rule, kind)

function toFound({ candidate, places }: Chosen): FoundField {
  const { key, label, valueType } = candidate.field
  return {
    key,
    label,
    value: candidate.value,
    valueType,
    confidence: confidence(candidate),
    rule: candidate.rule,
    evidence: places,
  }
}
