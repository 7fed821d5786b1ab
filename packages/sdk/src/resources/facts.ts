// Facts: capture them, and decide on them.
import type { Fact } from '../records.js'
import { ask, path, type RequestOptions, type Send } from '../transport.js'
import { records } from './records.js'

/** Where a fact is promoted to; without it the target follows from the definition and the subject. */
export interface FactPromotion {
  targetSubjectType?: 'person' | 'company' | 'customer' | undefined
  targetSubjectId?: string | undefined
}

export const facts = (send: Send) => {
  const move = (id: string, name: string, body: unknown, options?: RequestOptions): Promise<Fact> =>
    ask(send, { method: 'POST', path: path`/facts/${id}/${name}`, body, options })
  return {
    ...records(send, 'facts'),
    confirm: (id: string, options?: RequestOptions) => move(id, 'confirm', undefined, options),
    reject: (id: string, options?: RequestOptions) => move(id, 'reject', undefined, options),
    /** Makes the fact a lasting attribute of a person, company or customer. */
    promote: (id: string, target?: FactPromotion, options?: RequestOptions) => move(id, 'promote', target, options),
  }
}
