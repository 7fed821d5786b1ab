// What shows many records at once: timelines, search over everything, and numbers of what happened.
import { type ApiPromise, dataOf } from '../api-promise.js'
import type { CustomerVerbs } from '../generated/entities.js'
import type { Customer } from '../generated/records.js'
import type {
  DuplicateCustomer,
  SearchHit,
  SearchQuery,
  Stats,
  StatsQuery,
  TimelineItem,
  TimelineQuery,
} from '../generated/shapes.js'
import { type Listing, listing } from '../page.js'
import { ask, path, type RequestOptions, type Send } from '../transport.js'
import { type CanBeMerged, merging } from './merging.js'
import { verbs } from './verbs.js'

export interface HasTimeline {
  /** Everything about it by when it happened, newest first. */
  timeline(id: string, query?: TimelineQuery, options?: RequestOptions): Listing<TimelineItem>
}

export const timeline = (send: Send, slug: string): HasTimeline => ({
  timeline: (id, query, options) => listing(send, path`/${slug}/${id}/timeline`, query, options),
})

export interface HasDuplicates<Item> {
  /** Others that may be the same, most likely first. */
  duplicates(id: string, options?: RequestOptions): ApiPromise<Item[]>
}

export const duplicates = <Item>(send: Send, slug: string): HasDuplicates<Item> => ({
  duplicates: (id, options) =>
    dataOf(ask<{ data: Item[] }>(send, { method: 'GET', path: path`/${slug}/${id}/duplicates`, options })),
})

export interface Customers
  extends CustomerVerbs,
    HasTimeline,
    HasDuplicates<DuplicateCustomer>,
    CanBeMerged<Customer> {}

export function customers(send: Send): Customers {
  const plain: CustomerVerbs = verbs(send, 'customers')
  return {
    ...plain,
    ...timeline(send, 'customers'),
    ...duplicates(send, 'customers'),
    ...merging(send, 'customers'),
  }
}

export const search = (send: Send, query: SearchQuery, options?: RequestOptions): Listing<SearchHit> =>
  listing(send, '/search', query, options)

export const stats = (send: Send, query: StatsQuery = {}, options?: RequestOptions): ApiPromise<Stats> =>
  ask(send, { method: 'GET', path: '/stats', query, options })
