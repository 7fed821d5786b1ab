// Generated values for fast-check, derived from the JSON Schemas of the registry: what may be sent, beside what must be
// read back, said here in its own words so that the service is not compared with itself.
import { annotationsOf, isNullable, typeOf } from '@parley/contract'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { propertiesOf } from './endpoint-requests.js'

/** How many values a property is tried with; `PROPERTY_RUNS=20` is the full size. */
export const propertyRuns = Number(process.env['PROPERTY_RUNS'] ?? 8)

export interface Pair {
  readonly sent: unknown
  readonly kept: unknown
}

const same = (value: unknown): Pair => ({ sent: value, kept: value })

/** Any text that is valid on the wire: every code point but NUL and lone surrogates. */
const character = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((one) => one !== '\0') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('😀', 'é', 'e\u0301', '\u2028', '\u200d', '"', '\\', '\ufffd', '\u{10ffff}', '\u0001'),
  },
)
export const wireText = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(character, { maxLength: Math.min(maxLength, 40) })
    .map((parts) => [...parts.join('')].slice(0, maxLength).join(''))

const names = [
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'prototype',
  '',
  'a.b',
  'a/b',
  '~',
  '0',
  'length',
  'null',
]
const keys = fc.oneof(fc.constantFrom(...names), wireText(20)).filter((key) => key !== '__proto__')
const wireNumber = fc
  .oneof(
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
  )
  .map((value) => value + 0)

/** Any JSON value that a free-form field may hold. */
export const wireJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 5 },
    fc.constant(null),
    fc.boolean(),
    wireNumber,
    wireText(60),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(keys, tie('value'), { maxKeys: 4, noNullPrototype: true }),
})).value

const freeObject = fc.dictionary(keys, wireJson, { maxKeys: 5, noNullPrototype: true })

/** A value for a field of this schema. */
export function pairOf(schema: TSchema): fc.Arbitrary<Pair> {
  const value = plainPairOf(schema)
  return isNullable(schema) && typeOf(schema) !== undefined
    ? fc.oneof({ weight: 1, arbitrary: fc.constant(same(null)) }, { weight: 4, arbitrary: value })
    : value
}

function plainPairOf(schema: TSchema): fc.Arbitrary<Pair> {
  const { enum: values, format, 'x-free-form': isFree } = annotationsOf(schema)
  if (values) return fc.constantFrom(...values.filter((value) => value !== null)).map(same)
  if (format !== undefined) return formatted(format)
  if (isFree) return (typeOf(schema) === 'object' ? freeObject : wireJson).map(same)
  const {
    minimum = Number.MIN_SAFE_INTEGER,
    maximum = Number.MAX_SAFE_INTEGER,
    items = {},
    maxItems = 5,
  } = schema as Bounds
  switch (typeOf(schema)) {
    case 'string':
      return textOf(schema as Bounds).map(same)
    case 'integer':
      return fc.integer({ min: minimum, max: maximum }).map(same)
    case 'number':
      return fc
        .double({ min: minimum, max: maximum, noNaN: true, noDefaultInfinity: true })
        .map((value) => same(value + 0))
    case 'boolean':
      return fc.boolean().map(same)
    case 'array':
      return fc
        .array(pairOf(items), { maxLength: Math.min(maxItems, 4) })
        .map((pairs) => ({ sent: pairs.map(({ sent }) => sent), kept: pairs.map(({ kept }) => kept) }))
    case 'object':
      return completedOf(schema)
    default:
      throw new Error(`No values for ${JSON.stringify(schema)}`)
  }
}

interface Bounds {
  minimum?: number
  maximum?: number
  items?: TSchema
  maxItems?: number
  pattern?: string
  minLength?: number
  maxLength?: number
}

