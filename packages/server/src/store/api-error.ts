// Expected trouble: an error with a code from the one catalogue, whose message tells the caller what to do.
import { type ErrorCode, errors, type Issue } from '@parley/contract'

export class ApiError extends Error {
  readonly status: number
  /** May be stale: the handler is run once more before this is reported. */
  isRaceable = false

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: unknown,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.status = errors[code].status
  }
}

/** One problem of the request, named by its path. */
export const badRequest = (path: string, message: string, code?: string): ApiError =>
  badRequests([{ path, message, ...(code && { code }) }])

export function badRequests(issues: readonly Issue[]): ApiError {
  const told = issues.slice(0, ISSUES_MAX).map(toTold)
  const [first] = told
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return new ApiError(
    'bad_request',
    first ? `${first.path} ${first.message}`.trimStart() + more : 'The request is not valid',
    told,
  )
}

/**
 * A problem of the body as a whole has no path to begin its sentence with. A path is as long as the caller's own names,
 * so it is cut.
 */
function toTold({ path, message, ...rest }: Issue): Issue {
  const characters = path.length > PATH_LENGTH ? [...path.slice(0, 2 * PATH_LENGTH)] : []
  const shown = characters.length > PATH_LENGTH ? `${characters.slice(0, PATH_LENGTH).join('')}…` : path
  return { path: shown, message: path === '' && /^[a-z]/.test(message) ? `The body ${message}` : message, ...rest }
}

const PATH_LENGTH = 200
/** A refusal names as many problems as someone reads. */
export const ISSUES_MAX = 20

export const notFound = (): ApiError => new ApiError('not_found', 'No such record, or not visible to this key')
export const conflict = (reason: string, message: string, details: Record<string, unknown> = {}): ApiError =>
  new ApiError('conflict', message, { reason, ...details })
/**
 * A conflict with a record that may have come to be while the handler ran, and that it would have updated had it been
 * there before.
 */
export const raceableConflict = (reason: string, message: string, details: Record<string, unknown>): ApiError =>
  Object.assign(conflict(reason, message, details), { isRaceable: true })
export const unprocessable = (reason: string, message: string, details: Record<string, unknown> = {}): ApiError =>
  new ApiError('unprocessable', message, { reason, ...details })
export const forbidden = (reason: string, message: string, details: Record<string, unknown> = {}): ApiError =>
  new ApiError('forbidden', message, { reason, ...details })
export const unavailable = (message: string, retryAfterSeconds = 1): ApiError =>
  new ApiError('unavailable', message, undefined, { 'retry-after': String(retryAfterSeconds) })

/** Nothing was done: whoever asks again is led to where the organization lives by then. */
export class BeingMoved extends ApiError {
  constructor() {
    super('unavailable', 'This organization is being moved; try again', undefined, { 'retry-after': '1' })
  }
}

/** A move that its table does not have. */
export const illegalMove = (from: string, to: string, allowed: readonly string[]): ApiError =>
  conflict('state', `Cannot go from ${from} to ${to}${allowed.length > 0 ? `; allowed: ${allowed.join(', ')}` : ''}`, {
    from,
    to,
    allowed,
  })

/** What the envelope of an error looks like. */
export function errorBody(error: ApiError, requestId: string): string {
  const { code, message, details } = error
  return JSON.stringify({ error: { code, message, ...(details !== undefined && { details }) }, meta: { requestId } })
}
