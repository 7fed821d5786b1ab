// What a backup says of itself: of which database, by which migrations its tables came to be, with which secret they
// are sealed, and the size and checksum of every file. It carries a checksum of its own.
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { StartupError } from '../database/startup-error.js'
import type { Sealer } from '../store/secret-box.js'
import { type FilePart, MANIFEST, type StoredBackup } from './backup-place.js'
import type { Partition, SequenceValue } from './catalog.js'

export interface TablePart extends FilePart {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: number
}

export interface Manifest {
  readonly format: typeof FORMAT
  readonly createdAt: string
  /** The version of the server that wrote it. */
  readonly version: string
  /** Of the secret that is needed to read what is sealed. The secret itself is not in the backup. */
  readonly secretFingerprint: string
  readonly migrations: readonly string[]
  readonly tables: readonly TablePart[]
  readonly partitions: readonly Partition[]
  readonly sequences: readonly SequenceValue[]
  /** All events are of transactions before this one. */
  readonly nextTransaction: string
  /** A file of lines, one for each recording. */
  readonly recordings: FilePart & { readonly count: number; readonly totalBytes: number }
  /** The files of the embedded cluster, where the write-ahead log is kept. */
  readonly base?: BasePart
}

export interface BasePart extends FilePart {
  readonly files: number
  /** The first file of the write-ahead log that is needed to make the base whole. */
  readonly startWal: string
  /** The number of the cluster, by which its log is kept. */
  readonly systemId: string
  readonly postgres: string
  readonly endedAt: string
}

/** A line of the file of recordings. */
export interface RecordingPart extends FilePart {
  readonly folder: string
  readonly name: string
}

const FORMAT = 'parley-backup-1'

export const newManifest = (content: Omit<Manifest, 'format'>): Manifest => ({ format: FORMAT, ...content })

export const fingerprintOf = (sealer: Sealer): string => sealer.sign('backup', 'secret').toString('hex')

export function printManifest(manifest: Manifest): string {
  const body = JSON.stringify(manifest, undefined, 1)
  return `${body}\n${sha256Of(body)}\n`
}

export async function readManifest(backup: StoredBackup): Promise<Manifest> {
  const file = await backup.read(MANIFEST)
  if (file === undefined) throw new StartupError(`There is no complete backup at ${backup.address}.`)
  const written = await text(file)
  const [, body = '', checksum] = /^([\s\S]*)\n([0-9a-f]{64})\n$/.exec(written) ?? []
  if (sha256Of(body) !== checksum) throw damaged(backup, MANIFEST)
  const manifest: Manifest = JSON.parse(body)
  if (manifest.format !== FORMAT)
    throw new StartupError(`${backup.address} was written by another version of Parley (${manifest.format}).`)
  return manifest
}

export const damaged = (backup: StoredBackup, path: string): StartupError =>
  new StartupError(`The backup ${backup.address} is damaged: ${path} is not what was written. Use another backup.`)

const sha256Of = (body: string): string => createHash('sha256').update(body).digest('hex')
