// Sends bytes of unknown length to a store: what fits into one part as one object, more as a multipart upload, part by
// part, so that no more than one part is ever held. Each carries its MD5, which the store checks.
import { createHash } from 'node:crypto'
import type { CompletedPart } from '@aws-sdk/client-s3'
import type { Bytes } from '../store/blobs.js'
import type { Connection } from './s3-connection.js'

export interface Target {
  readonly Bucket: string
  readonly Key: string
}

const MiB = 1024 * 1024
const PART_BYTES = 8 * MiB
/** A store takes 10,000 parts at most, so a very long upload goes on in larger ones: 5 TB are within reach. */
const PARTS_PER_SIZE = 1_000

const partBytes = (number: number): number => PART_BYTES * 2 ** Math.floor((number - 1) / PARTS_PER_SIZE)

const checked = (body: Buffer) => ({ Body: body, ContentMD5: createHash('md5').update(body).digest('base64') })

/** Whatever goes wrong, be it the source, the store keeps nothing of it. */
export async function upload(connection: Connection, target: Target, source: Bytes): Promise<void> {
  const parts = inParts(source)
  try {
    await sendAll(connection, target, parts)
  } finally {
    // Whoever yields the bytes hears that no more are wanted.
    await parts.return(undefined)
  }
}

async function sendAll(connection: Connection, target: Target, parts: AsyncGenerator<Buffer>): Promise<void> {
  const { sdk, client } = connection
  const first = await parts.next()
  const body = first.done ? Buffer.alloc(0) : first.value
  if (body.length < PART_BYTES) {
    await client.send(new sdk.PutObjectCommand({ ...target, ...checked(body) }))
    return
  }
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(target))
  const begun = { ...target, UploadId }
  try {
    await sendParts(connection, begun, body, parts)
  } catch (error) {
    // What cannot be undone now is found by its key when that is removed.
    await client.send(new sdk.AbortMultipartUploadCommand(begun)).catch(() => undefined)
    throw error
  }
}

type Begun = Target & { readonly UploadId: string | undefined }

async function sendParts({ sdk, client }: Connection, begun: Begun, first: Buffer, rest: AsyncGenerator<Buffer>) {
  const done: CompletedPart[] = []
  const send = async (body: Buffer) => {
    const PartNumber = done.length + 1
    const { ETag } = await client.send(new sdk.UploadPartCommand({ ...begun, PartNumber, ...checked(body) }))
    done.push({ PartNumber, ETag })
  }
  await send(first)
  for await (const body of rest) await send(body)
  await client.send(new sdk.CompleteMultipartUploadCommand({ ...begun, MultipartUpload: { Parts: done } }))
}

/** The bytes in parts of their size, the last one as long as what is left. */
async function* inParts(source: Bytes): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let held = 0
  let number = 1
  for await (const chunk of source) {
    let rest = chunk
    while (held + rest.length >= partBytes(number)) {
      const cut = partBytes(number) - held
      yield Buffer.concat([...chunks, rest.subarray(0, cut)])
      rest = rest.subarray(cut)
      chunks = []
      held = 0
      number += 1
    }
    if (rest.length > 0) chunks.push(rest)
    held += rest.length
  }
  if (held > 0) yield Buffer.concat(chunks)
}
