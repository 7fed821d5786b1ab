// The parameters of an operation's path and query, each with what it means and an example.
import { entities, exampleOf, itemsOf, limits, line, sampleId, typeOf } from '@parley/contract'
import type { TSchema } from 'typebox'
import type { Endpoint, QueryParameter } from '../endpoint.js'
import { wireFormats } from '../wire-formats.js'
import { lowerFirst, pascalCase } from './openapi-names.js'
import { type Json, safeRange } from './openapi-schemas.js'

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

export function pathParameters({ path, plainParams = [] }: Endpoint): Json[] {
  return namesIn(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: parameterMeaning(name, path),
    schema: plainParams.includes(name) ? { type: 'string' } : { type: 'string', format: 'uuid' },
    example: /^id$|Id$/.test(name) ? idExample(name, path, plainParams) : exampleOf(line(), name),
  }))
}

function parameterMeaning(name: string, path: string): string {
  const known: Readonly<Record<string, string>> = {
    id: `The id of the ${spoken(holderOf(path))}.`,
    expires: 'Until when the address is good, in Unix seconds.',
    signature: 'What shows that the address is one of ours.',
    file: 'The secret name of the feed.',
  }
  return (
    known[name] ?? (name.endsWith('Id') ? `The id of the ${spoken(name.replace(/Id$/, ''))}.` : `The ${spoken(name)}.`)
  )
}

/** A ULID where an id is no UUID. */
const idExample = (name: string, path: string, plainParams: readonly string[]): unknown =>
  plainParams.includes(name) && name === 'eventId'
    ? exampleOf(line(), name)
    : sampleId(snakeCase(name === 'id' ? holderOf(path) : name.replace(/Id$/, '')))

/** Their examples are those of the schema: pages that let people try requests would send one of the parameter. */
export function queryParameters({ query = {}, path }: Endpoint): Json[] {
  return Object.entries(query).map(([name, { description, required = false, schema }]) => ({
    name,
    in: 'query',
    required,
    ...(description !== undefined && { description: description.replace(/[^.]$/, '$&.') }),
    // A list is one text with commas in it.
    ...(itemsOf(schema) && { style: 'form', explode: false }),
    schema: { ...querySchema(schema), examples: [exampleOf(withoutNull(schema), name, holderOf(path))] },
  }))
}

/** A boolean of a filter is asked for to be true. */
const withoutNull = (schema: QueryParameter['schema']): TSchema =>
  typeOf(schema) === 'boolean' ? ({ type: 'boolean', default: true } as TSchema) : schema

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
    title: _______,
    enum: values,
    type: ____,
    minLength: _____,
    pattern: ______,
    ...rest
  } = schema as Json
  const said = Object.entries(rest).filter(([key]) => !key.startsWith('x-') && !key.startsWith('~'))
  const { patterns, hidesFormat } = wireFormats[String(rest['format'])] ?? {}
  const pattern = patterns && { pattern: patterns.taken }
  return {
    type: typeOf(schema),
    ...safeRange(schema),
    ...Object.fromEntries(said.filter(([key]) => key !== 'format' || !hidesFormat)),
    ...pattern,
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
  }
}

/**
 * What the last collection of a path holds, as a property would be named: that of `/some-things/{id}` is `someThing`.
 */
export function holderOf(path: string): string {
  const names = path.split('/').filter((part) => part !== '' && !part.startsWith('{'))
  const known = names.findLast((name) => entities.some(({ slug }) => slug === name))
  const entity = entities.find(({ slug }) => slug === known)
  return lowerFirst(pascalCase(entity?.name ?? (names[0] ?? '').replace(/s$/, '')))
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
export const spoken = (name: string): string => snakeCase(name).replaceAll('_', ' ')
