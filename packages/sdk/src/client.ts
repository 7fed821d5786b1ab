// The client: one resource per noun, all over one `send`.

import type { Entities } from './records.js'
import { apiKeys } from './resources/api-keys.js'
import { calendarFeeds } from './resources/calendar-feeds.js'
import { calls } from './resources/calls.js'
import { deletedRecords } from './resources/deleted-records.js'
import { drafts } from './resources/drafts.js'
import { events } from './resources/events.js'
import { facts } from './resources/facts.js'
import { openapi, organization, schema } from './resources/organization.js'
import { people } from './resources/people.js'
import { type KindOf, records, type Verbs } from './resources/records.js'
import { sandbox } from './resources/sandbox.js'
import { sms } from './resources/sms.js'
import { voicemails } from './resources/voicemails.js'
import { webhooks } from './resources/webhooks.js'
import { workRecords } from './resources/work-records.js'
import { type Ask, ask, createSend, type ParleyOptions, type Send } from './transport.js'

/** Resources, made when they are first asked for. */
export class Parley {
  readonly #send: Send

  constructor(options: ParleyOptions) {
    this.#send = createSend(options)
  }

  get workRecords() {
    return workRecords(this.#send)
  }
  get people() {
    return people(this.#send)
  }
  get sms() {
    return sms(this.#send)
  }
  get messages() {
    return records(this.#send, 'messages')
  }
  get voicemails() {
    return voicemails(this.#send)
  }
  get calls() {
    return calls(this.#send)
  }
  get facts() {
    return facts(this.#send)
  }
  get factDefinitions() {
    return records(this.#send, 'fact-definitions')
  }
  get drafts() {
    return drafts(this.#send)
  }
  get signals() {
    return records(this.#send, 'signals')
  }
  get phoneNumbers() {
    return records(this.#send, 'phone-numbers')
  }
  get webhooks() {
    return webhooks(this.#send)
  }
  get events() {
    return events(this.#send)
  }
  get apiKeys() {
    return apiKeys(this.#send)
  }
  get calendarFeeds() {
    return calendarFeeds(this.#send)
  }
  get organization() {
    return organization(this.#send)
  }
  get deletedRecords() {
    return deletedRecords(this.#send)
  }
  get sandbox() {
    return sandbox(this.#send)
  }

  /** Any entity by its slug, `customers` or `money-records` for example; `schema()` lists them. */
  entity<S extends keyof Entities | (string & {})>(slug: S): Verbs<KindOf<S>> {
    return records(this.#send, slug)
  }

  /** What this key can reach. The quickest way to try a key. */
  schema(options?: Ask['options']) {
    return schema(this.#send, options)
  }

  /** The OpenAPI 3.1 description of the service. */
  openapi(options?: Ask['options']) {
    return openapi(this.#send, options)
  }

  /** Any request, for paths that this version of the client does not know. */
  request<T = unknown>(request: Ask): Promise<T> {
    return ask<T>(this.#send, request)
  }
}
