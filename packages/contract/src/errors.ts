// The one catalogue of error codes: what the API can answer instead of success, and with which status.

export const errors = {
  bad_request: {
    status: 400,
    meaning: 'The request does not have the right shape. `details` lists each problem with its path.',
  },
  unauthorized: { status: 401, meaning: 'Credentials are missing, malformed, unknown, revoked or expired.' },
  unsupported_auth_scheme: { status: 401, meaning: 'The Authorization header uses a scheme other than Bearer.' },
  forbidden: { status: 403, meaning: 'The organization is not enabled for the API, or the scope is too low.' },
  not_found: { status: 404, meaning: 'Nothing the caller can see matches the path.' },
  method_not_allowed: { status: 405, meaning: 'The path exists but does not take this method; see `Allow`.' },
  request_timeout: { status: 408, meaning: 'The request stopped coming before it was complete; send it again.' },
  conflict: { status: 409, meaning: 'The request contradicts the current state; `details.reason` says how.' },
  payload_too_large: { status: 413, meaning: 'The body is larger than `details.limitBytes`.' },
  unsupported_media_type: { status: 415, meaning: 'The body is not JSON.' },
  range_not_satisfiable: {
    status: 416,
    meaning: 'The Range lies past the end; `Content-Range` tells how many bytes there are.',
  },
  expectation_failed: { status: 417, meaning: 'The only Expect that is understood is `100-continue`.' },
  idempotency_conflict: { status: 422, meaning: 'The Idempotency-Key was used for another method, path or body.' },
  unprocessable: { status: 422, meaning: 'Well-formed, but refused by a rule; `details.reason` says which.' },
  batch_failed: {
    status: 422,
    meaning: 'An item of an atomic batch failed, so nothing was written; `details.items` says which and why.',
  },
  rate_limited: { status: 429, meaning: 'Too many requests; wait for `Retry-After` seconds.' },
  internal_error: { status: 500, meaning: 'Something failed on our side; quote the request id.' },
  unavailable: { status: 503, meaning: 'Not now: try again after `Retry-After` seconds.' },
} as const satisfies Record<string, { status: number; meaning: string }>

export type ErrorCode = keyof typeof errors

/** One problem of a bad request. */
export interface Issue {
  path: string
  message: string
  code?: string
}
