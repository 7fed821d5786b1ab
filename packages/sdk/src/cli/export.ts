// `parley export`: every record of an entity as of one moment, to a file or to standard output, as NDJSON or CSV. The
// service makes the stream; here it is written down and counted.
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AnyVerbs } from '../resources/verbs.js'
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

/** How often an export that broke off is begun again; what is on the screen cannot be taken back. */
const ATTEMPTS = 3

export async function exportRecords(session: Session, slug: string, options: ExportOptions): Promise<void> {
  const { terminal, signal } = session
  const { out, quoteFormulas } = options
  const format = formatOf(options)
  const asked = { ...filtersOf(options.filter), ...(options.query && { q: options.query }) }
  // A service that is away from the beginning is not waited for.
  const { entities } = await (await session.client()).schema({ signal })
  if (!entities.some((one) => one.slug === slug))
    throw new UsageError(`There is no entity ${slug}.`, '`parley schema` lists them.')
  const verbs = (await patientClient(session)).entity(slug)
  const query = { ...asked, format, ...(quoteFormulas && { quoteFormulas }) }
  const wanted: Wanted = {
    format,
    streamOf: async () => (await verbs.export(query, { signal })).body,
    total: out && terminal.isInteractive ? await countOf(verbs, asked) : undefined,
  }
  const count = out ? await toFile(session, out, wanted) : await write(session, wanted, process.stdout)
  const records = format === 'csv' ? count - 1 : count
  terminal.progress('')
  if (out !== undefined && session.isJson) return terminal.out(JSON.stringify({ exported: records, file: out }))
  terminal.note(`${records} records exported${out ? ` to ${out}` : ''}.`)
}

type Format = 'ndjson' | 'csv'

interface Wanted {
  readonly format: Format
  readonly streamOf: () => Promise<Response['body']>
  /** How many records there are about; undefined where nobody asks. */
  readonly total: number | undefined
}

/** The file has its name once it is whole. */
async function toFile(session: Session, out: string, wanted: Wanted): Promise<number> {
  const part = `${out}.part`
  try {
    for (let attempt = 1; ; attempt += 1) {
      const file = createWriteStream(part, { mode: 0o600 })
      try {
        const count = await write(session, wanted, file)
        await rename(part, out)
        return count
      } catch (error) {
        if (!(error instanceof BrokenOff) || attempt === ATTEMPTS || session.signal.aborted) throw error
        session.terminal.note('The export broke off; it begins again.')
      }
    }
  } catch (error) {
    await rm(part, { force: true })
    throw writing(out, error as NodeJS.ErrnoException)
  }
}

class BrokenOff extends CliError {}

/** How many lines there were. */
async function write(
  { terminal, signal }: Session,
  { format, streamOf, total }: Wanted,
  target: NodeJS.WritableStream,
): Promise<number> {
  const body = await streamOf()
  const lines = lineCounter(format)
  const startedAt = Date.now()
  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of Readable.fromWeb(body as never) as AsyncIterable<Buffer>) {
        lines.add(chunk)
        if (target !== process.stdout)
          terminal.progress(
            progressLine({ done: lines.count(), total, elapsedMs: Date.now() - startedAt, unit: 'records' }),
          )
        yield chunk
      }
    } catch (error) {
      if (signal.aborted) throw error
      throw new BrokenOff('The export broke off before its end.', 'What there is of it is not complete. Run it again.')
    }
  }
  await pipeline(counted(), target, { end: target !== process.stdout, signal })
  return lines.count()
}

/** Line ends, but for those within quoted cells of CSV; JSON has none within a record. */
function lineCounter(format: Format) {
  let count = 0
  let isQuoted = false
  return {
    count: () => count,
    add(chunk: Buffer): void {
      for (const byte of chunk) {
        if (byte === QUOTE) isQuoted = format === 'csv' && !isQuoted
        else if (byte === LINE_END && !isQuoted) count += 1
      }
    },
  }
}

const QUOTE = 0x22
const LINE_END = 0x0a

/** What is said, else what the name of the file says. */
function formatOf({ format, out, quoteFormulas }: ExportOptions): Format {
  const wanted = format ?? (out?.endsWith('.csv') ? 'csv' : 'ndjson')
  if (wanted !== 'csv' && wanted !== 'ndjson')
    throw new UsageError(`--format ${wanted} is neither ndjson nor csv.`, 'For example: --format csv')
  if (quoteFormulas && wanted !== 'csv')
    throw new UsageError('--quote-formulas is for CSV.', 'Give --format csv with it.')
  return wanted
}

async function countOf(verbs: AnyVerbs, asked: Record<string, unknown>): Promise<number | undefined> {
  const { count, countIsExact } = await verbs.list({ ...asked, limit: 1, count: true })
  return countIsExact ? count : undefined
}

const writing = (out: string, error: NodeJS.ErrnoException): Error =>
  error.path === undefined
    ? error
    : new CliError(`${out} cannot be written: ${error.message}`, 'Name another file with --out.')
