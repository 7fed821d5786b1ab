// One endpoint as an operation of the OpenAPI document: parameters, body and responses, with examples that its own
// schemas would accept.
import { entities, isNullable, limits, sampleBody, sampleOf } from '@parley/contract'
import type { TSchema } from 'typebox'
import type { Endpoint, Returns } from '../endpoint.js'
import { bodyName, lowerFirst, pascalCase } from './openapi-names.js'
import { holderOf, pathParameters, queryParameters, spoken } from './openapi-parameters.js'
import { errorResponseRefs, errorStatuses, headersNamed, rateHeaders } from './openapi-responses.js'
import { type Json, refTo, type Schemas, type Use } from './openapi-schemas.js'

/** What an operation must know of its neighbours. */
export interface Surroundings {
  readonly schemas: Schemas
  /** Examples of named schemas, which operations refer to: each is added when it is first needed. */
  readonly examples: Json
  /** Whether the record at this path has a version, which `If-Match` and `If-None-Match` can name. */
  readonly isVersioned: (path: string) => boolean
}

export function operationOf(endpoint: Endpoint, around: Surroundings): Json {
  const { operationId, summary, tag, body, receives } = endpoint
  return {
    operationId,
    summary,
    ...(descriptionOf(endpoint) && { description: descriptionOf(endpoint) }),
    tags: [tag],
    security: securityOf(endpoint),
    ...listed('parameters', [
      ...pathParameters(endpoint),
      ...queryParameters(endpoint),
      ...headerParameters(endpoint, around),
    ]),
    ...(body && { requestBody: requestBody(endpoint, around) }),
    ...(receives && { requestBody: bytesBody([receives].flat()) }),
    responses: { ...successes(endpoint, around), ...errorResponseRefs(errorStatuses(endpoint)) },
  }
}

const JSON_TYPE = 'application/json'

/** OpenAPI 3.1 lets any scheme name the roles it needs: ours are the scopes of a key. */
function securityOf({ scope, platformScope }: Endpoint): Json[] {
  if (platformScope) return [{ platformKey: [platformScope] }]
  if (scope === 'none') return []
  if (scope === 'user') return [{ session: [] }]
  const needed = [scope === 'any' ? 'READ' : scope]
  return [{ apiKey: needed }, { session: needed }]
}

const takesIdempotencyKey = ({ method, idempotent }: Endpoint): boolean =>
  ['POST', 'PATCH', 'PUT'].includes(method) && idempotent !== false

function descriptionOf(endpoint: Endpoint): string {
  const { description, body, method, isOrganizationWide } = endpoint
  const aliases = Object.entries(body?.aliases ?? {}).map(
    ([alias, { field }]) => `\`${alias}\` is accepted for \`${field}\`.`,
  )
  const live = isOrganizationWide && method !== 'GET' ? 'A key must be a live one.' : ''
  return [description, ...aliases, needsOf(endpoint), live].filter(Boolean).join(' ')
}

function needsOf({ scope, platformScope }: Endpoint): string {
  if (platformScope) return `Needs scope \`${platformScope}\`.`
  if (scope === 'none') return 'Needs no credentials.'
  if (scope === 'user') return 'Needs a session of someone who signed in here; a key has nothing to do here.'
  return scope === 'any' ? 'Any key may use this.' : `Needs scope \`${scope}\`.`
}

function headerParameters(endpoint: Endpoint, { isVersioned }: Surroundings): Json[] {
  const { method, path } = endpoint
  const changes = method === 'PATCH' || method === 'PUT' || method === 'DELETE'
  return [
    ...(takesIdempotencyKey(endpoint) ? [refTo('parameters', 'IdempotencyKey')] : []),
    ...(changes && isVersioned(path) ? [refTo('parameters', 'IfMatch')] : []),
    ...(method === 'GET' && isVersioned(path) ? [refTo('parameters', 'IfNoneMatch')] : []),
  ]
}

/** Bytes that are no JSON, such as audio. */
/** OpenAPI 3.1 has no words for what a stream holds; each event is described with its operation. */
const EVENT_STREAM = 'text/event-stream'

function bytesBody(mediaTypes: readonly string[]): Json {
  return {
    required: true,
    description: 'The bytes themselves.',
    content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
  }
}

function requestBody({ body, method, path, operationId }: Endpoint, { schemas }: Surroundings): Json {
  const schema = body?.schema as TSchema
  const use: Use = method === 'PATCH' ? 'change' : 'request'
  const holder = actionOf(path) ?? holderOf(path)
  const whole = sampleBody(schema, holder)
  const example = use === 'change' ? Object.fromEntries(Object.entries(whole).slice(0, 2)) : whole
  return {
    required: body?.required ?? false,
    description:
      `At most ${limits.bodyBytes / 1024 / 1024} MiB of JSON with at most ${limits.bodyValues} keys and items.` +
      (body?.ignored.length ? ' Fields that the service sets are accepted and ignored.' : ''),
    content: {
      [JSON_TYPE]: { schema: schemas.of(schema, use, { holder, suggested: bodyName(operationId) }), example },
    },
  }
}

