// Where backups are kept: a folder or a bucket holds any number of them, each under its name. What is written counts as
// a backup once its manifest is there, which is written last.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'

export type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>

/** A file of a backup, as the manifest describes it. */
export interface FilePart {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** A backup that can be read. */
export interface StoredBackup {
  /** Where it is, for messages. */
  readonly address: string
  /** Undefined when there is no such file. */
  read(path: string): Promise<Readable | undefined>
}

/** A backup that is being written. */
export interface BackupDraft extends StoredBackup {
  /** The file is on the disk, or in the bucket, when this comes back. */
  write(path: string, source: Chunks): Promise<void>
  /** From here on it is a backup. */
  finish(manifest: string): Promise<void>
  discard(): Promise<void>
}

export interface BackupPlace {
  readonly address: string
  /** Also removes what a crash has left there long ago. */
  begin(name: string, now: Date): Promise<BackupDraft>
  /** The names of complete backups, oldest first. */
  names(): Promise<string[]>
  open(name: string): StoredBackup
  remove(name: string): Promise<void>
  close(): void
}

export const MANIFEST = 'manifest.json'

/** Names sort by time. */
export const backupName = (now: Date): string => `parley-${now.toISOString().replace(/[-:]/g, '').replace('.', '')}`
const namePattern = /^parley-\d{8}T\d{9}Z$/
export const isBackupName = (name: string): boolean => namePattern.test(name)

/** How the name of one ends that is being written, or removed. */
export const UNFINISHED = '.unfinished'
/** Longer than anybody writes at a backup. */
const WRITING_MS = 48 * 60 * 60 * 1_000

/** Whether what was begun under this name will never be finished. */
export const isStale = (name: string, now: Date): boolean =>
  name.endsWith(UNFINISHED) && name < backupName(new Date(now.getTime() - WRITING_MS))

/** Passes bytes on, and knows their number and checksum in the end. */
export function measured(source: Chunks): { readonly chunks: AsyncIterable<Buffer>; sum(): Omit<FilePart, 'path'> } {
  const hash = createHash('sha256')
  let bytes = 0
  async function* pass() {
    for await (const chunk of source) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  return { chunks: pass(), sum: () => ({ bytes, sha256: hash.digest('hex') }) }
}

/** Writes a file and says what the manifest tells of it. */
export async function writePart(draft: BackupDraft, path: string, source: Chunks): Promise<FilePart> {
  const { chunks, sum } = measured(source)
  await draft.write(path, chunks)
  return { path, ...sum() }
}
