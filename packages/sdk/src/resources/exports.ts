// Whole lists as files.
import type { PageQuery } from '../generated/records.js'
import { path, type RequestOptions, type Send } from '../transport.js'

export type ExportQuery<Query> = Omit<Query, keyof PageQuery | 'sort'> & {
  /** Words that the records must hold. */
  q?: string | undefined
  /** `ndjson` unless said otherwise. */
  format?: 'ndjson' | 'csv'
  /** Puts a `'` before cells of CSV that a spreadsheet would run as a formula. */
  quoteFormulas?: boolean
}

export interface Exports<Query> {
  /** Every record that the filters leave, as of one moment. Read the body as it comes; it may be large. */
  export(query?: ExportQuery<Query>, options?: RequestOptions): Promise<Response>
}

export const exporting = <Query>(send: Send, slug: string): Exports<Query> => ({
  export: (query = {} as ExportQuery<Query>, options) =>
    send({ method: 'GET', path: path`/${slug}/export`, query, isStream: true, options }),
})
