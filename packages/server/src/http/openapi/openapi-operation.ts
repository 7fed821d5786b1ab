// One endpoint as an operation of the OpenAPI document: parameters, body and responses, with examples that its own
// schemas would accept.
import { entities, isNullable, itemsOf, limits, sampleBody, sampleId, sampleOf, typeOf } from '@parley/contract'
import type { TSchema } from 'typebox'
import type { Endpoint, QueryParameter } from '../endpoint.js'
import { wireFormats } from '../wire-formats.js'
import { errorResponseRefs, errorStatuses, headersNamed, rateHeaders } from './openapi-responses.js'
import { type Json, pascalCase, refTo, type Schemas, safeRange, type Use } from './openapi-schemas.js'

/** What an operation must know of its neighbours. */
export interface Surroundings {
  readonly schemas: Schemas
  /** Examples of named schemas, which operations refer to: each is added when it is first needed. */
  readonly examples: Json
  /** Whether the record at this path has a version, which `If-Match` and `If-None-Match` can name. */
  readonly isVersioned: (path: string) => boolean
}

export function operationOf(endpoint: Endpoint, around: Surroundings): Json {
  const { operationId, summary, tag, scope, body, receives } = endpoint
  return {
    operationId,
    summary,
    ...(descriptionOf(endpoint) && { description: descriptionOf(endpoint) }),
    tags: [tag],
    security:
      scope === 'none' ? [] : scope === 'user' ? [{ session: [] }] : securityOf(scope === 'any' ? 'READ' : scope),
    ...listed('parameters', [
      ...pathParameters(endpoint),
      ...queryParameters(endpoint),
      ...headerParameters(endpoint, around),
    ]),
    ...(body && { requestBody: requestBody(endpoint, around) }),
    ...(receives && { requestBody: { required: true, content: { [receives]: { schema: {} } } } }),
    responses: { ...successes(endpoint, around), ...errorResponseRefs(errorStatuses(endpoint)) },
  }
}

const JSON_TYPE = 'application/json'

/** OpenAPI 3.1 lets any scheme name the roles it needs: ours are the scopes of a key. */
const securityOf = (scope: string): Json[] => [{ apiKey: [scope] }, { session: [scope] }]

const takesIdempotencyKey = ({ method, idempotent }: Endpoint): boolean =>
  ['POST', 'PATCH', 'PUT'].includes(method) && idempotent !== false

function descriptionOf({ description, scope, body, method, isOrganizationWide }: Endpoint): string {
  const aliases = Object.entries(body?.aliases ?? {}).map(
    ([alias, { field }]) => `\`${alias}\` is accepted for \`${field}\`.`,
  )
  const needs =
    scope === 'none'
      ? 'Needs no credentials.'
      : scope === 'user'
        ? 'Needs a session of someone who signed in here; a key has nothing to do here.'
        : scope === 'any'
          ? 'Any key may use this.'
          : `Needs scope \`${scope}\`.`
  const live = isOrganizationWide && method !== 'GET' ? 'A key must be a live one.' : ''
  return [description, ...aliases, needs, live].filter(Boolean).join(' ')
}

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

function pathParameters({ path, plainParams = [] }: Endpoint): Json[] {
  return namesIn(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: name === 'id' ? `The id of the ${spoken(holderOf(path))}.` : `The ${spoken(name)}.`,
    schema: plainParams.includes(name) ? { type: 'string' } : { type: 'string', format: 'uuid' },
    ...(!plainParams.includes(name) && {
      example: sampleId(snakeCase(name === 'id' ? holderOf(path) : name.replace(/Id$/, ''))),
    }),
  }))
}

function queryParameters({ query = {} }: Endpoint): Json[] {
  return Object.entries(query).map(([name, { description, required = false, schema }]) => ({
    name,
    in: 'query',
    required,
    ...(description !== undefined && { description: `${description}.` }),
    // A list is one text with commas in it.
    ...(itemsOf(schema) && { style: 'form', explode: false }),
    schema: querySchema(schema),
  }))
}

/**
 * A query has no null, no default of a field, and nothing that is read-only; what a field must look like is no rule for
 * what is looked for.
 */
