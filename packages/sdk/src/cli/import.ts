// `parley import`: hands a file to the service, which writes its rows by itself; here it is only sent, part by part,
// and watched. The same command goes on with an interrupted one.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Parley } from '../client.js'
import { ConflictError, NotFoundError } from '../errors.js'
import type { Import, ImportRequest, SchemaEntity } from '../generated/shapes.js'
import { pause } from '../retry.js'
import { readJsonFile, statePath, writePrivate } from './config-file.js'
import { CliError, UsageError } from './failure.js'
import { progressLine } from './progress-line.js'
import { patientClient, type Session } from './session.js'

export interface ImportOptions {
  entity: string
  skip: string[]
  map: string[]
  externalId?: string
  system: string
  matchBy?: string
  country?: string
  dryRun?: boolean
  silent?: boolean
  restart?: boolean
}

const PART_BYTES = 8 * 1024 * 1024
const LOOK_MS = 250
/** In a pipe, how many rows there are between two lines. */
const ROWS_PER_NOTE = 1_000

export async function importFile(session: Session, file: string, options: ImportOptions): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new CliError(`${file} is no file.`, 'Name an .ndjson or .csv file.')
  const request = requestOf(file, options)
  // A service that is away from the beginning is not waited for.
  const { organization, entities } = await (await session.client()).schema({ signal: session.signal })
  requireImportable(entities, options.entity)
  if (found.size === 0)
    throw new CliError(`${file} is empty.`, 'Its first line names the columns, for example: displayName,primaryPhone')
  const parley = await patientClient(session)
  const { baseUrl } = await session.account()
  const run = await digestOf(file, [baseUrl, organization.id, organization.environment, request])
  const path = statePath(session.env, `import-job-${run.slice(0, 16)}.json`)
  const known = options.restart ? undefined : await knownImport(session, parley, path)
  if (known && isOver(known)) return tellOver(session, known)
  if (known && known.done > 0) session.terminal.note(`Going on after row ${known.done}.`)
  const sent = await sendFile(session, parley, known ?? (await begin(session, parley, path, request)), file, found.size)
  const ended = await follow(session, parley, sent, file)
  await report(session, parley, ended, file)
}

