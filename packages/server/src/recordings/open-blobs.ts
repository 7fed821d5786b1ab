// Opens the place where recordings are kept. A bucket that refuses us keeps the service from starting; one that is away
// does not, because everything but recordings works without it.
import { join } from 'node:path'
import { StartupError } from '../database/startup-error.js'
import type { BlobPlace } from '../object-store/blob-place.js'
import { type Bucket, openBucket } from '../object-store/s3-bucket.js'
import { S3Trouble } from '../object-store/s3-trouble.js'
import type { Blobs } from '../store/blobs.js'
import { folderBlobs } from './folder-blobs.js'
import { s3Blobs } from './s3-blobs.js'

export interface OpenBlobs {
  readonly blobs: Blobs
  /** Whether the last look found the store away. Looks again beside, now and then. */
  isAway(): boolean
  close(): void
}

export interface BlobOptions {
  /** Of one request to the store. */
  readonly timeoutMs: number
  readonly isSigning: boolean
  readonly onTrouble: (error: Error) => void
}

const LOOK_MS = 15_000

/** Where the settings keep recordings. */
export const blobPlaceOf = ({ blobPlace, dataDir }: { blobPlace: BlobPlace | undefined; dataDir: string }): BlobPlace =>
  blobPlace ?? { kind: 'folder', path: join(dataDir, 'recordings') }

export async function openBlobs(place: BlobPlace, options: BlobOptions): Promise<OpenBlobs> {
  if (place.kind === 'folder') return { blobs: folderBlobs(place.path), isAway: () => false, close: () => undefined }
  const bucket = await openBucket(place.address, options)
  const isAway = await isAwayAtStart(bucket, options.onTrouble)
  return { blobs: s3Blobs(bucket, options), isAway: watch(bucket, isAway, options.onTrouble), close: bucket.close }
}

async function isAwayAtStart(bucket: Bucket, onTrouble: (error: Error) => void): Promise<boolean> {
  try {
    await bucket.check()
    return false
  } catch (error) {
    if (!(error instanceof S3Trouble)) throw error
    if (error.kind !== 'away') {
      bucket.close()
      throw new StartupError(error.message, { cause: error })
    }
    onTrouble(error)
    return true
  }
}

/** Nobody who asks waits for the store. */
function watch(bucket: Bucket, isAwayAtFirst: boolean, onTrouble: (error: Error) => void): () => boolean {
  let isAway = isAwayAtFirst
  let lookedAt = Date.now()
  return () => {
    if (Date.now() - lookedAt >= LOOK_MS) {
      lookedAt = Date.now()
      void bucket.ping().then(
        () => {
          isAway = false
        },
        (error: Error) => {
          isAway = true
          onTrouble(error)
        },
      )
    }
    return isAway
  }
}
