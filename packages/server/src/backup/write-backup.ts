// Writes a backup beside running servers: every table as of one moment, the recordings that it names, and a manifest
// with the checksums of all of it. It is read back before it counts.
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { holdingBlobs } from '../database/backup-lock.js'
import type { Database, Row } from '../database/pool.js'
import { compile, type Sql } from '../database/sql.js'
import { nextTransactionOf } from '../database/transaction-ids.js'
import { namedBlobs } from '../recordings/named-blobs.js'
import type { Blobs } from '../store/blobs.js'
import type { Sealer } from '../store/secret-box.js'
import { type BackupDraft, type BackupPlace, backupName, type FilePart, writePart } from './backup-place.js'
import { beginSnapshot, listed, quoted, readPartitions, readSequences, type Table } from './catalog.js'
import { checkFiles } from './check-backup.js'
import {
  fingerprintOf,
  type Manifest,
  newManifest,
  printManifest,
  type RecordingPart,
  type TablePart,
} from './manifest.js'

export interface BackupParts {
  readonly database: Database
  readonly blobs: Blobs
  readonly sealer: Sealer
  readonly place: BackupPlace
  readonly version: string
  readonly now: Date
  /** What else belongs to it: the files of the embedded cluster, where the write-ahead log is kept. */
  readonly writeBase?: (draft: BackupDraft) => Promise<Manifest['base']>
}

export interface WrittenBackup {
  readonly name: string
  readonly manifest: Manifest
  /** Blobs that rows name and that are not in the store. */
  readonly missing: readonly string[]
}

export async function writeBackup(parts: BackupParts): Promise<WrittenBackup> {
  const name = backupName(parts.now)
  const draft = await parts.place.begin(name, parts.now)
  try {
    const { missing, ...content } = await holdingBlobs(parts.database, () => writeSnapshot(parts, draft))
    const base = await parts.writeBase?.(draft)
    const manifest = newManifest({
      createdAt: parts.now.toISOString(),
      version: parts.version,
      secretFingerprint: fingerprintOf(parts.sealer),
      ...content,
      ...(base && { base }),
    })
    await checkFiles(draft, manifest)
    await draft.finish(printManifest(manifest))
    return { name, manifest, missing }
  } catch (error) {
    await draft.discard().catch(() => undefined)
    throw error
  }
}

type Snapshot = Pick<
  Manifest,
  'migrations' | 'tables' | 'partitions' | 'sequences' | 'nextTransaction' | 'recordings'
> & {
  readonly missing: readonly string[]
}

/** All of it is read in one transaction, which sees one moment and holds nobody up. */
async function writeSnapshot({ database, blobs }: BackupParts, draft: BackupDraft): Promise<Snapshot> {
  return database.withClient(async (client) => {
    const found = await beginSnapshot(client)
    const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
    const partitions = await readPartitions(client)
    const tables: TablePart[] = []
    for (const table of found) tables.push(await writeTable(client, draft, table))
    const sequences = await readSequences(client)
    const nextTransaction = await nextTransactionOf(client)
    const recordings = await writeRecordings(client, blobs, draft)
    await client.query('commit')
    return { migrations: rows.map(({ name }) => name), partitions, tables, sequences, nextTransaction, ...recordings }
  })
}

async function writeTable(client: pg.ClientBase, draft: BackupDraft, table: Table): Promise<TablePart> {
  const { name, columns } = table
  const rows = client.query(copyTo(`copy ${quoted(name)} (${listed(columns)}) to stdout`))
  const packed = createGzip({ level: 1 })
  rows.on('error', (error) => packed.destroy(error))
  const part = await writePart(draft, `tables/${name}.gz`, rows.pipe(packed))
  return { table: name, columns, rows: rows.rowCount, ...part }
}

/** The queries of others, asked in the transaction of the backup. */
const asSeenBy = (client: pg.ClientBase): Pick<Database, 'query'> => ({
  query: async <T extends Row>(statement: Sql) => (await client.query<T>(compile(statement))).rows,
})

/** What is named and not there is told, not fatal: a recording that was lost must not end all backups. */
async function writeRecordings(client: pg.ClientBase, blobs: Blobs, draft: BackupDraft) {
  const missing: string[] = []
  let count = 0
  let totalBytes = 0
  // A line is written when its recording is: there may be millions.
  async function* lines(): AsyncGenerator<Buffer> {
    for await (const { folder, name } of namedBlobs(asSeenBy(client))) {
      const path = `recordings/${folder}/${name}`
      const bytes = await blobs.open(folder, name)
      if (bytes === undefined) missing.push(path)
      else {
        const part: RecordingPart = { folder, name, ...(await writePart(draft, path, bytes)) }
        count++
        totalBytes += part.bytes
        yield Buffer.from(`${JSON.stringify(part)}\n`)
      }
    }
  }
  const list: FilePart = await writePart(draft, 'recordings.ndjson', lines())
  return { recordings: { ...list, count, totalBytes }, missing }
}
