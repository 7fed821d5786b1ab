// What a method of the client gives: a promise of the record, which also tells how the service answered when that is
// asked for.

/** How the service answered a request that succeeded. */
export interface WithResponse<T> {
  readonly data: T
  readonly status: number
  readonly headers: Headers
  /** What to quote when you ask about this request. */
  readonly requestId: string | null
}

export const withResponse = <T>(data: T, { status, headers }: Response): WithResponse<T> => ({
  data,
  status,
  headers,
  requestId: headers.get('x-request-id'),
})

/** A promise like any other; `withResponse()` gives status, headers and request id beside what it resolves to. */
export class ApiPromise<T> extends Promise<T> {
  readonly #answer: Promise<WithResponse<T>>

  /** What `then` and `catch` give is a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  constructor(answer: Promise<WithResponse<T>>) {
    super((resolve, reject) => void answer.then(({ data }) => resolve(data), reject))
    this.#answer = answer
  }

  /** The same, with how the service answered. */
  withResponse(): Promise<WithResponse<T>> {
    // Whoever asks for this hears of a failure here, so nobody has to listen to the plain promise as well.
    this.catch(() => undefined)
    return this.#answer
  }
}

/** The list within an answer, for methods that give the list alone. */
export const dataOf = <T>(promise: ApiPromise<{ data: T }>): ApiPromise<T> =>
  new ApiPromise(promise.withResponse().then(({ data, ...answer }) => ({ ...answer, data: data.data })))