function requestOf(file: string, options: ImportOptions): ImportRequest {
  if (!/\.(csv|ndjson|jsonl)(\.gz)?$/i.test(file))
    throw new UsageError(`${file} is neither .ndjson nor .csv.`, 'Rename it after what it holds; .gz may follow.')
  const { entity, externalId, system, skip, map, matchBy, country, dryRun, silent } = options
  const named = map.map((pair): [string, string] => {
    const at = pair.indexOf('=')
    if (at < 1) throw new UsageError(`--map ${pair} is not column=field.`, 'For example --map Phone=primaryPhone')
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
  return {
    entity,
    format: /\.csv(\.gz)?$/i.test(file) ? 'csv' : 'ndjson',
    mapping: {
      ...Object.fromEntries(named),
      ...Object.fromEntries(skip.map((column) => [column, null])),
      ...(externalId !== undefined && { [externalId]: `externalRefs.${system}` }),
    },
    ...(matchBy !== undefined && { matchBy: matchBy as ImportRequest['matchBy'] }),
    ...(country !== undefined && { defaultCountry: country }),
    ...(dryRun && { dryRun }),
    ...(silent && { silent }),
  }
}

function requireImportable(entities: readonly SchemaEntity[], slug: string): void {
  const importable = entities.filter(({ batch }) => batch).map((one) => one.slug)
  if (!importable.includes(slug))
    throw new UsageError(`Rows cannot be imported into ${slug}.`, `Choose one of: ${importable.join(', ')}.`)
}

async function digestOf(file: string, about: readonly unknown[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(about))
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) hash.update(piece)
  return hash.digest('hex')
}

/** The import that an earlier run of the same command began, if any of it counts. */
async function knownImport({ signal }: Session, parley: Parley, path: string): Promise<Import | undefined> {
  const { id } = { ...((await readJsonFile(path)) as { id?: string } | undefined) }
  const known =
    id === undefined
      ? undefined
      : await parley.imports.get(id, { signal }).catch((error: unknown) => {
          if (error instanceof NotFoundError) return undefined
          throw error
        })
  return known && isOver(known) && (known.dryRun || known.done === 0) ? undefined : known
}

const isOver = ({ status }: Import): boolean => ['completed', 'failed', 'canceled'].includes(status)

/** Its rows are written: once more would make some of them twice. */
function tellOver(session: Session, job: Import): void {
  if (job.status !== 'completed')
    throw new CliError(
      `An import of this file ${job.status} after ${job.done} rows${job.error ? `: ${job.error}` : '.'}`,
      'Take those rows out of the file, or import it again from its beginning with --restart.',
    )
  session.print(
    { ...summaryOf(job), alreadyImported: true },
    () => `This file was imported already: ${job.done} rows. --restart imports it again.`,
  )
}

async function begin({ signal }: Session, parley: Parley, path: string, request: ImportRequest): Promise<Import> {
  const made = await parley.imports.create(request, { signal })
  await writePrivate(path, JSON.stringify({ id: made.id }))
  return made
}

async function sendFile(session: Session, parley: Parley, begun: Import, file: string, total: number): Promise<Import> {
  let job = begun
  const source = await open(file, 'r')
  try {
    while (job.status === 'awaiting_file') {
      session.signal.throwIfAborted()
      const start = job.receivedBytes
      const part = Buffer.alloc(Math.min(PART_BYTES, total - start))
      const { bytesRead: bytes } = await source.read(part, 0, part.length, start)
      session.terminal.progress(`Sending ${file}: ${Math.floor((100 * start) / total)} %`)
      job = await parley.imports
        .putFile(job.id, part, { range: { start, bytes, total }, signal: session.signal })
        .catch((error: unknown) => {
          // A part that arrived although its answer did not.
          if (error instanceof ConflictError) return parley.imports.get(begun.id, { signal: session.signal })
          throw error
        })
    }
  } finally {
    await source.close()
  }
  return job
}

/** Until it is over. Whoever stops watching does not stop the service. */
async function follow(session: Session, parley: Parley, sent: Import, file: string): Promise<Import> {
  const { terminal, signal } = session
  const tell = teller(session, file, sent.done)
  try {
    for (let job = sent; ; job = await parley.imports.get(sent.id, { signal })) {
      if (isOver(job)) return job
      tell(job)
      await pause(LOOK_MS, signal)
    }
  } catch (error) {
    terminal.progress('')
    terminal.note(`The service goes on with import ${sent.id}. Run the same command again to watch it.`)
    throw error
  }
}

/** At a terminal a bar that is written over; in a pipe a line every thousand rows. */
function teller({ terminal }: Session, file: string, start: number): (job: Import) => void {
  const startedAt = Date.now()
  let noted = start
  return ({ rows, done }) => {
    if (rows === null || rows === undefined) return terminal.progress(`Checking ${file} …`)
    if (!terminal.isInteractive && done - noted >= ROWS_PER_NOTE) {
      noted = done
      terminal.note(`${done} of ${rows} rows of ${file}`)
    }
    terminal.progress(progressLine({ done, total: rows, start, elapsedMs: Date.now() - startedAt, unit: 'rows' }))
  }
}

const summaryOf = ({ id, status, created, updated, skipped, failed }: Import) => ({
  id,
  status,
  imported: created + updated,
  created,
  updated,
  skipped,
  failed,
})

async function report(session: Session, parley: Parley, job: Import, file: string): Promise<void> {
  session.terminal.progress('')
  const errorFile = `${file}.errors.csv`
  const { entity, failed, status, id, dryRun } = job
  if (failed > 0) await keepErrors(parley, id, errorFile)
  const summary = { ...summaryOf(job), ...(failed > 0 && { errorFile }) }
  if (status === 'completed')
    session.print(
      summary,
      () =>
        `${summary.imported} rows ${dryRun ? 'would be ' : ''}imported into ${entity}: ${job.created} created, ` +
        `${job.updated} updated${failed > 0 ? `, ${failed} refused` : ''}.`,
    )
  else throw new CliError(`The import ${status}.`, job.error ?? 'Run the command again.')
  if (failed > 0)
    throw new CliError(
      `${failed} rows were refused.`,
      `${errorFile} says why, row by row; mend them and import them as a file of their own.`,
    )
}

async function keepErrors(parley: Parley, id: string, errorFile: string): Promise<void> {
  const { body } = await parley.imports.errors(id)
  if (body) await pipeline(Readable.fromWeb(body as never), createWriteStream(errorFile, { mode: 0o600 }))
}
