// `parley import`: sends the rows of a file, several at once. What a row is called in another system, or else a key
// made from its file and content, sees to it that no interruption makes a record twice.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Parley } from '../client.js'
import { ApiError, BadRequestError, ConflictError, PayloadTooLargeError, UnprocessableError } from '../errors.js'
import type { SchemaEntity } from '../generated/shapes.js'
import { statePath } from './config-file.js'
import { CliError, UsageError } from './failure.js'
import { beginning, createProgress, type Progress, readMark } from './import-progress.js'
import { type Body, type Row, readRows } from './import-rows.js'
import { progressLine } from './progress-line.js'
import { patientClient, type Session } from './session.js'

export interface ImportOptions {
  entity: string
  skip: string[]
  externalId?: string
  system: string
  concurrency: string
  restart?: boolean
}

export async function importFile(session: Session, file: string, options: ImportOptions): Promise<void> {
  const { terminal, env, signal } = session
  const concurrency = Number(options.concurrency)
  if (!(concurrency >= 1 && concurrency <= 32))
    throw new UsageError(`--concurrency ${options.concurrency} is not between 1 and 32.`)
  const { digest, lines } = await surveyOf(file)
  const parley = await session.client()
  const { entities, organization } = await parley.schema({ signal })
  const entity = requireWritable(entities, options.entity)
  const run = createHash('sha256')
    .update(
      JSON.stringify([
        (await session.account()).baseUrl,
        organization.id,
        organization.environment,
        entity.slug,
        digest,
        ...optionsOf(options),
      ]),
    )
    .digest('hex')
  const errorFile = `${file}.errors.ndjson`
  const path = statePath(env, `import-${run.slice(0, 16)}.json`)
  const mark = options.restart ? beginning : await readMark(path)
  if (mark.isFinished) {
    return session.print(
      { ...summaryOf(mark, errorFile), alreadyImported: true },
      () => `This file was imported already: ${mark.done} rows. --restart sends it again.`,
    )
  }
  if (mark.done > 0) terminal.note(`Going on after row ${mark.done}.`)
  const progress = await createProgress(path, errorFile, mark)
  const rows = readRows(file, entity, options)
  const send = sender(await patientClient(session), { slug: entity.slug, digest, signal })
  await sendAll(session, rows, { send, progress, concurrency, file, lines })
  const summary = summaryOf(progress.mark, errorFile)
  terminal.progress('')
  session.print(
    summary,
    () =>
      `${summary.imported} rows imported into ${entity.slug}${summary.failed ? `, ${summary.failed} refused` : ''}.`,
  )
  if (summary.failed > 0)
    throw new CliError(
      `${summary.failed} rows were refused.`,
      `${errorFile} says why, row by row; mend them and import them as a file of their own.`,
    )
}

const summaryOf = ({ done, failed }: { done: number; failed: number }, errorFile: string) => ({
  imported: done - failed,
  failed,
  ...(failed > 0 && { errorFile }),
})

/** What changes the records that come of a file: with other options the same file is another run. */
const optionsOf = ({ externalId, system, skip }: ImportOptions) => [externalId ?? null, system, [...skip].sort()]

function requireWritable(entities: readonly SchemaEntity[], slug: string): SchemaEntity {
  const writable = entities.filter(({ methods }) => methods.includes('POST'))
  const entity = writable.find((one) => one.slug === slug)
  if (entity === undefined)
    throw new UsageError(
      `Rows cannot be imported into ${slug}.`,
      `Choose one of: ${writable.map((one) => one.slug).join(', ')}.`,
    )
  return entity
}

/** What the file is, and how many rows it has at most. */
async function surveyOf(file: string): Promise<{ digest: string; lines: number }> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new CliError(`${file} is no file.`, 'Name an .ndjson or .csv file.')
  if (!/\.(csv|ndjson|jsonl)$/i.test(file))
    throw new UsageError(`${file} is neither .ndjson nor .csv.`, 'Rename it after what it holds.')
  const hash = createHash('sha256')
  let lines = 1
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(piece)
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines += 1
  }
  return { digest: hash.digest('hex'), lines }
}

