// Which kind of work a call is about: the one whose words the caller uses most.
import type { CanonicalKind } from '@parley/contract'
import type { WorkType } from '../understanding.js'
import type { Line } from './lines.js'
import { findTerm, stemsOfTerm } from './words.js'

/** Null when nothing tells; the only kind that an organization does needs no telling. */
export function chooseKind(lines: readonly Line[], workTypes: readonly WorkType[]): CanonicalKind | null {
  if (workTypes.length === 1) return workTypes[0]?.canonicalKind ?? null
  const heard = lines.filter(({ isOurs }) => !isOurs)
  const [best, second] = workTypes
    .map((type) => ({ kind: type.canonicalKind, count: timesNamed(heard, type) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
  if (best === undefined || best.count === second?.count) return null
  return best.kind
}

function timesNamed(lines: readonly Line[], { label, hints, canonicalKind }: WorkType): number {
  // A label that nobody has changed is a word such as "case", which means too much.
  const isOwn = label.toLowerCase() !== canonicalKind.replaceAll('_', ' ')
  const terms = [...(isOwn ? [label] : []), ...hints].map(stemsOfTerm)
  const sentences = lines.flatMap(({ sentences: all }) => all)
  return terms.reduce(
    (sum, term) =>
      sum + sentences.filter(({ words, stems }) => stems.has(term[0] ?? '') && findTerm(words, term)).length,
    0,
  )
}
