// Search without an index, for lists that are written too often or read too seldom to pay for one: rows are read from the newest on, up to a bound.
import { matches, wordsOf } from '../store/words.js'
import type { PartOf } from './list.js'

const chunkRows = 1_000
/** A page looks at no more rows than this; then it ends, and its cursor goes on from there. */
export const scannedRowsMax = 5_000

/** The rows that hold every word of `q` in their `valuesOf`. `read` gives rows below an id, newest first. */
export async function scan<T extends { readonly id: string }>(
  q: string,
  valuesOf: (row: T) => readonly string[],
  read: (below: string | undefined, rows: number) => Promise<readonly T[]>,
  below: string | undefined,
  wanted: number,
): Promise<PartOf<T>> {
  const asked = wordsOf(q)
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

export const scanNote = `With \`q\` a page looks at ${scannedRowsMax} rows at most, so it may be short or empty while \`nextCursor\` is not null: go on with it.`
