// What can go wrong with a request, one class per kind of trouble, so that a caller can say `catch (error) { if (error
// instanceof NotFoundError) … }`.

/** Anything that this library throws. */
export class ParleyError extends Error {
  override readonly name: string = 'ParleyError'
}

/** The service was not reached: refused, reset, no such host. */
export class ConnectionError extends ParleyError {
  override readonly name: string = 'ConnectionError'
}

/** No answer within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

/** What an answer says went wrong. */
export interface ErrorAnswer {
  readonly status: number
  /** Stable and machine-readable, for example `rate_limited`. Later versions of the service may know more codes. */
  readonly code: string
  readonly message: string
  /** For `bad_request` a list of `{path, message, code?}`, otherwise an object with a `reason` where there is one. */
  readonly details: unknown
  readonly requestId: string | null
  readonly headers: Headers
}

/** The service answered, but not with success. */
export class ApiError extends ParleyError {
  override readonly name: string = 'ApiError'
  readonly status: number
  readonly code: string
  readonly details: unknown
  readonly requestId: string | null
  readonly headers: Headers

  constructor({ status, code, message, details, requestId, headers }: ErrorAnswer) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
    this.requestId = requestId
    this.headers = headers
  }
}

/** 400: the request does not have the right shape. `issues` says where. */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError'

  get issues(): readonly { path: string; message: string; code?: string }[] {
    return Array.isArray(this.details) ? this.details : []
  }
}

/** 401: the key is missing, unknown, revoked or expired. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError'
}

/** 403: the scope of the key is too low, or the organization is not enabled. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError'
}

/** 404: nothing this key can see. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}

/** 405: the path does not take this method. */
export class MethodNotAllowedError extends ApiError {
  override readonly name = 'MethodNotAllowedError'
}

/** 409: the request contradicts the current state; `details.reason` says how. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
}

/** 413: the body is too large. */
export class PayloadTooLargeError extends ApiError {
  override readonly name = 'PayloadTooLargeError'
}

/** 415: the body is of a kind that the path does not take. */
export class UnsupportedMediaTypeError extends ApiError {
  override readonly name = 'UnsupportedMediaTypeError'
}

/**
 * 422: refused by a rule (`details.reason`), or an Idempotency-Key used twice for different things
 * (`idempotency_conflict`).
 */
export class UnprocessableError extends ApiError {
  override readonly name = 'UnprocessableError'
}

/** 429: too many requests, even after the retries. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError'
}

/** 500 and above: the trouble is on the other side. Quote `requestId` when you report it. */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError'
}

/** 503: not now. */
export class UnavailableError extends ServerError {
  override readonly name = 'UnavailableError'
}

const classes: Readonly<Record<number, new (answer: ErrorAnswer) => ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  405: MethodNotAllowedError,
  409: ConflictError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  422: UnprocessableError,
  429: RateLimitError,
  503: UnavailableError,
}

/** The error that an answer means. The body may come from something in between that speaks no JSON. */
export async function errorOf(response: Response): Promise<ApiError> {
  const { status, headers } = response
  const said = await bodyOf(response)
  const requestId = said.meta?.requestId ?? headers.get('x-request-id')
  const {
    code = `http_${status}`,
    message = `The service answered ${status}${response.statusText && ` ${response.statusText}`}`,
    details,
  } = said.error ?? {}
  const Class = classes[status] ?? (status >= 500 ? ServerError : ApiError)
  return new Class({ status, code, message, details, requestId, headers })
}

interface ErrorBody {
  error?: { code?: string; message?: string; details?: unknown }
  meta?: { requestId?: string }
}

async function bodyOf(response: Response): Promise<ErrorBody> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}
