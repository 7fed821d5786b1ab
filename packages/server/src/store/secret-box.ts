// Encryption at rest and signatures of our own, all derived from the one PARLEY_SECRET.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

export interface Sealer {
  seal(plain: string): Buffer
  open(sealed: Buffer): string
  /** A short keyed digest that only this service can make. */
  sign(purpose: string, text: string): Buffer
  verify(purpose: string, text: string, signature: Buffer): boolean
}

const NONCE_BYTES = 12
const TAG_BYTES = 16
export const SIGNATURE_BYTES = 16

export function createSealer(secret: string): Sealer {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'parley', purpose, 32))
  const encryptionKey = derive('seal')
  const signingKey = derive('sign')
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', signingKey).update(`${purpose}\n${text}`).digest().subarray(0, SIGNATURE_BYTES)
  return {
    seal(plain) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce)
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, sealed.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      )
    },
    sign,
    verify(purpose, text, signature) {
      const expected = sign(purpose, text)
      return expected.length === signature.length && timingSafeEqual(expected, signature)
    },
  }
}
