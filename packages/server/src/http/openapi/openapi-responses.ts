// The parts that operations of the OpenAPI document share: headers, header parameters and the error responses, all from
// the one catalogue.
import { type ErrorCode, errors, limits } from '@parley/contract'
import type { Endpoint } from '../endpoint.js'
import { pascalCase } from './openapi-names.js'
import { type Json, refTo } from './openapi-schemas.js'

const requestId = 'f6c1d7d2-5f0e-4c0b-9a55-0d7f3c1b2a10'

const header = (description: string, schema: Json, example: unknown): Json => ({ description, schema, example })
const text = { type: 'string' }
const integer = { type: 'integer' }

export const headers = {
  RequestId: header(
    'The id of this request: your own `x-request-id` when you sent one, else a new one.',
    text,
    requestId,
  ),
  RateLimitLimit: header('How many requests can be made at once: the size of the bucket.', integer, 200),
  RateLimitRemaining: header('How many requests are left in the bucket.', integer, 187),
  RateLimitReset: header('When the bucket will be full again, in Unix seconds.', integer, 1772463848),
  RetryAfter: header('Seconds to wait before the next try.', { type: 'integer', minimum: 1 }, 1),
  ETag: header('The version of the record, for `If-Match` and `If-None-Match`.', text, '"3"'),
  IdempotentReplayed: header(
    '`true` when this is the stored answer to an earlier request with the same key.',
    { type: 'string', enum: ['true'] },
    'true',
  ),
  WwwAuthenticate: header('The scheme that is understood.', text, 'Bearer'),
  Location: header('Where to go.', { type: 'string', format: 'uri' }, 'https://example.com/somewhere'),
} as const satisfies Record<string, Json>

const names: Readonly<Record<keyof typeof headers, string>> = {
  RequestId: 'x-request-id',
  RateLimitLimit: 'X-RateLimit-Limit',
  RateLimitRemaining: 'X-RateLimit-Remaining',
  RateLimitReset: 'X-RateLimit-Reset',
  RetryAfter: 'Retry-After',
  ETag: 'ETag',
  IdempotentReplayed: 'Idempotent-Replayed',
  WwwAuthenticate: 'WWW-Authenticate',
  Location: 'Location',
}

export const headersNamed = (...keys: readonly (keyof typeof headers)[]): Json =>
  Object.fromEntries(keys.map((key) => [names[key], refTo('headers', key)]))

export const rateHeaders = ['RateLimitLimit', 'RateLimitRemaining', 'RateLimitReset'] as const

/** Their examples are those of the schema: pages that let people try requests would send one of the parameter. */
export const headerParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      `Makes the request safe to repeat: for ${limits.idempotencyHours} hours the same key with the ` +
      'same request gets the same answer, and nothing happens twice. A UUID is best.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: limits.idempotencyKeyLength,
      pattern: '^[!-~]+$',
      examples: ['0b6f1c52-6a3f-4d7e-9a55-3f1c8e2d7b90'],
    },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The version that you have seen, as in `ETag`, for example `"3"`. If the record has moved on ' +
      'since, nothing is changed and the answer is 409.',
    schema: { ...text, examples: ['"3"'] },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of what you have. If nothing changed since, the answer is 304 without a body.',
    schema: { ...text, examples: ['"3"'] },
  },
} as const satisfies Record<string, Json>

