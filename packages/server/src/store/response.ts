// What a handler answers: a status and the JSON that goes out, already written, because the same bytes are sent, stored
// and replayed.
import type { AnyRow } from '@parley/contract'

/** `T` is what the body holds, where it was written from a value; a text that was stored fits any answer. */
export interface Answer<T = never> {
  readonly status: number
  /** The body as it goes over the wire; null for none. */
  readonly body: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** The body shows a secret, so what is kept of it is encrypted. */
  readonly secret?: boolean
  /** Shows more than its version tells, so the ETag is good for `If-Match` and never means "not modified". */
  readonly isComposed?: boolean
  /** For the compiler only: nothing has it. */
  readonly holds?: T
}

export const etag = (version: number): string => `"${version}"`

export const json = <T>(status: number, value: T, headers?: Record<string, string>): Answer<T> => ({
  status,
  body: JSON.stringify(value),
  ...(headers && { headers }),
})

/** One record, with its version as ETag. */
export const recordAnswer = <R extends AnyRow>(status: number, record: R): Answer<R> =>
  json(status, record, { etag: etag(record.version) })

export const noContent: Answer = { status: 204, body: null }

/** A success that must not be stored in the clear. */
export const withSecret = <T>(answer: Answer<T>): Answer<T> => ({ ...answer, secret: true })
