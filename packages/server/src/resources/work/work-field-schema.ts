// The subset of JSON Schema in which an organization describes the fields of its work. It has no patterns, references
// or conditionals, so that checking a value costs no more than reading it. typebox interprets it rather than compiling
// it: no code is ever made from what a caller sent.
import { type Issue, isObject, isOneOf, limits } from '@parley/contract'
import { Errors } from 'typebox/schema'
import { issuesOf } from '../../http/body-validation.js'
import { type Country, toPhone } from '../../http/telephone.js'

type Values = Record<string, unknown>

const ISSUES_MAX = 20
const jsonTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const

const isTitle = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && value.length <= limits.nameLength

const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value) && value >= 0

/** Those of the wire, and a day without a time. */
const formats = ['uuid', 'date-time', 'email', 'uri', 'phone', 'date'] as const

/** What each keyword may hold. `properties` and `items` hold schemas, and are looked into. */
const keywords: Readonly<Record<string, { isValid: (value: unknown) => boolean; expected: string }>> = {
  type: { isValid: (value) => isTypes(value), expected: `must be one or several of: ${jsonTypes.join(', ')}` },
  title: { isValid: isTitle, expected: `must be what people call it, in 1 to ${limits.nameLength} characters` },
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
    isValid: (value) => isOneOf(formats, value),
    expected: `must be one of: ${formats.join(', ')}`,
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

/** What people call a field of such work, where its schema says. */
export function fieldTitle(schema: unknown, key: string): string | undefined {
  const properties = isObject(schema) ? schema['properties'] : undefined
  const field = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined
  return isObject(field) && typeof field['title'] === 'string' ? field['title'] : undefined
}

/** What is wrong with a value under a schema that `fieldSchemaIssues` found nothing wrong with. */
export function valueIssues(schema: unknown, value: unknown, path: string, country: Country = null): Issue[] {
  if (!isObject(schema)) return []
  const [isValid, errors] = Errors(schema, plain(schema, value, country))
  return isValid ? [] : issuesOf(errors, country).map((issue) => ({ ...issue, path: joined(path, issue.path) }))
}

const joined = (path: string, inner: string): string =>
  inner === '' ? path : `${path}${inner.startsWith('[') ? '' : '.'}${inner}`

/** A copy to check: phone numbers as the country reads them, and objects that inherit no `toString`. */
function plain(schema: unknown, value: unknown, country: Country): unknown {
  const { format, items, properties } = isObject(schema) ? schema : {}
  if (typeof value === 'string') return format === 'phone' ? (toPhone(value, country) ?? value) : value
  if (Array.isArray(value)) return value.map((item) => plain(items, item, country))
  if (!isObject(value)) return value
  const copy: Values = Object.create(null)
  for (const [name, inner] of Object.entries(value))
    copy[name] = plain(isObject(properties) && Object.hasOwn(properties, name) && properties[name], inner, country)
  return copy
}
