// Works on imports: claims one under a lease, checks its whole file before anything is written, then writes it chunk by
// chunk. Who dies leaves a lease that lapses, and the next goes on after the last row that was committed.
import { randomUUID } from 'node:crypto'
import { limits } from '@parley/contract'
import { toError } from '../../database/error-code.js'
import { isConnectionLoss } from '../../database/pool.js'
import { createQueueWorker, type QueueWorker } from '../../queue/queue-worker.js'
import type { BatchTarget } from '../generic/batch.js'
import { systemCaller } from '../generic/system-caller.js'
import { type FileRow, UnreadableFile } from './csv-rows.js'
import { type ChunkParts, type Importing, NotHeld, type ReadRow, writeChunk } from './import-chunk.js'
import {
  claimImport,
  findDueImport,
  finishImport,
  releaseImport,
  renewLease,
  requireImport,
  type StoredImport,
  saveRows,
} from './import-jobs.js'
import { csvMapper, ndjsonMapper, type RowMapper } from './map-rows.js'
import { readFileRows } from './read-file.js'
import { sweepImports } from './sweep-imports.js'

export interface ImportWorkerParts extends Omit<ChunkParts, 'errorsMax'> {
  readonly onTrouble: (error: Error) => void
  readonly unpackedBytes: number
  /** How the rows of an entity are written, by how they are matched. */
  readonly targetOf: (slug: string, matchBy: string) => BatchTarget | undefined
}

/** Rows of one commit: enough that what a commit costs by itself is little, few enough that it is soon done. */
const CHUNK = 250
/** Long rows make shorter chunks: the events of one commit have room for so much. */
const CHUNK_CHARACTERS = 1_048_576
const ATTEMPTS = 8
const PAUSE_MS = 2_000
const ERROR_LENGTH = 2_000

export function createImportWorker(parts: ImportWorkerParts): QueueWorker {
  let isStopped = false
  const worker = createQueueWorker<StoredImport>({
    database: parts.database,
    findDue: () => findDueImport,
    slots: 1,
    onTrouble: parts.onTrouble,
    work: (held) => work(parts, held, () => isStopped),
    async claim() {
      await sweepImports(parts)
      const held = await claimImport(parts.database, randomUUID(), parts.leaseMs)
      return { items: held ? [held] : [], hasMore: held !== undefined }
    },
  })
  return {
    ...worker,
    start() {
      isStopped = false
      worker.start()
    },
    async stop() {
      isStopped = true
      await worker.stop()
    },
  }
}

async function work(parts: ImportWorkerParts, held: StoredImport, isStopped: () => boolean): Promise<void> {
  const { database, clock, onTrouble } = parts
  try {
    const isDone = await importAll(parts, held, isStopped)
    if (isDone) await finishImport(database, held, 'completed', null, clock())
    else await releaseImport(database, held, 0)
  } catch (error) {
    if (error instanceof NotHeld || isConnectionLoss(error)) return
    if (error instanceof UnreadableFile) return finishImport(database, held, 'failed', error.message, clock())
    onTrouble(toError(error))
    if (held.attempts < ATTEMPTS) return releaseImport(database, held, PAUSE_MS)
    const told = `It failed ${ATTEMPTS} times, last with: ${toError(error).message}`
    await finishImport(database, held, 'failed', told.slice(0, ERROR_LENGTH), clock())
  }
}

/** False when it was told to stop before the end. */
async function importAll(parts: ImportWorkerParts, held: StoredImport, isStopped: () => boolean): Promise<boolean> {
  const importing = await importingOf(parts, held)
  if (held.job.rows === null) await check(parts, importing)
  const { job } = await requireImport({ database: parts.database, tenantId: held.tenantId }, held.job.id)
  let done = 0
  let chunk: ReadRow[] = []
  let characters = 0
  const chunkParts = { ...parts, errorsMax: limits.importErrors }
  let latest: Promise<void> = Promise.resolve()
  const write = async () => {
    const earlier = latest
    latest = writeChunk(chunkParts, importing, chunk, done - chunk.length, earlier)
    // Whoever waits for it hears of its failure.
    latest.catch(() => undefined)
    chunk = []
    characters = 0
    await earlier
  }
  for await (const read of mappedRows(parts, importing)) {
    done += 1
    if (done <= job.done) continue
    chunk.push(read)
    characters += lengthOf(read)
    if (chunk.length < CHUNK && characters < CHUNK_CHARACTERS) continue
    await write()
    if (isStopped()) break
  }
  if (chunk.length > 0) await write()
  await latest
  return done === (job.rows ?? done)
}

const lengthOf = ({ row }: ReadRow): number => row.cells.reduce((sum, cell) => sum + cell.length, 0)

async function importingOf({ database, targetOf }: ImportWorkerParts, held: StoredImport): Promise<Importing> {
  const { tenantId, job, actor } = held
  const caller = await systemCaller(database, tenantId)
  const target = targetOf(job.entity, job.matchBy)
  if (caller === undefined || target === undefined) throw new UnreadableFile(`Nothing is imported into ${job.entity}`)
  const defaultCountry = job.defaultCountry ?? caller.settings.defaultCountry
  return { held, target, caller: { ...caller, actor, settings: { ...caller.settings, defaultCountry } } }
}

/** Reads the file to its end, so that one that cannot be read is refused before anything is written. */
async function check(parts: ImportWorkerParts, importing: Importing): Promise<void> {
  const { held } = importing
  let renewedAt = Date.now()
  let rows = 0
  let columns: readonly string[] = ['row']
  const onHead = (head: FileRow) => {
    columns = head.cells
  }
  for await (const _ of mappedRows(parts, importing, onHead)) {
    rows += 1
    if (rows % 1_000 !== 0 || Date.now() - renewedAt < parts.leaseMs / 4) continue
    if (!(await renewLease(parts.database, held, parts.leaseMs))) throw new NotHeld()
    renewedAt = Date.now()
  }
  await saveRows(parts.database, held, rows, columns)
}

async function* mappedRows(
  { database, services, unpackedBytes }: ImportWorkerParts,
  { held, target }: Importing,
  onHead: (head: FileRow) => void = () => {},
): AsyncGenerator<ReadRow> {
  let map: RowMapper | undefined = held.job.format === 'csv' ? undefined : ndjsonMapper(held.job)
  for await (const row of readFileRows({ database, blobs: services.blobs, unpackedBytes }, held)) {
    if (map) yield { row, mapped: map(row) }
    else {
      map = csvMapper(target.entity, held.job, row)
      onHead(row)
    }
  }
  if (map === undefined) throw new UnreadableFile('The file is empty; its first line names the columns')
}
