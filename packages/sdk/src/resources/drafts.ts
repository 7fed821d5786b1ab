// Drafts: what a call proposes, and what is decided on it.
import type { CapturedDraft, Draft } from '../records.js'
import { ask, path, type RequestOptions, type Send } from '../transport.js'
import { records } from './records.js'

export interface DraftApproval {
  /** Merged over the draft's own payload. */
  payload?: Record<string, unknown> | undefined
  customerId?: string | null | undefined
  acceptFactIds?: string[] | undefined
  rejectFactIds?: string[] | undefined
}

export const drafts = (send: Send) => {
  const move = (id: string, name: string, body: unknown, options?: RequestOptions): Promise<Draft> =>
    ask(send, { method: 'POST', path: path`/drafts/${id}/${name}`, body, options })
  return {
    ...records(send, 'drafts'),
    submit: (id: string, options?: RequestOptions) => move(id, 'submit', undefined, options),
    /** Makes the work record; approving again answers with the same draft. */
    approve: (id: string, body?: DraftApproval, options?: RequestOptions) => move(id, 'approve', body, options),
    reject: (id: string, body?: { reason?: string | null }, options?: RequestOptions) => move(id, 'reject', body, options),
    reopen: (id: string, options?: RequestOptions) => move(id, 'reopen', undefined, options),
    /** Says that the approved draft has reached your system, and under which name. */
    synced: (id: string, body?: Pick<CapturedDraft, 'externalRefs'>, options?: RequestOptions) => move(id, 'synced', body, options),
  }
}
