// The six verbs that any entity may take. Which of them it takes is a matter of types; at run time the service answers 405 to the rest.
import { type Listing, listing } from '../page.js'
import type { Entities, PageQuery, RecordRef } from '../records.js'
import { type Ask, ask, path, type RequestOptions, type Send } from '../transport.js'

/** What the verbs of one entity speak of. */
export interface Kind {
  record: unknown
  create: unknown
  update: unknown
  query: object
  verbs: string
}

export interface AllVerbs<K extends Kind> {
  /** `await` gives a page; `for await` gives every record, newest first. */
  list(query?: K['query'], options?: RequestOptions): Listing<K['record']>
  get(id: string, options?: RequestOptions): Promise<K['record']>
  /** With `externalRefs` that belong to one live record, that record is updated instead. */
  create(body: K['create'], options?: RequestOptions): Promise<K['record']>
  /** What is left out stays as it is; null clears. */
  update(id: string, body: K['update'], options?: RequestOptions): Promise<K['record']>
  /** What is left out goes back to its default. */
  replace(id: string, body: K['create'], options?: RequestOptions): Promise<K['record']>
  delete(id: string, options?: RequestOptions): Promise<void>
}

export type Verbs<K extends Kind> = Pick<AllVerbs<K>, K['verbs'] & keyof AllVerbs<K>>

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

interface AnyKind {
  record: AnyRecord
  create: Record<string, unknown>
  update: Record<string, unknown>
  query: PageQuery & Record<string, unknown>
  verbs: keyof AllVerbs<Kind>
}

/** The kind behind a slug; one that this version does not know has plain records. */
export type KindOf<S extends string> = S extends keyof Entities ? Entities[S] : AnyKind

export function records<S extends string>(send: Send, slug: S): Verbs<KindOf<S>> {
  const root = path`/${slug}`
  const one = (method: Ask['method'], id: string, body: unknown, options?: RequestOptions) =>
    ask<unknown>(send, { method, path: `${root}${path`/${id}`}`, body, options })
  const verbs: AllVerbs<Kind> = {
    list: (query, options) => listing(send, root, query, options),
    get: (id, options) => one('GET', id, undefined, options),
    create: (body, options) => ask(send, { method: 'POST', path: root, body, options }),
    update: (id, body, options) => one('PATCH', id, body, options),
    replace: (id, body, options) => one('PUT', id, body, options),
    delete: async (id, options) => void (await one('DELETE', id, undefined, options)),
  }
  return verbs as unknown as Verbs<KindOf<S>>
}
