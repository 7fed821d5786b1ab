// The OpenAPI 3.1 document of the API, made from the list of endpoints and the registry. A pure function: whoever
// serves it keeps the text.
import { errorResponse, storedEntities, whatIsKept } from '@parley/contract'
import type { Endpoint } from '../endpoint.js'
import { pascalCase } from './openapi-names.js'
import { hasVersion, operationOf } from './openapi-operation.js'
import { errorResponses, errorStatuses, headerParameters, headers } from './openapi-responses.js'
import { createSchemas, type Json, refTo } from './openapi-schemas.js'
import { webhooksOf, webhookTag } from './openapi-webhooks.js'

export interface DocumentParts {
  readonly endpoints: readonly Endpoint[]
  /** Where clients reach the service, without the path of the API. */
  readonly publicUrl: string
  /** What the document says of the API as a whole. */
  readonly about?: AboutApi
}

export interface AboutApi {
  readonly path: string
  readonly info: Json
  readonly securitySchemes: Json
}

const API_PATH = '/api/v1'

export function openApiDocument({ endpoints, publicUrl, about = aboutApi() }: DocumentParts): Json {
  const schemas = createSchemas(storedEntities)
  const versioned = new Set(
    endpoints.filter(({ method, returns }) => method === 'GET' && hasVersion(returns.schema)).map(({ path }) => path),
  )
  const paths: Record<string, Json> = {}
  const examples: Json = {}
  for (const endpoint of endpoints) {
    const operation = operationOf(endpoint, { schemas, examples, isVersioned: (path) => versioned.has(path) })
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation }
  }
  schemas.of(errorResponse, 'response')
  const { webhooks, parameters } = webhooksOf(schemas)
  const shared = shareParameters(paths)
  const responses = errorResponses(endpoints.flatMap(errorStatuses))
  return {
    openapi: '3.1.0',
    info: about.info,
    servers: [
      { url: publicUrl.replace(/\/+$/, '') + about.path, description: 'This service.' },
      { url: about.path, description: 'The host that serves this document.' },
    ],
    tags: tagsOf(endpoints),
    security: Object.keys(about.securitySchemes).map((name) => ({ [name]: [] })),
    paths,
    webhooks,
    components: {
      securitySchemes: about.securitySchemes,
      schemas: schemas.components(),
      parameters: { ...headerParameters, ...shared, ...parameters },
      headers: headersUsed(paths, responses),
      examples,
      responses,
    },
  }
}

const aboutApi = (): AboutApi => ({ path: API_PATH, info, securitySchemes })

/** No component stands there unused. */
function headersUsed(...parts: readonly Json[]): Json {
  const text = JSON.stringify(parts)
  const used = Object.entries(headers).filter(([name]) => text.includes(`"#/components/headers/${name}"`))
  return Object.fromEntries(used)
}

const SHARED_FROM = 10

/** Moves the parameters that many operations have alike, such as those of every list, among the components. */
function shareParameters(paths: Record<string, Json>): Json {
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as { parameters?: Json[] }[])
  const counts = new Map<string, number>()
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    const text = JSON.stringify(parameter)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const common = [...counts]
    .filter(([text, count]) => count >= SHARED_FROM && !text.startsWith('{"$ref"'))
    .map(([text]) => JSON.parse(text) as { name: string })
  // Two that differ under one name stay where they are.
  const shared = common.filter(({ name }) => common.filter((other) => other.name === name).length === 1)
  const refs = new Map(
    shared.map((parameter) => [JSON.stringify(parameter), refTo('parameters', pascalCase(parameter.name))]),
  )
  for (const operation of operations) {
    if (operation.parameters)
      operation.parameters = operation.parameters.map((parameter) => refs.get(JSON.stringify(parameter)) ?? parameter)
  }
  return Object.fromEntries(shared.map((parameter) => [pascalCase(parameter.name), parameter]))
}

/** In the order of the endpoints. A tag that is no entity's label is described by what can be done under it. */
function tagsOf(endpoints: readonly Endpoint[]): Json[] {
  const names = [...new Set(endpoints.map(({ tag }) => tag))]
  const described = names.map((name) => ({
    name,
    description:
      storedEntities.find(({ label }) => label === name)?.description ??
      endpoints
        .filter(({ tag }) => tag === name)
        .map(({ summary }) => `${summary}.`)
        .join(' '),
  }))
  return [...described, { name: webhookTag, description: 'What Parley sends to the URLs that you subscribe.' }]
}

const securitySchemes: Json = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'ak_test_… or ak_live_…',
    description:
      'A key belongs to one environment of one organization: `ak_test_…` to the sandbox, `ak_live_…` to ' +
      'production. Scopes: READ, WRITE, ADMIN, each with the ones before it.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__session',
    description:
      'Someone who signed in here, with the headers `X-Parley-Organization` and `X-Parley-Environment`; or a token ' +
      'of the configured OpenID Connect issuer, which acts on production unless `X-Parley-Environment: sandbox` is ' +
      'sent. Roles are scopes: owner ADMIN, agent WRITE, viewer READ. Writes must come from the same origin.',
  },
}

const info: Json = {
  title: 'Parley API',
  version: 'v1',
  summary: 'The system of record for live conversational work.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  description: `${whatIsKept}: written and read here, and told to you by signed
webhooks.

**Start.** Send \`Authorization: Bearer ak_test_…\` to \`GET ${API_PATH}/schema\`: it answers with what your key can
reach.

**Lists** come newest first in pages: \`{data, pagination: {limit, nextCursor}, meta: {requestId}}\`. Pass
\`nextCursor\` as \`cursor\` for the next page; the last one has \`nextCursor: null\`. An unknown query parameter is
refused.

**Writes** are JSON. Unknown fields are refused, so that no typo is lost. PATCH keeps what you leave out, and clears
what you send as null. Send an \`Idempotency-Key\` with POST, PATCH and PUT, and repeat the request without fear.

**Errors** have one shape: \`{error: {code, message, details?}, meta: {requestId}}\`. A method that a path does not
take is answered with 405 and \`Allow\`. Quote \`x-request-id\` when you ask for help.

**Limits.** Each environment of an organization has a bucket for reads and one for writes, and so has each signed-in
user; \`X-RateLimit-*\` says how full it is, and 429 comes with \`Retry-After\`.

**Compatibility.** Answers and events may gain fields: ignore those you do not know. What would break you gets a new
version in the path.`,
}
