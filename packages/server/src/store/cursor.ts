// The cursor of a list: the last id seen, signed together with the list it belongs to. Opaque to callers, useless for another list.
import type { Sealer } from './seal.js'

const ID_BYTES = 16

/** `list` names the tenant, the path and the filters, so that a cursor cannot be taken to another list. */
export function makeCursor(sealer: Sealer, list: string, id: string): string {
  return Buffer.concat([idBytes(id), sealer.sign('cursor', `${list}\n${id}`)]).toString('base64url')
}

/** The id, or undefined when this service did not make the cursor for this list. */
export function readCursor(sealer: Sealer, list: string, cursor: string): string | undefined {
  const bytes = Buffer.from(cursor, 'base64url')
  // Decoding forgives stray characters; only the one spelling we make is accepted.
  if (bytes.toString('base64url') !== cursor || bytes.length <= ID_BYTES) return undefined
  const id = idText(bytes.subarray(0, ID_BYTES))
  return sealer.verify('cursor', `${list}\n${id}`, bytes.subarray(ID_BYTES)) ? id : undefined
}

const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

function idText(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