function textOf({ pattern, maxLength = 255, minLength = 0 }: Bounds): fc.Arbitrary<string> {
  if (pattern !== undefined && pattern !== '\\S') return fc.stringMatching(new RegExp(pattern))
  const text = fc.oneof(
    { weight: 15, arbitrary: wireText(maxLength) },
    { weight: 1, arbitrary: fc.constantFrom('a'.repeat(maxLength), '😀'.repeat(maxLength)) },
  )
  return minLength > 0
    ? text.map((value) => (/\S/.test(value) ? value : `${[...value].slice(0, maxLength - 1).join('')}x`))
    : text
}

/** Every required key, and any choice of the others. */
export function objectOf(schema: TSchema): fc.Arbitrary<Pair> {
  const { required = [] } = schema as { required?: readonly string[] }
  const pairs = Object.fromEntries(Object.entries(propertiesOf(schema)).map(([name, one]) => [name, pairOf(one)]))
  return fc.record(pairs, { requiredKeys: [...required] }).map((record) => {
    const entries = Object.entries(record as Record<string, Pair>)
    return {
      sent: Object.fromEntries(entries.map(([name, { sent }]) => [name, sent])),
      kept: Object.fromEntries(entries.map(([name, { kept }]) => [name, kept])),
    }
  })
}

/** An object within a record: whatever is left out of it is read back as its default. */
function completedOf(schema: TSchema): fc.Arbitrary<Pair> {
  const defaults = Object.entries(propertiesOf(schema))
    .map(([name, one]) => [name, annotationsOf(one).default] as const)
    .filter(([, value]) => value !== undefined)
  return objectOf(schema).map(({ sent, kept }) => ({
    sent,
    kept: { ...Object.fromEntries(defaults), ...(kept as object) },
  }))
}

function formatted(format: string): fc.Arbitrary<Pair> {
  switch (format) {
    case 'uuid':
      return fc
        .tuple(fc.uuid(), fc.boolean())
        .map(([id, isUpper]) => ({ sent: isUpper ? id.toUpperCase() : id, kept: id }))
    case 'date-time':
      return instants
    case 'phone':
    case 'recipient':
      return phones
    case 'caller-id':
      return fc.oneof(phones, callers)
    case 'email':
      return fc
        .emailAddress({ size: 'small' })
        .map((address) => ({ sent: ` ${address} `, kept: address.toLowerCase() }))
    case 'uri':
      return fc.webUrl({ withQueryParameters: true, withFragments: true, size: 'small' }).map(same)
    default:
      throw new Error(`No values for the format ${format}`)
  }
}

/** The same moment in some offset, with or without a fraction, from the first day to the last. */
const instants: fc.Arbitrary<Pair> = fc
  .tuple(
    fc.date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }),
    fc.integer({ min: -14 * 60, max: 14 * 60 }),
  )
  .map(([date, offsetMinutes]) => {
    const local = new Date(date.getTime() + offsetMinutes * 60_000).toISOString().slice(0, -1)
    const size = Math.abs(offsetMinutes)
    const offset = `${offsetMinutes < 0 ? '-' : '+'}${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`
    return { sent: local + (offsetMinutes === 0 ? 'Z' : offset), kept: date.toISOString() }
  })

const phones: fc.Arbitrary<Pair> = fc
  .tuple(
    fc.stringMatching(/^[1-9]\d{9,14}$/),
    fc.array(fc.constantFrom(' ', '-', '.', '(', ')', ''), { minLength: 15, maxLength: 15 }),
  )
  .map(([digits, marks]) => ({
    sent: `+${[...digits].map((digit, index) => digit + (marks[index] ?? '')).join('')}`,
    kept: `+${digits}`,
  }))

/** What carriers send besides numbers. */
const callers: fc.Arbitrary<Pair> = fc.oneof(
  fc.stringMatching(/^\d{3,8}$/).map(same),
  fc
    .stringMatching(/^\d{0,4}[A-Za-z][A-Za-z\d]{0,6}$/)
    .filter((name) => !/^(anonymous|restricted|unavailable|unknown)$/i.test(name))
    .map(same),
  fc.constantFrom('anonymous', 'Restricted', 'UNAVAILABLE', ' unknown ').map((sent) => ({ sent, kept: null })),
)
