// People: the six verbs, the look-up by number, the upsert that integrations use, and what happened with them.
import { type ApiPromise, dataOf } from '../api-promise.js'
import type { PersonVerbs } from '../generated/entities.js'
import type { Person, PersonUpdate } from '../generated/records.js'
import type { DuplicatePerson } from '../generated/shapes.js'
import { ask, type RequestOptions, type Send } from '../transport.js'
import { type CanBeMerged, merging } from './merging.js'
import { duplicates, type HasDuplicates, type HasTimeline, timeline } from './overview.js'
import { verbs } from './verbs.js'

/** Matched by `externalRefs`, then `primaryPhone`, then `primaryEmail`. */
export type PersonUpsert = PersonUpdate

export interface People extends PersonVerbs, HasTimeline, HasDuplicates<DuplicatePerson>, CanBeMerged<Person> {
  /** The first person with this number, or null. */
  byPhone(phone: string, options?: RequestOptions): ApiPromise<Person | null>
  /** Updates the person that matches, else creates one. */
  upsert(body: PersonUpsert, options?: RequestOptions): ApiPromise<Person>
}

export function people(send: Send): People {
  const plain: PersonVerbs = verbs(send, 'people')
  return {
    ...plain,
    ...timeline(send, 'people'),
    ...duplicates(send, 'people'),
    ...merging(send, 'people'),
    byPhone: (phone, options) =>
      dataOf(
        ask<{ data: Person | null }>(send, { method: 'GET', path: '/people/by-phone', query: { phone }, options }),
      ),
    upsert: (body, options) => ask(send, { method: 'POST', path: '/people/upsert', body, options }),
  }
}
