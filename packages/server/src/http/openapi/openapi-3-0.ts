// The document as OpenAPI 3.0, for generators that read no 3.1: the same API in the words that 3.0 has. What it has no
// words for is left out; the 3.1 document stays the source.
import type { Json } from './openapi-schemas.js'

export function asOpenApi30(document: Json): Json {
  const { info, webhooks, components, paths, ...rest } = document
  const { older } = translator((components as { schemas: Record<string, Json> }).schemas)
  return {
    ...rest,
    openapi: '3.0.3',
    info: olderInfo(info as Json),
    paths: older(paths),
    components: older(components),
    // 3.0 knows no webhooks; some tools read them here.
    'x-webhooks': older(webhooks),
  }
}

/** A license is named by a URL. */
function olderInfo(given: Json): Json {
  const { summary: _, license, ...info } = given
  const { name } = license as Json
  return { ...info, license: { name, url: 'https://www.apache.org/licenses/LICENSE-2.0' } }
}

/** The words of 3.0; `schemas` are the components, whose types stand beside what may be null. */
function translator(schemas: Record<string, Json>) {
  /** Everything below, with each schema in the older words. Examples are values, and stay as they are. */
  const older = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(older)
    if (!isObject(value)) return value
    return mapped(value, (one, key) => olderEntry(key, one))
  }

  const olderEntry = (key: string, one: unknown): unknown => {
    if (key === 'example' || key === 'examples') return one
    if (key === 'schema') return olderSchema(one as Json)
    if (key === 'schemas') return mapped(one as Json, (schema) => olderSchema(schema as Json))
    // Only OAuth has scopes there; what an operation needs stands in its description.
    if (key === 'security') return (one as Json[]).map((scheme) => mapped(scheme, () => []))
    return older(one)
  }

  const olderSchema = (schema: Json): Json => {
    const { $ref, anyOf, ...words } = schema
    if (typeof $ref === 'string')
      return Object.keys(words).length > 0 ? { allOf: [{ $ref }], ...olderWords(words) } : schema
    if (!Array.isArray(anyOf)) return olderWords(schema)
    const given: Json[] = anyOf.filter(({ type }: Json) => type !== 'null')
    const choices = given.map(olderSchema)
    const type = given.length === 1 ? typeBehind(String(given[0]?.['$ref'])) : undefined
    return {
      ...(type === undefined ? { anyOf: choices } : { allOf: choices }),
      ...olderWords(words),
      ...(given.length < anyOf.length && { ...(type !== undefined && { type }), nullable: true }),
    }
  }

  const typeBehind = (reference: string): unknown => schemas[reference.split('/').at(-1) ?? '']?.['type']

  const olderWords = (schema: Json): Json => {
    const { type, properties, items, additionalProperties, patternProperties, not, allOf } = schema
    return {
      ...Object.fromEntries(Object.entries(schema).filter(([word]) => !unknownWords.has(word))),
      ...(Array.isArray(type) && { type: type.find((one) => one !== 'null'), nullable: true }),
      ...('const' in schema && { enum: [schema['const']] }),
      ...exclusive(schema, 'minimum', 'exclusiveMinimum'),
      ...exclusive(schema, 'maximum', 'exclusiveMaximum'),
      ...(Array.isArray(schema['examples']) && { example: schema['examples'][0] }),
      ...(isObject(properties) && { properties: mapped(properties, (one) => olderSchema(one as Json)) }),
      ...(isObject(items) && { items: olderSchema(items) }),
      // Names that are let in by their pattern cannot be told from others there.
      ...(additionalProperties === false && patternProperties !== undefined && { additionalProperties: true }),
      ...(isObject(not) && { not: olderSchema(not) }),
      ...(Array.isArray(allOf) && { allOf: allOf.map(olderSchema) }),
    }
  }
  return { older }
}

/** Words that 3.0 does not have, besides those that are translated. */
const unknownWords = new Set(['if', 'then', 'else', 'dependentRequired', 'patternProperties', 'examples', 'const'])

/** A bound that is no value itself is a flag beside it. */
const exclusive = (schema: Json, bound: string, word: string): Json =>
  typeof schema[word] === 'number' ? { [bound]: schema[word], [word]: true } : {}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const mapped = (values: Json, change: (value: unknown, key: string) => unknown): Json =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value, key)]))
