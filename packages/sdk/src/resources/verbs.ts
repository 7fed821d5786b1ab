// The six verbs that entities and their like take. Which of them one takes is a matter of types; at run time the
// service answers 405 to the rest.
import type { ApiPromise } from '../api-promise.js'
import type { PageQuery, RecordRef } from '../generated/records.js'
import { type Listing, listing } from '../page.js'
import { type Ask, ask, path, type RequestOptions, type Send } from '../transport.js'
import { type Batches, batch } from './batch.js'
import { type Exports, exporting } from './exports.js'

export interface Lists<Query, Item> {
  /** `await` gives a page; `for await` gives every record, newest first. */
  list(query?: Query, options?: RequestOptions): Listing<Item>
}

export interface Gets<Item> {
  /** One record by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<Item>
}

export interface Creates<Body, Item> {
  /** Makes a record. With `externalRefs` that belong to one live record, that record is updated instead. */
  create(body: Body, options?: RequestOptions): ApiPromise<Item>
}

export interface Updates<Body, Item> {
  /** Changes a record: what is left out stays as it is; null clears. */
  update(id: string, body: Body, options?: RequestOptions): ApiPromise<Item>
}

export interface Replaces<Body, Item> {
  /** Writes a record anew: what is left out goes back to its default. */
  replace(id: string, body: Body, options?: RequestOptions): ApiPromise<Item>
}

export interface Deletes {
  /** Deletes a record; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
}

type Verbs<Query, Create, Update, Item, Made> = Lists<Query, Item> &
  Gets<Item> &
  Creates<Create, Made> &
  Updates<Update, Item> &
  Replaces<Create, Item> &
  Deletes &
  Batches<Create, Update, Made> &
  Exports<Query>

/** A record of which only the common fields are known. */
export interface AnyRecord {
  id: string
  organizationId: string
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
  [field: string]: unknown
}

type AnyBody = Record<string, unknown>

/** The verbs of an entity that is known by its slug alone. */
export interface AnyVerbs
  extends Lists<PageQuery & AnyBody, AnyRecord>,
    Gets<AnyRecord>,
    Creates<AnyBody, AnyRecord>,
    Updates<AnyBody, AnyRecord>,
    Replaces<AnyBody, AnyRecord>,
    Deletes,
    Batches<AnyBody, AnyBody, AnyRecord>,
    Exports<AnyBody> {}

export function verbs<Query extends object, Create, Update, Item, Made>(
  send: Send,
  slug: string,
): Verbs<Query, Create, Update, Item, Made> {
  const root = path`/${slug}`
  const one = <T>(method: Ask['method'], id: string, options?: RequestOptions, body?: unknown): ApiPromise<T> =>
    ask(send, { method, path: root + path`/${id}`, body, options })
  return {
    list: (query, options) => listing(send, root, query, options),
    get: (id, options) => one('GET', id, options),
    create: (body, options) => ask(send, { method: 'POST', path: root, body, options }),
    update: (id, body, options) => one('PATCH', id, options, body),
    replace: (id, body, options) => one('PUT', id, options, body),
    delete: (id, options) => one('DELETE', id, options),
    ...batch(send, slug),
    ...exporting(send, slug),
  }
}

/** Posts to what can be done with one record: `/drafts/{id}/approve`. */
export const act = <T>(
  send: Send,
  slug: string,
  id: string,
  action: string,
  body: unknown,
  options?: RequestOptions,
): ApiPromise<T> => ask(send, { method: 'POST', path: path`/${slug}/${id}/${action}`, body, options })
