// Where recordings and other large bytes are kept, as an operator writes it: a folder, or a bucket.
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readUrl } from '../store/url.js'
import { readS3Address, type S3Address, s3AddressExpected, showS3Address } from './s3-address.js'

export type BlobPlace =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 's3'; readonly address: S3Address }

/** Completes the sentence "expected …". */
export const blobPlaceExpected = `file:///folder, an absolute path, or ${s3AddressExpected}`

/** Undefined when it is no such place. */
export function readBlobPlace(text: string): BlobPlace | undefined {
  if (isAbsolute(text)) return { kind: 'folder', path: text }
  const url = readUrl(text)
  if (url?.protocol === 'file:')
    return url.host === '' && url.search === '' ? { kind: 'folder', path: fileURLToPath(url) } : undefined
  const address = readS3Address(text)
  return address && { kind: 's3', address }
}

export const showBlobPlace = (place: BlobPlace): string =>
  place.kind === 'folder' ? place.path : showS3Address(place.address)
