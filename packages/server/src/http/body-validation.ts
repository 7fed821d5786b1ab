// Checks what comes in against its schema and brings it to the form in which it is kept. Every problem is reported with
// its path; unknown fields are refused, read-only ones ignored, nothing is coerced.
import {
  annotationsOf,
  type Body,
  type Issue,
  itemsOf,
  limits,
  patternForms,
  type TenantSettings,
  typeOf,
  valueOf,
} from '@parley/contract'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { Settings } from 'typebox/system'
import { badRequest, badRequests, ISSUES_MAX } from '../store/api-error.js'
import type { QueryParameter } from './endpoint.js'
import { localizerOf } from './localize.js'
import type { Country } from './telephone.js'
import { expectedOf, wireFormats } from './wire-formats.js'

/** What a body or a query means depends on the country of who sends it. */
export type Locale = Pick<TenantSettings, 'defaultCountry'>

export type Shaper = (body: unknown, locale: Locale) => Record<string, unknown> | undefined

/** The library stops after eight, and one wrong field may count for several: its type, its format, its length. */
Settings.Set({ maxErrors: ISSUES_MAX * 5 })

/** Compiled at first use: a server has hundreds of shapes and a process may need few. */
export function bodyShaper(body: Body): Shaper {
  let check: ReturnType<typeof Compile> | undefined
  const keep = keeperOf(body.schema)
  const localize = localizerOf(body.schema)
  return (sent, { defaultCountry }) => {
    if (sent === undefined) {
      if (body.required) throw badRequest('', 'A JSON body is required', 'required')
      return undefined
    }
    const value = localize(named(sent, body), defaultCountry)
    check ??= Compile(body.schema)
    if (!check.Check(value)) throw badRequests(issuesOf(check.Errors(excerpt(body.schema, value))[1], defaultCountry))
    return (keep ? keep(value, '') : value) as Record<string, unknown>
  }
}

/** Aliases get their real names, read-only fields are dropped. */
function named(sent: unknown, { ignored, aliases }: Body): Record<string, unknown> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw badRequest('', 'The body must be a JSON object', 'type')
  const value: Record<string, unknown> = { ...sent }
  for (const name of ignored) if (Object.hasOwn(value, name)) delete value[name]
  for (const [alias, { field, accept = (one: unknown) => one }] of Object.entries(aliases)) {
    if (Object.hasOwn(value, field)) value[field] = accept(value[field])
    if (!Object.hasOwn(value, alias)) continue
    const meant = accept(value[alias])
    if (Object.hasOwn(value, field) && value[field] !== meant)
      throw badRequest(alias, `contradicts ${field}; send one of the two`, 'alias')
    value[field] = meant
    delete value[alias]
  }
  return value
}

/**
 * Enough of a refused value to name its problems. To look for all of them in a body made of a hundred thousand would
 * take a second.
 */
function excerpt(schema: TSchema, value: unknown): unknown {
  const {
    properties,
    items = {},
    maxItems = 0,
  } = schema as { properties?: Record<string, TSchema>; items?: TSchema; maxItems?: number }
  if (Array.isArray(value))
    return value.slice(0, Math.max(maxItems, ISSUES_MAX) + 1).map((item) => excerpt(items, item))
  if (typeof value !== 'object' || value === null || properties === undefined) return value
  const isKnown = (name: string) => Object.hasOwn(properties, name)
  const names = Object.keys(value)
  const kept = [...names.filter(isKnown), ...names.filter((name) => !isKnown(name)).slice(0, ISSUES_MAX)]
  return Object.fromEntries(
    kept.map((name) => [name, excerpt(isKnown(name) ? (properties[name] ?? {}) : {}, valueOf(value, name))]),
  )
}

interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly params: object
  readonly message: string
}

/** What the library found, in our words: at most one problem a path, each with what to do about it. */
export function issuesOf(found: readonly SchemaError[], country: Country): Issue[] {
  const issues = found.flatMap((error) => toIssues(error, country))
  // One problem per path is enough to act on.
  const isFirst = ({ path }: Issue, index: number) => issues.findIndex((other) => other.path === path) === index
  return issues.filter(isFirst).slice(0, ISSUES_MAX)
}

