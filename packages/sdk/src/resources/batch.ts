// Many writes in one request.
import { type ApiPromise, dataOf } from '../api-promise.js'
import { ask, path, type RequestOptions, type Send } from '../transport.js'

/** One write of a batch. */
export type BatchItem<Create, Update> =
  | { op: 'create'; data: Create }
  | { op: 'update'; id: string; data: Update; ifVersion?: number }
  /** Updates the record that has these `externalRefs`, else creates one. */
  | { op: 'upsert'; data: Create | Update; ifVersion?: number }

/** What became of an item: a `record`, or an `error`. */
export interface BatchResult<Item> {
  status: number
  record?: Item
  error?: { code: string; message: string; details?: unknown }
}

export interface BatchOptions extends RequestOptions {
  /** Whether one item that fails refuses all: then an UnprocessableError, and nothing is written. */
  readonly atomic?: boolean | undefined
}

export interface Batches<Create, Update, Item> {
  /**
   * Up to 500 writes in one request, answered in their order. One that fails does not harm the others; with `atomic` it
   * refuses all.
   */
  batch(items: readonly BatchItem<Create, Update>[], options?: BatchOptions): ApiPromise<BatchResult<Item>[]>
}

export const batch = <Create, Update, Item>(send: Send, slug: string): Batches<Create, Update, Item> => ({
  batch(items, { atomic, ...options } = {}) {
    const body = { items, ...(atomic !== undefined && { atomic }) }
    const asked = { method: 'POST', path: path`/${slug}/batch`, body, options } as const
    return dataOf(ask<{ data: BatchResult<Item>[] }>(send, asked))
  },
})
