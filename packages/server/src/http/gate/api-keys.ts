// The wire format of API keys: `ak_test_` or `ak_live_` and 32 Crockford base32 characters. Only the SHA-256 of a key
// is kept.
import { hash, randomBytes } from 'node:crypto'
import { type Environment, keyWords } from '@parley/contract'
import { toCrockford } from '../../store/id.js'

const pattern = /^ak_(test|live)_[0-9A-HJKMNP-TV-Z]{32}$/
const SECRET_BYTES = 20
const SECRET_LENGTH = 32

export interface MintedKey {
  /** Shown once, kept nowhere. */
  readonly key: string
  readonly hash: Buffer
  readonly prefix: string
  readonly last4: string
}

export function mintKey(environment: Environment): MintedKey {
  const key = `ak_${keyWords[environment]}_${toCrockford(randomBytes(SECRET_BYTES), SECRET_LENGTH)}`
  return { key, hash: hashKey(key), prefix: key.slice(0, 12), last4: key.slice(-4) }
}

export const isKey = (text: string): boolean => pattern.test(text)
export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer')