/** What each code looks like in an answer. */
const errorExamples: Readonly<Record<ErrorCode, { readonly message: string; readonly details?: unknown }>> = {
  bad_request: { message: 'title is required', details: [{ path: 'title', message: 'is required', code: 'required' }] },
  unauthorized: { message: 'Send a valid API key as Authorization: Bearer ak_…' },
  unsupported_auth_scheme: { message: 'Only the Bearer scheme is supported', details: { supported: ['Bearer'] } },
  forbidden: { message: 'This needs a key with scope WRITE', details: { reason: 'scope', requiredScope: 'WRITE' } },
  not_found: { message: 'No such record, or not visible to this key' },
  method_not_allowed: { message: '/schema takes GET, HEAD', details: { allowed: ['GET', 'HEAD'] } },
  request_timeout: { message: 'The request did not come in time; send it again' },
  conflict: {
    message: 'Cannot go from completed to blocked; allowed: active',
    details: { reason: 'state', from: 'completed', to: 'blocked', allowed: ['active'] },
  },
  payload_too_large: {
    message: `The body is larger than ${limits.bodyBytes} bytes`,
    details: { limitBytes: limits.bodyBytes },
  },
  unsupported_media_type: { message: 'Send JSON with Content-Type: application/json' },
  range_not_satisfiable: { message: 'The recording has 48000 bytes' },
  expectation_failed: { message: 'Leave out Expect, or send 100-continue' },
  idempotency_conflict: { message: 'This Idempotency-Key was used for another request; take a new one' },
  unprocessable: {
    message: '+12025550143 has opted out of texts',
    details: { reason: 'recipient_opted_out', to: '+12025550143' },
  },
  batch_failed: {
    message: '1 of 2 items failed; nothing was written',
    details: { items: [{ index: 1, status: 404, error: { code: 'not_found', message: 'No such record' } }] },
  },
  rate_limited: { message: 'Too many writes; wait 1 s' },
  internal_error: { message: 'Something failed on our side; quote the request id' },
  unavailable: { message: 'The service is stopping; try another node' },
}

export const errorBodyOf = (code: ErrorCode): Json => ({ error: { code, ...errorExamples[code] }, meta: { requestId } })

const codes = Object.keys(errors) as ErrorCode[]
const codesOf = (status: number): ErrorCode[] => codes.filter((code) => errors[code].status === status)

/** A response is named after the plainest of its codes: a single word where there is one, and the shortest. */
const responseName = (status: number): string =>
  pascalCase([...codesOf(status)].sort((a, b) => plainness(a) - plainness(b))[0] ?? `status-${status}`)

const plainness = (code: string): number => code.length + (code.includes('_') ? 100 : 0)

/** The statuses other than success that an endpoint can answer with. */
export function errorStatuses({
  method,
  path,
  scope,
  platformScope,
  body,
  receive,
  receives,
  idempotent,
  returns,
  holdsSecret,
  isForPages = false,
}: Endpoint): number[] {
  const hasBody = body !== undefined || receive !== undefined
  const isWrite = method !== 'GET'
  const isPageWrite = isForPages && isWrite
  const isKeyed = isWrite && method !== 'DELETE' && idempotent !== false
  const possible: readonly [number, boolean][] = [
    [400, true],
    [401, scope !== 'none' || isPageWrite],
    // Without credentials it is the address itself that can be refused.
    [403, scope !== 'none' || isPageWrite || (path.includes('{') && !holdsSecret)],
    [404, path.includes('{') || platformScope !== undefined],
    [408, hasBody],
    [409, isWrite],
    [413, hasBody],
    [415, hasBody],
    [416, [returns.status].flat().includes(206)],
    // What takes no bytes of its own asks somebody else first, who may have nothing to say.
    [422, isKeyed || isPageWrite || (receive !== undefined && receives === undefined)],
    [429, scope !== 'none' || isForPages || holdsSecret === true],
    [500, true],
    [503, true],
  ]
  return possible.filter(([, isPossible]) => isPossible).map(([status]) => status)
}

export const errorResponseRefs = (statuses: readonly number[]): Json =>
  Object.fromEntries(statuses.map((status) => [status, refTo('responses', responseName(status))]))

export const errorResponses = (statuses: readonly number[]): Json =>
  Object.fromEntries(
    [...new Set(statuses)].sort((a, b) => a - b).map((status) => [responseName(status), errorResponse(status)]),
  )

function errorResponse(status: number): Json {
  const isLimited = status === 429
  const mayRetry = isLimited || status === 503
  const more = [
    ...(isLimited ? rateHeaders : []),
    ...(mayRetry ? (['RetryAfter'] as const) : []),
    ...(status === 401 ? (['WwwAuthenticate'] as const) : []),
  ]
  const own = codesOf(status)
  return {
    description:
      own.length === 1
        ? errors[own[0] as ErrorCode].meaning
        : own.map((code) => `- \`${code}\`: ${errors[code].meaning}`).join('\n'),
    headers: headersNamed('RequestId', ...more),
    content: {
      'application/json': {
        schema: refTo('schemas', 'ErrorResponse'),
        examples: Object.fromEntries(own.map((code) => [code, { value: errorBodyOf(code) }])),
      },
    },
  }
}
