// Pages, newest first, of what is partitioned by id: a page looks at what is recent, and at all that is older only
// where that does not fill it. So it touches one or two partitions, however many there are.

const recentMs = 24 * 60 * 60 * 1_000

/** How far back a page looks at first: from the time at which it begins, or that it is asked for until. */
export const recentBefore = (begin: Date, until = begin): Date =>
  new Date(Math.max(0, Math.min(begin.getTime(), until.getTime()) - recentMs))

/** The ids that are looked at: from `from` on, and below `below`. */
export interface IdSpan {
  readonly from: string | undefined
  readonly below: string | undefined
}

/** Each row lies in one of the two spans, so the parts make one page. `read` is told what the first of them found. */
export async function recentFirst<T>(
  { below, recentFrom, rows }: { below: string | undefined; recentFrom: string; rows: number },
  read: (span: IdSpan, rows: number, found: readonly T[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const recent = await read({ from: recentFrom, below }, rows, [])
  if (recent.length >= rows) return recent
  return [...recent, ...(await read({ from: undefined, below: recentFrom }, rows - recent.length, recent))]
}
