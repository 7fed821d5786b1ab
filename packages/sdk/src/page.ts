// What `list()` gives: `await` it for one page, or iterate it for every record, page after page.
import { type WithResponse, withResponse } from './api-promise.js'
import { type Ask, type RequestOptions, readJson, type Send } from './transport.js'

export interface Page<T> {
  readonly data: readonly T[]
  /** Null on the last page. */
  readonly nextCursor: string | null
  readonly hasMore: boolean
  /** How many records the list has, when asked with `count: true`; 10,000 and not exact where there are more. */
  readonly count: number | undefined
  readonly countIsExact: boolean | undefined
  readonly requestId: string | null
  /** The page after this one; null when this is the last. */
  nextPage(): Promise<Page<T> | null>
}

interface Envelope<T> {
  data: T[]
  pagination?: { nextCursor?: string | null; count?: number; countIsExact?: boolean }
  meta?: { requestId: string }
}

/** A list that has not been asked for yet: nothing is sent until it is awaited or iterated. */
export class Listing<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #fetch: () => Promise<WithResponse<Page<T>>>
  #first: Promise<WithResponse<Page<T>>> | undefined

  constructor(fetch: () => Promise<WithResponse<Page<T>>>) {
    this.#fetch = fetch
  }

  // oxlint-disable-next-line unicorn/no-thenable -- being awaitable is what this is for.
  then<A = Page<T>, B = never>(
    done?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(done, failed)
  }

  /** The first page, with status, headers and request id of the answer. */
  withResponse(): Promise<WithResponse<Page<T>>> {
    this.#first ??= this.#fetch()
    return this.#first
  }

  catch<B = never>(failed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Page<T> | B> {
    return this.then(undefined, failed)
  }

  finally(done?: (() => void) | null): Promise<Page<T>> {
    return this.then().finally(done)
  }

  /** Page after page. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let page: Page<T> | null = await this
    while (page) {
      yield page
      page = await page.nextPage()
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data
  }

  /** All records at once, up to `max`. */
  async toArray({ max = Number.POSITIVE_INFINITY }: { max?: number } = {}): Promise<T[]> {
    const all: T[] = []
    if (max <= 0) return all
    for await (const record of this) if (all.push(record) >= max) break
    return all
  }
}

export function listing<T>(send: Send, path: string, query: object = {}, options?: RequestOptions): Listing<T> {
  const fetchPage = async (cursor?: string): Promise<WithResponse<Page<T>>> => {
    const request: Ask = { method: 'GET', path, query: cursor === undefined ? query : { ...query, cursor }, options }
    const response = await send(request)
    const { data, pagination, meta } = await readJson<Envelope<T>>(response)
    const { nextCursor = null, count, countIsExact } = pagination ?? {}
    const nextPage = async () => (nextCursor === null ? null : (await fetchPage(nextCursor)).data)
    const page = {
      data,
      nextCursor,
      hasMore: nextCursor !== null,
      count,
      countIsExact,
      requestId: meta?.requestId ?? null,
      nextPage,
    }
    return withResponse(page, response)
  }
  return new Listing(fetchPage)
}
