// The cursor of a list: the last row seen, signed together with the list it belongs to. Opaque, and useless elsewhere.
import type { Place } from './order.js'
import { type Sealer, SIGNATURE_BYTES } from './secret-box.js'

const ID_BYTES = 16

/** `list` names the tenant, the path, the filters and the order, so that a cursor cannot be taken to another list. */
export function makeCursor(sealer: Sealer, list: string, { id, value }: Place): string {
  return Buffer.concat([
    idBytes(id),
    Buffer.from(value ?? ''),
    sealer.sign('cursor', signedText(list, id, value)),
  ]).toString('base64url')
}

/** The place, or undefined when this service did not make the cursor for this list. */
export function readCursor(sealer: Sealer, list: string, cursor: string): Place | undefined {
  const bytes = Buffer.from(cursor, 'base64url')
  // Decoding forgives stray characters; only the one spelling we make is accepted.
  if (bytes.toString('base64url') !== cursor || bytes.length < ID_BYTES + SIGNATURE_BYTES) return undefined
  const id = idText(bytes.subarray(0, ID_BYTES))
  const value = bytes.subarray(ID_BYTES, -SIGNATURE_BYTES).toString() || null
  return sealer.verify('cursor', signedText(list, id, value), bytes.subarray(-SIGNATURE_BYTES))
    ? { id, value }
    : undefined
}

/** Without a value it is what it was before lists could be sorted, so that cursors outlive an upgrade. */
const signedText = (list: string, id: string, value: string | null): string =>
  `${list}\n${id}${value === null ? '' : `\n${value}`}`

const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

function idText(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
