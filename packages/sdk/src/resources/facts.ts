// Facts: capture them, and decide on them.
import type { ApiPromise } from '../api-promise.js'
import type { FactVerbs } from '../generated/entities.js'
import type { Fact } from '../generated/records.js'
import type { FactPromotion } from '../generated/shapes.js'
import type { RequestOptions, Send } from '../transport.js'
import { act, verbs } from './verbs.js'

export interface Facts extends FactVerbs {
  /** Says that the fact is true. */
  confirm(id: string, options?: RequestOptions): ApiPromise<Fact>
  /** Says that the fact is not true. */
  reject(id: string, options?: RequestOptions): ApiPromise<Fact>
  /** Makes the fact a lasting attribute of a person, company or customer. */
  promote(id: string, target?: FactPromotion, options?: RequestOptions): ApiPromise<Fact>
}

export function facts(send: Send): Facts {
  const move = (id: string, action: string, body: unknown, options?: RequestOptions) =>
    act<Fact>(send, 'facts', id, action, body, options)
  const plain: FactVerbs = verbs(send, 'facts')
  return {
    ...plain,
    confirm: (id, options) => move(id, 'confirm', undefined, options),
    reject: (id, options) => move(id, 'reject', undefined, options),
    promote: (id, target, options) => move(id, 'promote', target, options),
  }
}
