// People: the six verbs, the look-up by number, and the upsert that integrations use.
import type { Person, PersonUpdate } from '../records.js'
import { ask, type RequestOptions, type Send } from '../transport.js'
import { records } from './records.js'

/** Matched by `externalRefs`, then `primaryPhone`, then `primaryEmail`. */
export type PersonUpsert = PersonUpdate

export const people = (send: Send) => ({
  ...records(send, 'people'),
  /** The first person with this number, or null. */
  byPhone: async (phone: string, options?: RequestOptions): Promise<Person | null> =>
    (await ask<{ data: Person | null }>(send, { method: 'GET', path: '/people/by-phone', query: { phone }, options })).data,
  /** Updates the person that matches, else creates one. */
  upsert: (body: PersonUpsert, options?: RequestOptions): Promise<Person> => ask(send, { method: 'POST', path: '/people/upsert', body, options }),
})
