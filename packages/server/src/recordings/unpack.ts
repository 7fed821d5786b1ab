// Undoes the packing of a body on its way over the wire, as it comes: what is unpacked is read as fast as it is wanted,
// so a small body that unpacks to a huge one is stopped by whoever counts its bytes.
import { pipeline, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'

/** The encodings that are unpacked, besides none at all. */
const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
}

/** The bytes that a body of this `Content-Encoding` stands for; undefined when it is none that can be unpacked. */
export function unpacked(
  source: AsyncIterable<Buffer>,
  encoding: string | undefined,
): AsyncIterable<Buffer> | undefined {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return source
  const unpacker = Object.hasOwn(unpackers, name) ? unpackers[name]?.() : undefined
  if (unpacker === undefined) return undefined
  // What goes wrong on either side is met by whoever reads, now or later; an error that nobody listens for would end
  // the process.
  unpacker.on('error', () => undefined)
  pipeline(source, unpacker, () => undefined)
  return unpacker
}

/** Whether a body could not be unpacked because it is not what its encoding says. */
export const isMalformed = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(Z_|ERR__ERROR)/.test(String(error.code))
