// A bucket of an S3-compatible store, or the part of one below a prefix: put, open, list, remove and sign, streamed.
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Bytes } from '../store/blobs.js'
import type { S3Address } from './s3-address.js'
import { type Connection, type ConnectionOptions, connect } from './s3-connection.js'
import { explainS3, isAbsent, isNotImplemented } from './s3-trouble.js'
import { upload } from './s3-upload.js'

export interface StoredObject {
  /** Below the prefix of the bucket's address. */
  readonly key: string
  readonly bytes: number
}

/**
 * Keys are below the prefix of the address. What the store refuses or fails at is an S3Trouble that says what to do.
 */
export interface Bucket {
  readonly address: S3Address
  /** Keeps what the source yields: it is there once this has come back, whole or not at all. */
  put(key: string, source: Bytes): Promise<void>
  /** The bytes from `start` to `end`, both included; undefined when there is no such object. */
  open(key: string, range?: { readonly start: number; readonly end: number }): Promise<Readable | undefined>
  /** How many bytes it has; undefined when there is no such object. */
  size(key: string): Promise<number | undefined>
  /** Every object whose key begins so, in the order of their keys. */
  list(beginning: string): AsyncGenerator<StoredObject>
  /** That it is not there is no error. */
  remove(key: string): Promise<void>
  /** Ends the uploads to this key that nobody finished: their parts take room, and are in no list of objects. */
  removeUnfinished(key: string): Promise<void>
  /** Where anybody gets the object for so long. */
  signedUrl(key: string, options: SignedUrlOptions): Promise<string>
  /** Rejects unless the bucket can be listed. */
  ping(): Promise<void>
  /** Rejects unless objects can be written, read, listed and removed. */
  check(): Promise<void>
  close(): void
}

export interface SignedUrlOptions {
  readonly seconds: number
  readonly contentType: string
  readonly fileName: string
}

export async function openBucket(address: S3Address, options: ConnectionOptions): Promise<Bucket> {
  const connection = await connect(address, options)
  const { sdk, client } = connection
  const at = (key: string) => ({ Bucket: address.bucket, Key: address.prefix + key })
  const bucket: Bucket = {
    address,
    put: (key, source) => upload(connection, at(key), source),
    async open(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`
      const answer = await client.send(new sdk.GetObjectCommand({ ...at(key), Range })).catch(ifAbsent)
      if (answer === undefined) return undefined
      if (!(answer.Body instanceof Readable)) throw new Error('The store answered without bytes')
      return answer.Body
    },
    async size(key) {
      const answer = await client.send(new sdk.HeadObjectCommand(at(key))).catch(ifAbsent)
      return answer && (answer.ContentLength ?? 0)
    },
    list: (beginning) => listObjects(connection, address, beginning),
    async remove(key) {
      await client.send(new sdk.DeleteObjectCommand(at(key))).catch(ifAbsent)
    },
    removeUnfinished: (key) => abortUploads(connection, at(key)),
    async signedUrl(key, { seconds, contentType, fileName }) {
      const command = new sdk.GetObjectCommand({
        ...at(key),
        ResponseContentType: contentType,
        ResponseContentDisposition: `attachment; filename="${fileName}"`,
      })
      return sdk.getSignedUrl(client, command, { expiresIn: seconds }).catch((error: unknown) => {
        throw explainS3(error, address)
      })
    },
    async ping() {
      const { bucket: Bucket, prefix: Prefix } = address
      await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 }))
    },
    check: () => checkBucket(bucket),
    close: () => client.destroy(),
  }
  return bucket
}

function ifAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error
}

async function* listObjects(
  { sdk, client }: Connection,
  { bucket: Bucket, prefix }: S3Address,
  beginning: string,
): AsyncGenerator<StoredObject> {
  let after: string | undefined
  do {
    const page = await client.send(
      new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix + beginning, ContinuationToken: after }),
    )
    for (const { Key = '', Size = 0 } of page.Contents ?? []) yield { key: Key.slice(prefix.length), bytes: Size }
    after = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (after !== undefined)
}

async function abortUploads(
  { sdk, client }: Connection,
  { Bucket, Key }: { readonly Bucket: string; readonly Key: string },
): Promise<void> {
  const list = new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: Key })
  const found = await client.send(list).catch((error: unknown) => {
    if (!isNotImplemented(error)) throw error
  })
  for (const { Key: of, UploadId } of found?.Uploads ?? [])
    if (of === Key) await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(ifAbsent)
}

async function checkBucket(bucket: Bucket): Promise<void> {
  const key = `.parley-check-${randomUUID()}`
  await bucket.put(key, [Buffer.from('Written by Parley to see whether it can; it may be removed.\n')])
  try {
    const bytes = await bucket.open(key)
    bytes?.resume()
    await bucket.ping()
  } finally {
    await bucket.remove(key)
  }
}
