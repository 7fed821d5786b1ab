// The rows of an uploaded file: its parts one after the other, unpacked, decoded and cut, as fast as they are wanted.
// What cannot be read says why; nothing is held but the row at hand.

import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { limits } from '@parley/contract'
import type { Database } from '../../database/pool.js'
import type { Blobs } from '../../store/blobs.js'
import { csvSplitter, type FileRow, lineSplitter, UnreadableFile } from './csv-rows.js'
import type { StoredImport } from './import-jobs.js'
import { importFolder, partsOf } from './import-upload.js'

export interface FileParts {
  readonly database: Database
  readonly blobs: Blobs
  /** Of what a packed file unpacks to. */
  readonly unpackedBytes: number
}

export async function* readFileRows(parts: FileParts, { tenantId, job }: StoredImport): AsyncGenerator<FileRow> {
  const splitter = job.format === 'csv' ? csvSplitter(limits.bodyBytes) : lineSplitter(limits.bodyBytes)
  for await (const text of decoded(unpacked(bytesOf(parts, tenantId, job.id), parts.unpackedBytes)))
    yield* splitter.push(text)
  yield* splitter.end()
}

async function* bytesOf({ database, blobs }: FileParts, tenantId: string, id: string): AsyncGenerator<Buffer> {
  const rows = await database.query<{ blob: string }>(partsOf(tenantId, id))
  for (const { blob } of rows) {
    const bytes: Readable | undefined = await blobs.open(importFolder(tenantId, id), blob)
    if (bytes === undefined) throw new Error(`A part of the import ${id} is not where this node keeps recordings`)
    yield* bytes
  }
}

/** A file that begins as gzip does is unpacked, but not without end. */
async function* unpacked(source: AsyncGenerator<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  const first = await source.next()
  const head: Buffer = first.done ? Buffer.alloc(0) : first.value
  const whole = async function* () {
    yield head
    yield* source
  }
  if (head[0] !== 0x1f || head[1] !== 0x8b) return yield* whole()
  const unzip = createGunzip()
  // What goes wrong is met by the reader below.
  pipeline(whole(), unzip, () => undefined)
  let bytes = 0
  try {
    for await (const chunk of unzip as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > bytesMax)
        throw new UnreadableFile(`The file unpacks to more than ${bytesMax} bytes; send it in parts`)
      yield chunk
    }
  } catch (error) {
    if (error instanceof UnreadableFile || !isPackedWrong(error)) throw error
    throw new UnreadableFile('The file begins as gzip does, but cannot be unpacked; pack it again')
  }
}

const isPackedWrong = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')

/** UTF-8, or UTF-16 where a byte order mark says so. Anything else is refused, not guessed. */
async function* decoded(source: AsyncGenerator<Buffer>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  const read = (decode: () => string): string => {
    try {
      const text = decode()
      if (text.includes('\0')) throw new TypeError('NUL')
      return text
    } catch {
      throw new UnreadableFile('The file is not UTF-8, nor UTF-16 with a byte order mark; save it as CSV UTF-8')
    }
  }
  for await (const chunk of source) {
    const known = (decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true }))
    yield read(() => known.decode(chunk, { stream: true }))
  }
  const known = decoder
  if (known) yield read(() => known.decode())
}

function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8'
}
