// The subset of JSON Schema in which an organization describes the fields of its work. It has no patterns, references
// or conditionals, so that checking a value costs no more than reading it, and is interpreted here rather than
// compiled: no code is ever made from what a caller sent.
import { type Issue, isOneOf, limits } from '@parley/contract'
import { type Country, toPhone } from '../../http/telephone.js'
import { isRealDay, wireFormats } from '../../http/wire-formats.js'

type Values = Record<string, unknown>

const ISSUES_MAX = 20
const jsonTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const
type JsonType = (typeof jsonTypes)[number]

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value) && value >= 0

/** How a value of each format is recognised; those of the wire, and a day without a time. */
const formats: Readonly<Record<string, (text: string, country: Country) => boolean>> = {
  ...Object.fromEntries(
    ['uuid', 'date-time', 'email', 'uri'].map((name) => [name, (text) => wireFormats[name]?.isValid(text) ?? true]),
  ),
  phone: (text, country) => toPhone(text, country) !== undefined,
  date: (text) => {
    const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
    return match !== null && isRealDay(Number(match[1]), Number(match[2]), Number(match[3]))
  },
}

/** What each keyword may hold. `properties` and `items` hold schemas, and are looked into. */
const keywords: Readonly<Record<string, { isValid: (value: unknown) => boolean; expected: string }>> = {
  type: { isValid: (value) => isTypes(value), expected: `must be one or several of: ${jsonTypes.join(', ')}` },
  properties: { isValid: isObject, expected: 'must be an object of schemas' },
  required: {
    isValid: (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
    expected: 'must be a list of property names',
  },
  enum: {
    isValid: (value) => Array.isArray(value) && value.length > 0,
    expected: 'must be a list of at least one value',
  },
  minimum: { isValid: (value) => typeof value === 'number', expected: 'must be a number' },
  maximum: { isValid: (value) => typeof value === 'number', expected: 'must be a number' },
  minLength: { isValid: isCount, expected: 'must be a whole number from 0' },
  maxLength: { isValid: isCount, expected: 'must be a whole number from 0' },
  items: { isValid: isObject, expected: 'must be a schema' },
  format: {
    isValid: (value) => typeof value === 'string' && Object.hasOwn(formats, value),
    expected: `must be one of: ${Object.keys(formats).join(', ')}`,
  },
}

function isTypes(value: unknown): boolean {
  const types = Array.isArray(value) ? value : [value]
  return types.length > 0 && types.every((type) => isOneOf(jsonTypes, type))
}

/** What is wrong with a schema that someone wants to use; nothing when it can be used. */
export function fieldSchemaIssues(schema: unknown, path: string): Issue[] {
  if (Buffer.byteLength(JSON.stringify(schema)) > limits.fieldSchemaBytes) {
    return [{ path, message: `must be at most ${limits.fieldSchemaBytes} bytes of JSON`, code: 'size' }]
  }
  const issues = schemaIssues(schema, path)
  const isOfObjects = isObject(schema) && (schema['type'] === undefined || schema['type'] === 'object')
  if (issues.length === 0 && !isOfObjects)
    issues.push({
      path: `${path}.type`,
      message: 'must be object: it describes structuredFieldsJson as a whole',
      code: 'type',
    })
  return issues.slice(0, ISSUES_MAX)
}

function schemaIssues(schema: unknown, path: string): Issue[] {
  if (!isObject(schema)) return [{ path, message: 'must be a schema object', code: 'type' }]
  return Object.entries(schema).flatMap(([name, value]): Issue[] => {
    const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined
    const at = `${path}.${name}`
    if (keyword === undefined)
      return [{ path: at, message: `is not supported; use ${Object.keys(keywords).join(', ')}`, code: 'keyword' }]
    if (!keyword.isValid(value)) return [{ path: at, message: keyword.expected, code: 'keyword' }]
    if (name === 'items') return schemaIssues(value, at)
    return name === 'properties' && isObject(value)
      ? Object.entries(value).flatMap(([property, inner]) => schemaIssues(inner, `${at}.${property}`))
      : []
  })
}

/** What is wrong with a value under a schema that `fieldSchemaIssues` found nothing wrong with. */
export function valueIssues(schema: unknown, value: unknown, path: string, country: Country = null): Issue[] {
  return (isObject(schema) ? issuesOf(schema, value, path, country) : []).slice(0, ISSUES_MAX)
}

function issuesOf(schema: Values, value: unknown, path: string, country: Country): Issue[] {
  const types =
    schema['type'] === undefined ? undefined : [schema['type']].flat().filter((type) => isOneOf(jsonTypes, type))
  if (types && !types.some((type) => isOfType(type, value)))
    return [{ path, message: `must be ${types.join(' or ')}`, code: 'type' }]
  const { enum: allowed, items } = schema
  if (Array.isArray(allowed) && !allowed.some((one) => JSON.stringify(one) === JSON.stringify(value))) {
    const spelled = allowed.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
    return [{ path, message: `must be one of: ${spelled.join(', ')}`, code: 'enum' }]
  }
  if (typeof value === 'number') return numberIssues(schema, value, path)
  if (typeof value === 'string') return textIssues(schema, value, path, country)
  if (Array.isArray(value))
    return isObject(items) ? value.flatMap((item, index) => issuesOf(items, item, `${path}[${index}]`, country)) : []
  return isObject(value) ? propertyIssues(schema, value, path, country) : []
}

function isOfType(type: JsonType, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}

function numberIssues({ minimum, maximum }: Values, value: number, path: string): Issue[] {
  if (typeof minimum === 'number' && value < minimum)
    return [{ path, message: `must be at least ${minimum}`, code: 'minimum' }]
  return typeof maximum === 'number' && value > maximum
    ? [{ path, message: `must be at most ${maximum}`, code: 'maximum' }]
    : []
}

function textIssues({ minLength, maxLength, format }: Values, value: string, path: string, country: Country): Issue[] {
  const length = [...value].length
  if (typeof minLength === 'number' && length < minLength)
    return [{ path, message: `must have at least ${minLength} characters`, code: 'minLength' }]
  if (typeof maxLength === 'number' && length > maxLength)
    return [{ path, message: `must have at most ${maxLength} characters`, code: 'maxLength' }]
  return typeof format === 'string' && formats[format]?.(value, country) === false
    ? [{ path, message: `must be a valid ${format}`, code: 'format' }]
    : []
}

function propertyIssues({ properties, required }: Values, value: Values, path: string, country: Country): Issue[] {
  const names: unknown[] = Array.isArray(required) ? required : []
  const missing = names.filter((name) => typeof name === 'string').filter((name) => !Object.hasOwn(value, name))
  const known = Object.entries(isObject(properties) ? properties : {}).filter(([name]) => Object.hasOwn(value, name))
  return [
    ...missing.map((name) => ({ path: `${path}.${name}`, message: 'is required', code: 'required' })),
    ...known.flatMap(([name, inner]) =>
      isObject(inner) ? issuesOf(inner, value[name], `${path}.${name}`, country) : [],
    ),
  ]
}
