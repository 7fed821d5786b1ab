// `parley import --background`: hands the whole file to the service, which writes it by itself; here it is only sent,
// part by part, and watched. The same command goes on with an interrupted one.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Parley } from '../client.js'
import { ConflictError } from '../errors.js'
import type { Import, ImportRequest } from '../generated/shapes.js'
import { pause } from '../retry.js'
import { readJsonFile, statePath, writePrivate } from './config-file.js'
import { CliError, UsageError } from './failure.js'
import { patientClient, type Session } from './session.js'

export interface ImportJobOptions {
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
const LOOK_MS = 500

export async function importInBackground(session: Session, file: string, options: ImportJobOptions): Promise<void> {
  const request = requestOf(file, options)
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new CliError(`${file} is no file.`, 'Name an .ndjson or .csv file.')
  // A service that is away from the beginning is not waited for.
  const { organization } = await (await session.client()).schema({ signal: session.signal })
  const parley = await patientClient(session)
  const { baseUrl } = await session.account()
  const run = await digestOf(file, [baseUrl, organization.id, organization.environment, request])
  const path = statePath(session.env, `import-job-${run.slice(0, 16)}.json`)
  const begun = (options.restart ? undefined : await knownImport(parley, path)) ?? (await begin(parley, path, request))
  const sent = await sendFile(session, parley, begun, file, found.size)
  const ended = await follow(session, parley, sent.id)
  await report(session, parley, ended, file)
}

function requestOf(file: string, options: ImportJobOptions): ImportRequest {
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

async function digestOf(file: string, about: readonly unknown[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(about))
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) hash.update(piece)
  return hash.digest('hex')
}

/** The import that an earlier run of the same command began. One that was canceled is begun again. */
async function knownImport(parley: Parley, path: string): Promise<Import | undefined> {
  const { id } = { ...((await readJsonFile(path)) as { id?: string } | undefined) }
  const known = id === undefined ? undefined : await parley.imports.get(id).catch(() => undefined)
  return known?.status === 'canceled' || known?.status === 'failed' ? undefined : known
}

async function begin(parley: Parley, path: string, request: ImportRequest): Promise<Import> {
  const made = await parley.imports.create(request)
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
          if (error instanceof ConflictError) return parley.imports.get(begun.id)
          throw error
        })
    }
  } finally {
    await source.close()
  }
  return job
}

async function follow(session: Session, parley: Parley, id: string): Promise<Import> {
  const startedAt = Date.now()
  for (;;) {
    const job = await parley.imports.get(id)
    if (job.status !== 'queued' && job.status !== 'running') return job
    session.terminal.progress(progressOf(job, Date.now() - startedAt))
    await pause(LOOK_MS, session.signal).catch((error: unknown) => {
      session.terminal.progress('')
      session.terminal.note(`The service goes on with import ${id}. Run the same command to watch it again.`)
      throw error
    })
  }
}

function progressOf({ rows, done }: Import, elapsedMs: number): string {
  if (rows === null || rows === undefined) return 'Checking the file …'
  const part = rows === 0 ? 1 : done / rows
  const bar = '█'.repeat(Math.round(part * 20)).padEnd(20, '░')
  const left = part > 0 ? Math.ceil((elapsedMs * (1 - part)) / part / 1_000) : undefined
  return `${bar} ${Math.floor(part * 100)} %  ${done} of ${rows} rows${left === undefined ? '' : `, ${left} s left`}`
}

async function report(session: Session, parley: Parley, job: Import, file: string): Promise<void> {
  session.terminal.progress('')
  const errorFile = `${file}.errors.csv`
  const { created, updated, skipped, failed, status, id } = job
  if (failed > 0) await keepErrors(parley, id, errorFile)
  session.print(
    { id, status, created, updated, skipped, failed, ...(failed > 0 && { errorFile }) },
    () => `${created} created, ${updated} updated, ${skipped} blank, ${failed} refused in ${job.entity}.`,
  )
  if (status !== 'completed') throw new CliError(`The import ${status}.`, job.error ?? 'Run the command again.')
  if (failed > 0) throw new CliError(`${failed} rows were refused.`, `${errorFile} says why; mend and import it.`)
}

async function keepErrors(parley: Parley, id: string, errorFile: string): Promise<void> {
  const { body } = await parley.imports.errors(id)
  if (body) await pipeline(Readable.fromWeb(body as never), createWriteStream(errorFile, { mode: 0o600 }))
}
