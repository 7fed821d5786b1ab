// Copies every named blob from one place to another, a few at a time. What is there already is passed over, so that a
// copy that was broken off goes on; what is written is read back and compared.
import { createHash, type Hash } from 'node:crypto'
import type { Database } from '../database/pool.js'
import type { Blobs, Bytes } from '../store/blobs.js'
import { isStillNamed, type NamedBlob, namedBlobs } from './named-blobs.js'

export interface Copying {
  readonly database: Database
  readonly from: Blobs
  readonly to: Blobs
  /** Also compares what is there already, byte by byte. */
  readonly isVerifying: boolean
  readonly onProgress: (soFar: CopyResult) => void
}

export interface CopyResult {
  readonly copied: number
  readonly bytes: number
  /** Was there already. */
  readonly present: number
  /** Named, but not where it is copied from. */
  readonly missing: number
  /** A few of the missing ones, as `folder/name`. */
  readonly missingNames: readonly string[]
}

const AT_ONCE = 4
const NAMES_MAX = 20

export async function copyBlobs(copying: Copying): Promise<CopyResult> {
  const result = { copied: 0, bytes: 0, present: 0, missing: 0, missingNames: new Array<string>() }
  const blobs = namedBlobs(copying.database)
  const work = async () => {
    // A generator that several ask hands each blob to one of them.
    for (let next = await blobs.next(); !next.done; next = await blobs.next()) {
      const blob = next.value
      const outcome = await copyBlob(copying, blob)
      if (outcome === 'gone') continue
      result[outcome] += 1
      if (outcome === 'copied') result.bytes += blob.bytes
      if (outcome === 'missing' && result.missingNames.length < NAMES_MAX)
        result.missingNames.push(`${blob.folder}/${blob.name}`)
      copying.onProgress(result)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return result
}

async function copyBlob(copying: Copying, blob: NamedBlob): Promise<'copied' | 'present' | 'missing' | 'gone'> {
  const { database, from, to, isVerifying } = copying
  const { folder, name, bytes } = blob
  if ((await to.size(folder, name)) === bytes && (!isVerifying || (await isSame(from, to, blob)))) return 'present'
  const source = await from.open(folder, name)
  if (source === undefined) return (await isStillNamed(database, blob)) ? 'missing' : 'gone'
  // A part that a broken copy left.
  await to.remove(folder, name)
  const hash = createHash('sha256')
  await to.put(folder, name, hashed(source, hash), { bytesMax: Number.POSITIVE_INFINITY, tooLarge: () => new Error() })
  if ((await digestOf(to, blob)) === hash.digest('hex')) return 'copied'
  await to.remove(folder, name)
  throw new Error(`${folder}/${name} was not written as it was read; run the same command again`)
}

async function* hashed(source: Bytes, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
}

async function digestOf(blobs: Blobs, { folder, name }: NamedBlob): Promise<string | undefined> {
  const bytes = await blobs.open(folder, name)
  if (bytes === undefined) return undefined
  const hash = createHash('sha256')
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex')
}

async function isSame(from: Blobs, to: Blobs, blob: NamedBlob): Promise<boolean> {
  const [here, there] = await Promise.all([digestOf(from, blob), digestOf(to, blob)])
  return here === undefined || here === there
}
