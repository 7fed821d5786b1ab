// What a handler answers: a status and the JSON that goes out, already written, because the same bytes are sent, stored
// and replayed.
import type { AnyRow } from '@parley/contract'
import { Change } from './change.js'

export interface Answer {
  readonly status: number
  /** The body as it goes over the wire; null for none. */
  readonly body: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** The body shows a secret, so what is kept of it is encrypted. */
  readonly secret?: boolean
  /** Shows more than its version tells, so the ETag is good for `If-Match` and never means "not modified". */
  readonly isComposed?: boolean
}

export const etag = (version: number): string => `"${version}"`

export const json = (status: number, value: unknown, headers?: Record<string, string>): Answer => ({
  status,
  body: JSON.stringify(value),
  ...(headers && { headers }),
})

/** One record, with its version as ETag. */
export const recordAnswer = <R extends AnyRow>(status: number, record: R): Answer =>
  json(status, record, { etag: etag(record.version) })

export const created = (record: AnyRow): Change => new Change(recordAnswer(201, record))
export const ok = (record: AnyRow): Change => new Change(recordAnswer(200, record))
export const accepted = (value: unknown): Change => new Change(json(202, value))
export const noContent = (): Change => new Change({ status: 204, body: null })
/** A change that answers with something other than one record. */
export const answers = (answer: Answer): Change => new Change(answer)

/** A success that must not be stored in the clear. */
export const withSecret = (answer: Answer): Answer => ({ ...answer, secret: true })
