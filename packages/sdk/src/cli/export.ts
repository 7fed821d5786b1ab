// `parley export`: every record of an entity to a file or to standard output, as NDJSON or CSV.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { SchemaEntity } from '../generated/shapes.js'
import type { AnyRecord } from '../resources/verbs.js'
import { csvLine } from './csv-line.js'
import { CliError, UsageError } from './failure.js'
import { progressLine } from './progress-line.js'
import { filtersOf } from './record-commands.js'
import { patientClient, type Session } from './session.js'

export interface ExportOptions {
  readonly out?: string
  readonly filter: string[]
  readonly query?: string
  readonly format?: string
  readonly quoteFormulas?: boolean
}

export async function exportRecords(session: Session, slug: string, options: ExportOptions): Promise<void> {
  const { terminal, signal } = session
  const { out } = options
  const format = formatOf(options)
  const asked = { ...filtersOf(options.filter), ...(options.query && { q: options.query }) }
  // A service that is away from the beginning is not waited for.
  const entity = (await (await session.client()).schema({ signal })).entities.find((one) => one.slug === slug)
  if (entity === undefined) throw new UsageError(`There is no entity ${slug}.`, '`parley schema` lists them.')
  const verbs = (await patientClient(session)).entity(slug)
  // With the rows on the screen there is no room for how far they have come.
  const total =
    out && terminal.isInteractive ? await countOf(verbs.list({ ...asked, limit: 1, count: true })) : undefined
  const startedAt = Date.now()
  let count = 0
  async function* counted(): AsyncGenerator<AnyRecord> {
    for await (const record of verbs.list({ ...asked, limit: 100 }, { signal })) {
      count += 1
      if (out && count % 100 === 0)
        terminal.progress(progressLine({ done: count, total, elapsedMs: Date.now() - startedAt, unit: 'records' }))
      yield record
    }
  }
  const lines = Readable.from(
    format === 'csv' ? csvLines(counted(), entity, options.quoteFormulas === true) : jsonLines(counted()),
  )
  if (out === undefined) await pipeline(lines, process.stdout, { end: false })
  else
    await pipeline(lines, createWriteStream(out, { mode: 0o600 })).catch((error) => Promise.reject(writing(out, error)))
  terminal.progress('')
  if (out !== undefined && session.isJson) return terminal.out(JSON.stringify({ exported: count, file: out }))
  terminal.note(`${count} records exported${out ? ` to ${out}` : ''}.`)
}

/** What is said, else what the name of the file says. */
function formatOf({ format, out, quoteFormulas }: ExportOptions): 'ndjson' | 'csv' {
  const wanted = format ?? (out?.endsWith('.csv') ? 'csv' : 'ndjson')
  if (wanted !== 'csv' && wanted !== 'ndjson')
    throw new UsageError(`--format ${wanted} is neither ndjson nor csv.`, 'For example: --format csv')
  if (quoteFormulas && wanted !== 'csv')
    throw new UsageError('--quote-formulas is for CSV.', 'Give --format csv with it.')
  return wanted
}

async function countOf(page: PromiseLike<{ count: number | undefined; countIsExact: boolean | undefined }>) {
  const { count, countIsExact } = await page
  return countIsExact ? count : undefined
}

const writing = (out: string, error: NodeJS.ErrnoException): Error =>
  error.path === undefined
    ? error
    : new CliError(`${out} cannot be written: ${error.message}`, 'Name another file with --out.')

async function* jsonLines(records: AsyncIterable<AnyRecord>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`
}

/** Every field in the order of the records; what is no scalar is JSON, in a column `name:json`, as the import reads it. */
async function* csvLines(
  records: AsyncIterable<AnyRecord>,
  { scalarFields }: SchemaEntity,
  quotesFormulas: boolean,
): AsyncGenerator<string> {
  const scalars = new Set(scalarFields.map(({ name }) => name))
  const heading = (names: readonly string[]) =>
    csvLine(names.map((name) => (scalars.has(name) ? name : `${name}:json`)))
  let names: string[] | undefined
  for await (const record of records) {
    // Records of one entity have the same fields.
    if (names === undefined) yield heading((names = Object.keys(record)))
    yield csvLine(
      names.map((name) => cellOf(record[name], !scalars.has(name))),
      quotesFormulas,
    )
  }
  if (names === undefined) yield heading([...scalars])
}

function cellOf(value: unknown, isJson: boolean): string {
  if (value === null || value === undefined) return ''
  return isJson || typeof value === 'object' ? JSON.stringify(value) : String(value)
}