function successes(endpoint: Endpoint, around: Surroundings): Json {
  const { returns, method, path } = endpoint
  const statuses = [returns.status].flat().sort((a, b) => a - b)
  const made = statuses.map((status) => [status, success(answering(endpoint, status), status, around)])
  const isConditional = method === 'GET' && around.isVersioned(path)
  return Object.fromEntries(
    isConditional ? [...made, [304, { description: 'Nothing changed since the `ETag` that you sent.' }]] : made,
  )
}

/** The endpoint with what it carries in this status. */
const answering = (endpoint: Endpoint, status: number): Endpoint => {
  const { accepted } = endpoint.returns
  return status === 202 && accepted ? { ...endpoint, returns: { ...endpoint.returns, schema: accepted } } : endpoint
}

const meanings: Readonly<Record<number, string>> = {
  202: 'Taken; the rest happens soon.',
  204: 'Done; there is no body.',
  206: 'The part that `Range` asked for.',
  302: 'It is at `Location`.',
}

/** What comes back, by the name of its schema. */
function answerMeaning(name: string | undefined): string {
  if (name === undefined) return 'What was asked for.'
  if (name.endsWith('Page')) return 'One page of the list.'
  if (name.endsWith('List')) return 'The whole list.'
  return name.endsWith('Lookup') ? 'What was found, or null.' : `The ${spoken(lowerFirst(name))}.`
}

function success(endpoint: Endpoint, status: number, around: Surroundings): Json {
  const { returns, scope } = endpoint
  const isRecord = hasVersion(returns.schema)
  return {
    description: successMeaning(returns, status, around),
    headers: headersNamed(
      'RequestId',
      ...(scope === 'none' ? [] : rateHeaders),
      ...(isRecord ? (['ETag'] as const) : []),
      ...(status >= 300 ? (['Location'] as const) : []),
      ...(takesIdempotencyKey(endpoint) ? (['IdempotentReplayed'] as const) : []),
    ),
    ...(status !== 204 && status < 300 && contentOf(endpoint, around)),
  }
}

function successMeaning(
  { status: all, description, schema }: Returns,
  status: number,
  { schemas }: Surroundings,
): string {
  const name = schema === null ? undefined : schemas.nameOf(schema, 'response')
  const mayFind = [all].flat().includes(200) && [all].flat().includes(201)
  if (mayFind) return status === 201 ? 'It is new.' : 'It was there already, and was found or updated.'
  return description ?? meanings[status] ?? answerMeaning(name)
}

function contentOf(endpoint: Endpoint, around: Surroundings): Json {
  const { schema, mediaTypes = schema === null ? [] : [JSON_TYPE], examples = {} } = endpoint.returns
  const contents = mediaTypes.map((type) => [
    type,
    type === JSON_TYPE && schema !== null ? answerContent(endpoint, around) : rawContent(type, examples[type]),
  ])
  return contents.length > 0 ? { content: Object.fromEntries(contents) } : {}
}

/** What is no JSON: text, or bytes. */
const rawContent = (type: string, example: string | undefined): Json => ({
  schema:
    type === EVENT_STREAM ? {} : type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' },
  ...(example !== undefined && { example }),
})

function answerContent({ returns, path, operationId }: Endpoint, { schemas, examples }: Surroundings): Json {
  const schema = returns.schema as TSchema
  const suggested = `${pascalCase(operationId)}Answer`
  const name = schemas.nameOf(schema, 'response')
  const json = schemas.of(schema, 'response', { suggested, holder: holderOf(path) })
  if (name === undefined) return { schema: json, example: answerExample(schema, path, schemas) }
  examples[name] ??= { value: answerExample(schema, path, schemas) }
  return { schema: json, examples: { [name]: refTo('examples', name) } }
}

/** What comes back, as the record that its name says, or as what its path says. */
function answerExample(schema: TSchema, path: string, schemas: Schemas): unknown {
  const named = (one: TSchema) => lowerFirst(schemas.nameOf(one, 'response') ?? holderOf(path))
  const { properties } = schema as { properties?: Record<string, TSchema> }
  const data = properties?.['data']
  if (data === undefined) return sampleOf(schema, {}, named(schema))
  const { items } = data as { items?: TSchema }
  return {
    ...(sampleOf(schema) as Json),
    data: items ? [sampleOf(items, {}, named(items))] : sampleOf(data, {}, named(data)),
  }
}

export const hasVersion = (schema: TSchema | null): boolean => {
  const version = (schema as { properties?: Record<string, TSchema> } | null)?.properties?.['version']
  return version !== undefined && !isNullable(version)
}

/** What is done at the end of a path, where that is no collection: its body has words of its own. */
function actionOf(path: string): string | undefined {
  const last = path.split('/').at(-1) ?? ''
  const isAction = path.split('/').length > 2 && !last.startsWith('{') && !entities.some(({ slug }) => slug === last)
  return isAction ? lowerFirst(pascalCase(last)) : undefined
}

const listed = (key: string, list: readonly Json[]): Json => (list.length > 0 ? { [key]: list } : {})
