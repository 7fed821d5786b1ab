// The wire format of API keys: `ak_test_` or `ak_live_` and 32 Crockford base32 characters, and of platform keys: `pk_`
// and as many. Only the SHA-256 of a key is kept.
import { hash, randomBytes } from 'node:crypto'
import { type Environment, keyWords } from '@parley/contract'
import { toCrockford } from '../../store/id.js'

const pattern = /^ak_(test|live)_[0-9A-HJKMNP-TV-Z]{32}$/
const platformPattern = /^pk_[0-9A-HJKMNP-TV-Z]{32}$/
const SECRET_BYTES = 20
const SECRET_LENGTH = 32

export interface MintedKey {
  /** Shown once, kept nowhere. */
  readonly key: string
  readonly hash: Buffer
  readonly prefix: string
  readonly last4: string
}

const SHOWN_LENGTH = 4

export const mintKey = (environment: Environment): MintedKey => minted(`ak_${keyWords[environment]}_`)
export const mintPlatformKey = (): MintedKey => minted('pk_')

function minted(kind: string): MintedKey {
  const key = kind + toCrockford(randomBytes(SECRET_BYTES), SECRET_LENGTH)
  return {
    key,
    hash: hashKey(key),
    prefix: key.slice(0, kind.length + SHOWN_LENGTH),
    last4: key.slice(-SHOWN_LENGTH),
  }
}

export const isKey = (text: string): boolean => pattern.test(text)
export const isPlatformKey = (text: string): boolean => platformPattern.test(text)
export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer')
/** As nodes remember it. */
export const hashTextOf = (key: string): string => hash('sha256', key, 'base64')
