// A blob store in a bucket. A blob is there when `put` comes back, whole or not at all. When the store is away, callers
// are told to come back, and the log says why.
import type { Bucket } from '../object-store/s3-bucket.js'
import { S3Trouble } from '../object-store/s3-trouble.js'
import { unavailable } from '../store/api-error.js'
import type { Blobs, Bytes } from '../store/blobs.js'

export interface S3BlobsOptions {
  /** Whether addresses that the store signs are given out. */
  readonly isSigning: boolean
  readonly onTrouble: (error: Error) => void
}

const RETRY_SECONDS = 5
const keyOf = (folder: string, name: string): string => `${folder}/${name}`

export function s3Blobs(bucket: Bucket, { isSigning, onTrouble }: S3BlobsOptions): Blobs {
  const told = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      if (!(error instanceof S3Trouble)) throw error
      onTrouble(error)
      throw unavailable('Recordings and files cannot be kept or read at the moment; try again', RETRY_SECONDS)
    })
  return {
    async put(folder, name, source, { bytesMax, tooLarge }) {
      const key = keyOf(folder, name)
      const sent = { bytes: 0 }
      await told(bucket.put(key, counted(source, sent, bytesMax, tooLarge))).catch(async (error: unknown) => {
        // An answer that did not come in time may still have been a yes.
        await bucket.remove(key).catch(() => undefined)
        throw error
      })
      return sent.bytes
    },
    open: (folder, name, range) => told(bucket.open(keyOf(folder, name), range)),
    size: (folder, name) => told(bucket.size(keyOf(folder, name))),
    async remove(folder, name) {
      await told(bucket.remove(keyOf(folder, name)))
      await told(bucket.removeUnfinished(keyOf(folder, name)))
    },
    ...(isSigning && { signedUrl: (folder, name, options) => told(bucket.signedUrl(keyOf(folder, name), options)) }),
  }
}

async function* counted(source: Bytes, sent: { bytes: number }, bytesMax: number, tooLarge: () => Error) {
  for await (const chunk of source) {
    sent.bytes += chunk.length
    if (sent.bytes > bytesMax) throw tooLarge()
    yield chunk
  }
}