function toIssues({ keyword, instancePath, message, ...error }: SchemaError, country: Country): Issue[] {
  const params: Record<string, unknown> = { ...error.params }
  const path = dotted(instancePath)
  if (keyword === 'additionalProperties') return []
  if (keyword === 'boolean') return [{ path, message: 'is not a known field', code: 'unknown_field' }]
  if (keyword === 'required') {
    return (params['requiredProperties'] as string[]).map((name) => ({
      path: path ? `${path}.${name}` : name,
      message: 'is required',
      code: 'required',
    }))
  }
  return [{ path, message: sentence(keyword, params, message, country), code: keyword }]
}

function patternMessage(pattern: string, message: string): string {
  if (pattern === '\\S') return 'must not be blank'
  const form = patternForms.get(pattern)
  return form === undefined ? message : `must be ${form}`
}

function sentence(keyword: string, params: Record<string, unknown>, message: string, country: Country): string {
  const { limit } = params
  if (keyword === 'enum') return `must be one of: ${[params['allowedValues']].flat().map(shown).join(', ')}`
  if (keyword === 'format') {
    const wire = wireFormats[String(params['format'])]
    return wire ? expectedOf(wire, country) : message
  }
  if (keyword === 'pattern') return patternMessage(String(params['pattern']), message)
  if (keyword === 'minimum') return `must be at least ${limit}`
  if (keyword === 'maximum') return `must be at most ${limit}`
  if (keyword === 'minLength') return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`
  if (keyword === 'maxLength') return `must have at most ${limit} characters`
  if (keyword === 'maxItems') return `must have at most ${limit} items`
  if (keyword === 'type') return `must be ${[params['type']].flat().join(' or ')}`
  return message
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const dotted = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '')

type Keeper = (value: unknown, path: string) => unknown

/** The function that brings a valid value to its kept form, or undefined where there is nothing to do. */
function keeperOf(schema: TSchema): Keeper | undefined {
  if (annotationsOf(schema)['x-free-form']) return keepFreeForm
  const { format } = annotationsOf(schema)
  if (format !== undefined) return (value) => keepFormatted(format, value)
  if (typeOf(schema) === 'array') return keeperOfItems((schema as { items?: TSchema }).items)
  if (typeOf(schema) === 'object')
    return keeperOfProperties((schema as { properties?: Record<string, TSchema> }).properties ?? {})
  return undefined
}

function keepFormatted(format: string, value: unknown): unknown {
  const wire = wireFormats[format]
  return wire && typeof value === 'string' ? wire.keep(value) : value
}

function keeperOfItems(items: TSchema | undefined): Keeper | undefined {
  const keep = items && keeperOf(items)
  return (
    keep &&
    ((value, path) => (Array.isArray(value) ? value.map((item, index) => keep(item, `${path}[${index}]`)) : value))
  )
}

function keeperOfProperties(properties: Record<string, TSchema>): Keeper | undefined {
  const keepers = Object.entries(properties).flatMap(([name, schema]) => {
    const keep = keeperOf(schema)
    return keep ? [[name, keep] as const] : []
  })
  if (keepers.length === 0) return undefined
  return (value, path) => {
    if (typeof value !== 'object' || value === null) return value
    const kept: Record<string, unknown> = { ...value }
    for (const [name, keep] of keepers)
      if (kept[name] !== undefined) kept[name] = keep(kept[name], path ? `${path}.${name}` : name)
    return kept
  }
}

function keepFreeForm(value: unknown, path: string): unknown {
  requireFreeForm(value, path)
  return value
}

/**
 * Refuses a value of the caller's own shape that is larger, deeper or of more keys than any may be, whether it was sent
 * so or grew so.
 */
export function requireFreeForm(value: unknown, path: string): void {
  const { freeFormBytes, freeFormDepth, freeFormKeys } = limits
  if (Buffer.byteLength(JSON.stringify(value)) > freeFormBytes)
    throw badRequest(path, `must be at most ${freeFormBytes} bytes of JSON`, 'size')
  const { depth, keys } = extentOf(value)
  if (depth > freeFormDepth) throw badRequest(path, `must be nested at most ${freeFormDepth} levels deep`, 'depth')
  if (keys > freeFormKeys)
    throw badRequest(path, `must have at most ${freeFormKeys} keys, with those of the objects in it`, 'keys')
}

/** How deep a value is nested, and how many keys its objects have in all. */
function extentOf(value: unknown): { depth: number; keys: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, keys: 0 }
  const items = Object.values(value)
  const extent = { depth: 0, keys: Array.isArray(value) ? 0 : items.length }
  for (const item of items) {
    const { depth, keys } = extentOf(item)
    extent.depth = Math.max(extent.depth, depth)
    extent.keys += keys
  }
  return { depth: extent.depth + 1, keys: extent.keys }
}

/** One value of a query string: text that must read as what the schema says. */
export function shapeQueryValue(
  name: string,
  { schema, accept }: QueryParameter,
  sent: string,
  locale: Locale,
): unknown {
  const refuse = (message: string) => badRequest(name, message, 'query')
  if (sent.includes('\0') || !sent.isWellFormed()) throw refuse('must be well-formed text without NUL bytes')
  const items = itemsOf(schema)
  if (items)
    return shapeQueryList(name, schema, sent, (one) =>
      shapeQueryValue(name, { schema: items, ...(accept && { accept }) }, one, locale),
    )
  const text = accept ? accept(sent) : sent
  const { format, enum: values } = annotationsOf(schema)
  const type = typeOf(schema)
  if (type === 'integer' || type === 'number') return shapeNumber(schema, text, type, refuse)
  if (type === 'boolean') {
    if (text !== 'true' && text !== 'false') throw refuse('must be true or false')
    return text === 'true'
  }
  const { maxLength = limits.textLength } = schema as { maxLength?: number }
  if (text.length > maxLength && [...text].length > maxLength) throw refuse(`must have at most ${maxLength} characters`)
  if (format !== undefined) return shapeFormatted(format, text, locale.defaultCountry, refuse)
  if (values && !values.includes(text))
    throw refuse(`must be one of: ${values.filter((one) => one !== null).join(', ')}`)
  return text
}

/** A comma list; spaces around its items mean nothing. */
function shapeQueryList(name: string, schema: TSchema, text: string, shapeOne: (item: string) => unknown): unknown[] {
  const { maxItems = limits.listItems } = schema as { maxItems?: number }
  const items = text.split(',')
  if (items.length > maxItems) throw badRequest(name, `must have at most ${maxItems} items`, 'query')
  return items.map((item) => shapeOne(item.trim()))
}

function shapeFormatted(
  format: string,
  text: string,
  country: Country,
  refuse: (message: string) => Error,
): string | null {
  const wire = wireFormats[format]
  if (wire === undefined) return text
  const sent = withPlus(format, text, country)
  const meant = wire.localized?.(sent, country) ?? sent
  if (!wire.isValid(meant)) throw refuse(expectedOf(wire, country))
  return wire.keep(meant)
}

/**
 * An unescaped plus arrives as a space; these formats know where it belongs. Where national forms are read, a space
 * before a bracket is a space; a number with a plus has it already.
 */
function withPlus(format: string, text: string, country: Country): string {
  if (wireFormats[format]?.localized) return text.replace(country === null ? /^ (?=[^+]*$)/ : /^ (?=\d)/, '+')
  return format === 'date-time' ? text.replace(/ (?=\d\d:\d\d$)/, '+') : text
}

function shapeNumber(schema: TSchema, text: string, type: string, refuse: (message: string) => Error): number {
  const { minimum = -Number.MAX_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema as {
    minimum?: number
    maximum?: number
  }
  const value = /^-?\d+(\.\d+)?([Ee][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN
  const isFit = value >= minimum && value <= maximum && (type !== 'integer' || /^-?\d+$/.test(text))
  if (!isFit)
    throw refuse(`must be ${type === 'integer' ? 'a whole number' : 'a number'} from ${minimum} to ${maximum}`)
  return value
}
