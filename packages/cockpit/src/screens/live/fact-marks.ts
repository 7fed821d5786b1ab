// Which words of a transcript became which fact: by the evidence of the fact, narrowed to the words of its value.
import type { CallSurface, Segment } from '@parley/sdk'

export type SurfaceFact = CallSurface['facts'][number]

export interface Mark {
  readonly start: number
  readonly end: number
  readonly factId: string
  readonly label: string
}

/** The marks of each segment, by its sequence. */
export function marksOf(segments: readonly Segment[], facts: readonly SurfaceFact[]): ReadonlyMap<number, Mark[]> {
  const byStart = new Map(segments.map((segment) => [segment.startMs, segment]))
  const byId = new Map(segments.map((segment) => [segment.id, segment]))
  const marks = new Map<number, Mark[]>()
  for (const { id, key, label, value, status, evidence } of facts) {
    if (status === 'rejected' || status === 'superseded') continue
    for (const { segmentId, startMs, quote } of evidence) {
      const segment = byId.get(segmentId ?? '') ?? byStart.get(startMs ?? -1)
      if (segment === undefined || !segment.isFinal) continue
      const span = spanOf(segment.text, quote, value)
      if (span === undefined) continue
      const own = marks.get(segment.sequence) ?? []
      marks.set(segment.sequence, [...own, { ...span, factId: id, label: label ?? key }])
    }
  }
  for (const own of marks.values()) own.sort((a, b) => a.start - b.start || b.end - a.end)
  return marks
}

/** The words of the value where they are said, else of the whole quote. */
function spanOf(said: string, quote: string, value: unknown): { start: number; end: number } | undefined {
  const at = said.indexOf(quote)
  const [from, heard] = at >= 0 ? [at, quote] : [0, said]
  const lower = heard.toLowerCase()
  const words = String(value)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2 || /\d/.test(word))
  const places = words.flatMap((word) => {
    const found = new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'u').exec(lower)
    return found ? [{ start: found.index, end: found.index + word.length }] : []
  })
  if (places.length === 0) return at >= 0 ? { start: from, end: from + heard.length } : undefined
  const start = Math.min(...places.map((place) => place.start))
  const end = Math.max(...places.map((place) => place.end))
  return { start: from + start, end: from + end }
}

export interface Piece {
  readonly text: string
  readonly mark?: Mark
}

/** A text cut at its marks; where marks overlap, the narrower one keeps the words. */
export function piecesOf(text: string, marks: readonly Mark[]): Piece[] {
  const owners: (Mark | undefined)[] = Array.from({ length: text.length })
  for (const mark of marks.toSorted((a, b) => b.end - b.start - (a.end - a.start)))
    owners.fill(mark, mark.start, mark.end)
  const pieces: { text: string; mark?: Mark }[] = []
  for (const [index, owner] of owners.entries()) {
    const last = pieces.at(-1)
    if (last && last.mark === owner) last.text += text.charAt(index)
    else pieces.push({ text: text.charAt(index), ...(owner && { mark: owner }) })
  }
  return pieces
}
