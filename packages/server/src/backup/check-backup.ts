// Reads a backup through, and finds whatever is not as it was written: after writing it, and before anything is
// restored from it.
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type FilePart, measured, type StoredBackup } from './backup-place.js'
import { damaged, type Manifest, type RecordingPart, type TablePart } from './manifest.js'

export async function checkFiles(backup: StoredBackup, manifest: Manifest): Promise<void> {
  for (const table of manifest.tables) await checkTable(backup, table)
  await checkFile(backup, manifest.recordings)
  let count = 0
  for await (const recording of recordingsOf(backup, manifest)) {
    await checkFile(backup, recording)
    count++
  }
  if (count !== manifest.recordings.count) throw damaged(backup, manifest.recordings.path)
  if (manifest.base) await checkFile(backup, manifest.base)
}

/** The recordings that the backup lists, a line at a time: there may be millions. */
export async function* recordingsOf(backup: StoredBackup, manifest: Manifest): AsyncGenerator<RecordingPart> {
  const input = await openFile(backup, manifest.recordings.path)
  for await (const line of createInterface({ input })) {
    const part: RecordingPart = JSON.parse(line)
    yield part
  }
}

export async function openFile(backup: StoredBackup, path: string): Promise<Readable> {
  const file = await backup.read(path)
  if (file === undefined) throw damaged(backup, path)
  return file
}

async function checkFile(backup: StoredBackup, part: FilePart): Promise<void> {
  const { chunks, sum } = measured(await openFile(backup, part.path))
  for await (const _ of chunks);
  requireSame(backup, part, sum())
}

/** Also unpacked, and its rows counted. */
async function checkTable(backup: StoredBackup, part: TablePart): Promise<void> {
  const { chunks, sum } = measured(await openFile(backup, part.path))
  let rows = 0
  await pipeline(chunks, createGunzip(), async (unpacked) => {
    for await (const chunk of unpacked) rows += linesIn(chunk)
  }).catch(() => {
    throw damaged(backup, part.path)
  })
  requireSame(backup, part, sum())
  if (rows !== part.rows) throw damaged(backup, part.path)
}

function requireSame(backup: StoredBackup, part: FilePart, found: Omit<FilePart, 'path'>): void {
  if (found.bytes !== part.bytes || found.sha256 !== part.sha256) throw damaged(backup, part.path)
}

const NEWLINE = 10

/** A row is a line: a line break within a value is written as `\n`. */
function linesIn(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines++
  return lines
}
