// Search without an index, for lists that are written too often or read too seldom to pay for one: rows are read from
// the newest on, up to a bound.
import { matches, wordsOf } from '../../store/search-words.js'
import type { Counted, PartOf } from './list.js'

const chunkRows = 1_000
/** A page looks at no more rows than this; then it ends, and its cursor goes on from there. A count ends there too. */
export const scannedRowsMax = 5_000

interface Scan<T> {
  find(below: string | undefined, wanted: number): Promise<PartOf<T>>
  count(): Promise<Counted>
}

/** Finds the rows that hold every word of `q` in their `valuesOf`. `read` gives rows below an id, newest first. */
export function scan<T extends { readonly id: string }>(
  q: string,
  valuesOf: (row: T) => readonly string[],
  read: (below: string | undefined, rows: number) => Promise<readonly T[]>,
): Scan<T> {
  const asked = wordsOf(q)
  const find = async (below: string | undefined, wanted: number): Promise<PartOf<T>> => {
    const rows: T[] = []
    let readTo = below
    for (let seen = 0; asked.length > 0 && seen < scannedRowsMax; seen += chunkRows) {
      const chunk = await read(readTo, chunkRows)
      rows.push(...chunk.filter((row) => matches(asked, valuesOf(row))))
      if (rows.length >= wanted || chunk.length < chunkRows) return { rows, readTo: undefined }
      readTo = chunk.at(-1)?.id
    }
    return { rows, readTo: asked.length > 0 ? readTo : undefined }
  }
  const count = async (): Promise<Counted> => {
    const { rows, readTo } = await find(undefined, Number.POSITIVE_INFINITY)
    return { count: rows.length, isExact: readTo === undefined }
  }
  return { find, count }
}

export const scanNote =
  `With \`q\` a page looks at ${scannedRowsMax} rows at most, so it may be short or empty while \`nextCursor\` is ` +
  `not null: go on with it. \`count\` then counts among the newest ${scannedRowsMax} rows, and \`countIsExact\` ` +
  'tells whether there are no more.'
