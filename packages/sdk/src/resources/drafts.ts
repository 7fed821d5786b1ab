// Drafts: what a call proposes, and what is decided on it.
import type { ApiPromise } from '../api-promise.js'
import type { DraftVerbs } from '../generated/entities.js'
import type { Draft } from '../generated/records.js'
import type { DraftApproval, DraftRejection, DraftSynced } from '../generated/shapes.js'
import type { RequestOptions, Send } from '../transport.js'
import { act, verbs } from './verbs.js'

export interface Drafts extends DraftVerbs {
  /** Hands the draft in for review. */
  submit(id: string, options?: RequestOptions): ApiPromise<Draft>
  /** Makes the work record; approving again answers with the same draft. */
  approve(id: string, body?: DraftApproval, options?: RequestOptions): ApiPromise<Draft>
  /** Turns the draft down; it can be reopened. */
  reject(id: string, body?: DraftRejection, options?: RequestOptions): ApiPromise<Draft>
  /** Puts a rejected draft back into review. */
  reopen(id: string, options?: RequestOptions): ApiPromise<Draft>
  /** Says that the approved draft has reached your system, and under which name. */
  synced(id: string, body?: DraftSynced, options?: RequestOptions): ApiPromise<Draft>
}

export function drafts(send: Send): Drafts {
  const move = (id: string, action: string, body: unknown, options?: RequestOptions) =>
    act<Draft>(send, 'drafts', id, action, body, options)
  const plain: DraftVerbs = verbs(send, 'drafts')
  return {
    ...plain,
    submit: (id, options) => move(id, 'submit', undefined, options),
    approve: (id, body, options) => move(id, 'approve', body, options),
    reject: (id, body, options) => move(id, 'reject', body, options),
    reopen: (id, options) => move(id, 'reopen', undefined, options),
    synced: (id, body, options) => move(id, 'synced', body, options),
  }
}
