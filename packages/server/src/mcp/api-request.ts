// A request to the API in the place of an agent: it takes the same way as one that comes over the network, past the
// same gate with the same key, so that scopes, limits, checks, idempotency and the log are the same.
import { isObject } from '@parley/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '../http/endpoint.js'
import { badRequest } from '../store/api-error.js'

export interface ApiRequest {
  readonly endpoint: Endpoint
  readonly id?: string | undefined
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: Readonly<Record<string, unknown>> | undefined
  readonly idempotencyKey?: string | undefined
  readonly ifVersion?: number | undefined
}

export interface ApiAnswer {
  readonly status: number
  readonly body: unknown
  readonly retryAfter: string | undefined
}

export type Ask = (asked: ApiRequest) => Promise<ApiAnswer>

export const askFor =
  (app: FastifyInstance, { headers, id, ip }: FastifyRequest): Ask =>
  async (asked) => {
    const { endpoint, body, idempotencyKey, ifVersion } = asked
    const answer = await app.inject({
      method: endpoint.method,
      url: addressOf(asked),
      remoteAddress: ip,
      headers: {
        authorization: headers.authorization,
        'x-request-id': id,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(ifVersion !== undefined && { 'if-match': `"${ifVersion}"` }),
      },
      ...(body !== undefined && { payload: { ...body } }),
    })
    return {
      status: answer.statusCode,
      body: answer.payload === '' ? null : JSON.parse(answer.payload),
      retryAfter: answer.headers['retry-after']?.toString(),
    }
  }

function addressOf({ endpoint, id = '', query = {} }: ApiRequest): string {
  const path = endpoint.path.replace(/\{\w+\}/, encodeURIComponent(id))
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, queryText(name, value)] as [string, string]],
  )
  return `/api/v1${path}?${new URLSearchParams(given)}`
}

function queryText(name: string, value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',')
  if (value === null || isObject(value) || Array.isArray(value))
    throw badRequest(`filters.${name}`, 'must be a text, a number, true or false, or a list of texts', 'type')
  return String(value)
}