type SendRow = (body: Body, twin: number) => Promise<object | undefined>

interface Sender {
  readonly slug: string
  /** Of the whole file. */
  readonly digest: string
  readonly signal: AbortSignal
}

/** Creates or updates a record; what comes back is why it was refused. */
function sender(parley: Parley, { slug, digest, signal }: Sender): SendRow {
  const records = parley.entity(slug)
  return async (body, twin) => {
    try {
      await records.create(body, {
        idempotencyKey: hasReference(body) ? undefined : keyOf([digest, slug, body, twin]),
        signal,
      })
      return undefined
    } catch (error) {
      const isRefused =
        error instanceof BadRequestError ||
        error instanceof ConflictError ||
        error instanceof UnprocessableError ||
        error instanceof PayloadTooLargeError
      if (!isRefused) throw error
      const { code, message, details } = error as ApiError
      return { code, message, ...(details !== undefined && { details }) }
    }
  }
}

/**
 * The service finds the record by its reference, so that it needs no key; one would only bring back what it answered to
 * the same row before.
 */
const hasReference = ({ externalRefs }: Body): boolean => Array.isArray(externalRefs) && externalRefs.length > 0

/** Rows of the same content are told apart by their order, and from those of another file by its digest. */
const keyOf = (parts: readonly unknown[]): string =>
  `import-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`

interface Sending {
  readonly send: SendRow
  readonly progress: Progress
  readonly concurrency: number
  readonly file: string
  readonly lines: number
}

async function sendAll(
  session: Session,
  rows: AsyncIterable<Row>,
  { send, progress, concurrency, file, lines }: Sending,
): Promise<void> {
  const start = progress.mark.done
  const places = placed(rows)
  const tell = teller(session, file, lines, start)
  let failure: unknown
  const takeRows = async () => {
    for (;;) {
      if (failure !== undefined || session.signal.aborted) return
      const { value } = await places.next()
      if (!value) return
      const { row, index, twin } = value
      if (index < start) continue
      const error = 'problem' in row ? { message: row.problem } : await send(row.body, twin)
      await progress.settle(index, error && { line: row.line, row: row.source, error })
      tell(index + 1)
    }
  }
  const worker = () =>
    takeRows().catch((error: unknown) => {
      failure ??= error
    })
  await Promise.all(Array.from({ length: concurrency }, worker))
  const isStopped = failure !== undefined || session.signal.aborted
  await progress.save(!isStopped)
  if (!isStopped) return
  session.terminal.progress('')
  session.terminal.note(`Stopped after ${progress.mark.done} rows. Run the same command again to go on.`)
  throw failure ?? session.signal.reason
}

interface Place {
  readonly row: Row
  readonly index: number
  /** How many rows of the same content came before. */
  readonly twin: number
}

/** Rows with their places in the file. A short digest of each content is remembered. */
async function* placed(rows: AsyncIterable<Row>): AsyncGenerator<Place, undefined, undefined> {
  const twins = new Map<string, number>()
  let index = 0
  for await (const row of rows) {
    const digest =
      'body' in row ? createHash('sha256').update(JSON.stringify(row.body)).digest('base64').slice(0, 22) : ''
    const twin = twins.get(digest) ?? 0
    twins.set(digest, twin + 1)
    yield { row, index, twin }
    index += 1
  }
  return undefined
}

/** At a terminal a bar that is written over; in a pipe a line every thousand rows. */
function teller({ terminal }: Session, file: string, lines: number, start: number): (rows: number) => void {
  const startedAt = Date.now()
  let shownAt = 0
  return (rows) => {
    if (!terminal.isInteractive && rows % 1_000 === 0) terminal.note(`${rows} rows of ${file}`)
    if (Date.now() - shownAt < 100) return
    shownAt = Date.now()
    const elapsedMs = shownAt - startedAt
    terminal.progress(progressLine({ done: rows, total: lines, start, elapsedMs, unit: 'rows' }))
  }
}
