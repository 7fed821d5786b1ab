// Addresses of recordings that need no key: what they name and until when is signed, so nobody but this service can
// make or change one.
import type { Sealer } from '../store/secret-box.js'

export interface RecordingAddress {
  readonly tenantId: string
  readonly id: string
  readonly expiresAt: Date
}

/**
 * The path of an address, below the API's own prefix. Its last part is the signature, in hexadecimal: every character
 * of it counts.
 */
export function signedPath(sealer: Sealer, address: RecordingAddress): string {
  return `/recordings/${textOf(address)}/${sealer.sign('recording', textOf(address)).toString('hex')}`
}

const textOf = ({ tenantId, id, expiresAt }: RecordingAddress): string =>
  `${tenantId}/${id}/${Math.floor(expiresAt.getTime() / 1_000)}`

/** Why an address is not good; undefined when it is. */
export function whyRefused(
  sealer: Sealer,
  parts: Readonly<Record<string, string>>,
  now: Date,
): 'signature' | 'expired' | undefined {
  const { tenantId = '', id = '', expires = '', signature = '' } = parts
  const isOurs =
    /^[0-9a-f]{32}$/.test(signature) &&
    sealer.verify('recording', `${tenantId}/${id}/${expires}`, Buffer.from(signature, 'hex'))
  if (!isOurs) return 'signature'
  return Number(expires) * 1_000 <= now.getTime() ? 'expired' : undefined
}