function querySchema(schema: QueryParameter['schema']): Json {
  const items = itemsOf(schema)
  if (items)
    return {
      type: 'array',
      items: querySchema(items),
      minItems: 1,
      maxItems: (schema as Json)['maxItems'] ?? limits.listItems,
    }
  const {
    default: _,
    readOnly: __,
    description: ___,
    enum: values,
    type: ____,
    minLength: _____,
    pattern: ______,
    ...rest
  } = schema as Json
  const said = Object.entries(rest).filter(([key]) => !key.startsWith('x-') && !key.startsWith('~'))
  const { patterns } = wireFormats[String(rest['format'])] ?? {}
  const pattern = patterns && { pattern: patterns.taken }
  return {
    type: typeOf(schema),
    ...safeRange(schema),
    ...Object.fromEntries(said),
    ...pattern,
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
  }
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

function requestBody({ body, method, path }: Endpoint, { schemas }: Surroundings): Json {
  const schema = body?.schema as TSchema
  const use: Use = method === 'PATCH' ? 'change' : 'request'
  const whole = sampleBody(schema, actionOf(path) ?? holderOf(path))
  const example = use === 'change' ? Object.fromEntries(Object.entries(whole).slice(0, 2)) : whole
  return {
    required: body?.required ?? false,
    description:
      `At most ${limits.bodyBytes / 1024 / 1024} MiB of JSON with at most ${limits.bodyValues} keys and items.` +
      (body?.ignored.length ? ' Fields that the service sets are accepted and ignored.' : ''),
    content: { [JSON_TYPE]: { schema: schemas.of(schema, use), example } },
  }
}

function successes(endpoint: Endpoint, around: Surroundings): Json {
  const { returns, method, path } = endpoint
  const statuses = [returns.status].flat().sort((a, b) => a - b)
  const made = statuses.map((status) => [status, success(endpoint, status, around)])
  const isConditional = method === 'GET' && around.isVersioned(path)
  return Object.fromEntries(
    isConditional ? [...made, [304, { description: 'Nothing changed since the `ETag` that you sent.' }]] : made,
  )
}

const meanings: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Taken; the rest happens soon.',
  204: 'Done; there is no body.',
  302: 'Look there.',
}

function success(endpoint: Endpoint, status: number, around: Surroundings): Json {
  const { returns, scope } = endpoint
  const isRecord = hasVersion(returns.schema)
  const description = returns.description ?? meanings[status] ?? 'Done.'
  return {
    description:
      status === 200 && [returns.status].flat().includes(201)
        ? 'What was there already, found or updated.'
        : description,
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

function contentOf(endpoint: Endpoint, around: Surroundings): Json {
  const { schema, mediaTypes = schema === null ? [] : [JSON_TYPE] } = endpoint.returns
  const contents = mediaTypes.map((type) => [
    type,
    type === JSON_TYPE && schema !== null ? answerContent(endpoint, around) : { schema: {} },
  ])
  return contents.length > 0 ? { content: Object.fromEntries(contents) } : {}
}

function answerContent({ returns, path }: Endpoint, { schemas, examples }: Surroundings): Json {
  const schema = returns.schema as TSchema
  const name = schemas.nameOf(schema, 'response')
  const json = schemas.of(schema, 'response')
  if (name === undefined) return { schema: json, example: exampleOf(schema, path, schemas) }
  examples[name] ??= { value: exampleOf(schema, path, schemas) }
  return { schema: json, examples: { [name]: refTo('examples', name) } }
}

/** What comes back, as the record that its name says, or as what its path says. */
function exampleOf(schema: TSchema, path: string, schemas: Schemas): unknown {
  const named = (one: TSchema) => lowerFirst(schemas.nameOf(one, 'response')) ?? holderOf(path)
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

/**
 * What the last collection of a path holds, as a property would be named: that of `/some-things/{id}` is `someThing`.
 */
function holderOf(path: string): string {
  const names = path.split('/').filter((part) => part !== '' && !part.startsWith('{'))
  const known = names.findLast((name) => entities.some(({ slug }) => slug === name))
  const entity = entities.find(({ slug }) => slug === known)
  return lowerFirst(pascalCase(entity?.name ?? (names[0] ?? '').replace(/s$/, ''))) ?? ''
}

function lowerFirst(name: string | undefined): string | undefined {
  return name && name.charAt(0).toLowerCase() + name.slice(1)
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const spoken = (name: string): string => snakeCase(name).replaceAll('_', ' ')
const listed = (key: string, list: readonly Json[]): Json => (list.length > 0 ? { [key]: list } : {})
