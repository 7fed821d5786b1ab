// The readable beginning of a subscriber's answer, as the delivery log keeps it: at most 2 KiB of text that Postgres
// can store, whatever bytes came.

import {
  type BrotliOptions,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  type ZlibOptions,
} from 'node:zlib'

export const sampleBytesMax = 2 * 1024

/**
 * Null when there is nothing to show. `withinMs` bounds the decompression; what is not compressed is answered at once.
 */
export function sampleText(
  body: Buffer,
  encoding: string | null,
  withinMs: number,
): string | null | Promise<string | null> {
  if (body.length === 0) return null
  const decompressor = createDecompressor(encoding)
  return decompressor === undefined ? safeText(body) : decompressBeginning(body, decompressor, withinMs).then(safeText)
}

/**
 * Invalid UTF-8 becomes U+FFFD, which is longer than the byte it stands for, so the text is cut again. NUL is the one
 * character Postgres refuses.
 */
function safeText(bytes: Buffer): string | null {
  const text = beginning(bytes).toString('utf8').replaceAll('\0', '')
  if (text === '') return null
  return Buffer.byteLength(text) <= sampleBytesMax ? text : beginning(Buffer.from(text)).toString('utf8')
}

/** Cut before a character, not inside one: bytes that begin with the bits 10 continue the one before. */
function beginning(bytes: Buffer): Buffer {
  let end = sampleBytesMax
  while (end > sampleBytesMax - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}

type Decompressor =
  | ReturnType<typeof createGunzip>
  | ReturnType<typeof createInflate>
  | ReturnType<typeof createBrotliDecompress>

/** The body is a beginning, so the end of the input is not an error. */
const zlibOptions: ZlibOptions = { chunkSize: sampleBytesMax, finishFlush: constants.Z_SYNC_FLUSH }
const brotliOptions: BrotliOptions = { chunkSize: sampleBytesMax, finishFlush: constants.BROTLI_OPERATION_FLUSH }

/** Undefined for no encoding, and for one that is unknown: then the raw bytes are shown. */
function createDecompressor(encoding: string | null): Decompressor | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(zlibOptions)
    case 'deflate':
      return createInflate(zlibOptions)
    case 'br':
      return createBrotliDecompress(brotliOptions)
    default:
      return undefined
  }
}

/**
 * Stops at the sample's size: of a bomb, no more than a few pieces are ever unpacked. What was unpacked before damaged
 * data is kept.
 */
function decompressBeginning(body: Buffer, decompressor: Decompressor, withinMs: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const finish = () => {
      clearTimeout(timer)
      decompressor.destroy()
      resolve(Buffer.concat(chunks))
    }
    const timer = setTimeout(finish, withinMs)
    decompressor.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > sampleBytesMax) finish()
    })
    decompressor.on('end', finish)
    decompressor.on('error', finish)
    decompressor.end(body)
  })
}
