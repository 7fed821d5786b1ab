// Merging records that turned out to be one, the same for people and customers.
import { type ApiPromise, dataOf } from '../api-promise.js'
import type { Merge } from '../generated/shapes.js'
import { ask, path, type RequestOptions, type Send } from '../transport.js'

export interface CanBeMerged<Item> {
  /**
   * Makes one record part of another, whose values win. Returns the one that stays; where much names the other, the
   * `Merge` that moves it in the background.
   */
  merge(id: string, intoId: string, options?: RequestOptions): ApiPromise<Item | Merge>
  /** Undoes a merge, for 30 days. Returns the record that is there again, or the `Merge` that is being undone. */
  unmerge(id: string, options?: RequestOptions): ApiPromise<Item | Merge>
  /** What was merged into a record, newest first. */
  merges(id: string, options?: RequestOptions): ApiPromise<Merge[]>
  /** How far a merge has come; `id` is that of either of the two. */
  getMerge(id: string, mergeId: string, options?: RequestOptions): ApiPromise<Merge>
}

export const merging = <Item>(send: Send, slug: string): CanBeMerged<Item> => ({
  merge: (id, intoId, options) =>
    ask(send, { method: 'POST', path: path`/${slug}/${id}/merge`, body: { intoId }, options }),
  unmerge: (id, options) => ask(send, { method: 'POST', path: path`/${slug}/${id}/unmerge`, options }),
  merges: (id, options) =>
    dataOf(ask<{ data: Merge[] }>(send, { method: 'GET', path: path`/${slug}/${id}/merges`, options })),
  getMerge: (id, mergeId, options) =>
    ask(send, { method: 'GET', path: path`/${slug}/${id}/merges/${mergeId}`, options }),
})
