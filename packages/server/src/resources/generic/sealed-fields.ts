// Secrets that belong to a record: sealed beside it, never in it. What is read back is a preview.
import type { Entity } from '@parley/contract'
import type { Input } from '../../http/endpoint.js'
import type { StoredAlongside } from '../../store/change.js'
import { shortened } from './record-values.js'

/** The sealed form of what was sent; nothing when nothing was. */
export function sealedAlongside(entity: Entity, { body, sealer }: Pick<Input, 'body' | 'sealer'>): StoredAlongside {
  const value = entity.sealed && body[entity.sealed]
  return value === undefined || value === '' ? {} : { sealed: sealer.seal(JSON.stringify(value)) }
}

const SHOWN = 4
/** A secret shorter than this would be half given away by its last four characters. */
const LONG_ENOUGH = 12

/** Enough to tell two secrets apart, too little to use one: the keys, and the ends of long values. */
export function previewOf(secret: Record<string, unknown>): string {
  const parts = Object.entries(secret).map(([key, value]) => {
    // Cut between characters: half of a surrogate pair is no text that can be stored.
    const characters = typeof value === 'string' ? [...value] : []
    return `${key}: …${characters.length >= LONG_ENOUGH ? characters.slice(-SHOWN).join('') : ''}`
  })
  return shortened(parts.join(', '))
}
