// What the rules look for: each field of the organization's definitions with the terms it goes by and the kinds of
// mentions that can fill it.

import { isObject } from '@parley/contract'
import { builtInFacts } from '../built-in-facts.js'
import type { MentionKind } from '../mention.js'
import type { ValueType, WantedFact, WorkType } from '../understanding.js'
import { plain, stemsOfTerm } from './words.js'

/** A name of a field: its label, its key or a hint. */
export interface Term {
  readonly stems: readonly string[]
  /** Those that set it apart from other fields of its kind: of "pickup date" the first. */
  readonly telling: readonly string[]
}

export interface SoughtField {
  readonly key: string
  readonly label: string
  readonly valueType: ValueType
  readonly enumValues: readonly string[]
  readonly isMany: boolean
  /** `built-in` ones take what no definition wants. */
  readonly origin: 'fact' | 'work' | 'built-in'
  readonly terms: readonly Term[]
  /** Which mentions can fill it, the likeliest first; none where words themselves do. */
  readonly kinds: readonly MentionKind[]
  /** Any short answer will do. */
  readonly isFreeText: boolean
}

/** What a field's words tell of the values that it takes. */
const tellings: readonly (readonly [MentionKind, RegExp])[] = [
  ['email', /\be-?mail/],
  ['phone', /\b(?:phone|telephone|callback|call back|cell|mobile|tel)\b/],
  ['address', /\b(?:address|location|street|where)\b/],
  [
    'money',
    /\b(?:price|cost|costs|budget|amount|fee|fees|deposit|rent|quote|fare|balance|payment|salary|charge|money)\b/,
  ],
  ['duration', /\b(?:duration|how long|length of|minutes|hours|nights)\b/],
  ['time', /\b(?:time|hour|o'clock)\b/],
  ['date', /\b(?:date|day|when|deadline|birthday)\b/],
  ['person', /\bname\b|\bwho\b/],
]

const kindsTold = (words: string): MentionKind[] =>
  tellings.filter(([, pattern]) => pattern.test(words)).map(([kind]) => kind)

type Described = Pick<WantedFact, 'key' | 'label' | 'valueType' | 'enumValues' | 'hints' | 'isMany'>

export function soughtField(wanted: Described, origin: SoughtField['origin']): SoughtField {
  const { key, label, valueType, enumValues, hints, isMany } = wanted
  const names = [label, key, ...hints]
  const terms = new Map(names.map((name) => [stemsOfTerm(name).join(' '), termOf(name)]))
  terms.delete('')
  const kinds = kindsOf(valueType, plain(names.join(' ; ').replaceAll('_', ' ')))
  const isFreeText = valueType === 'string' && kinds.length === 0
  return { key, label, valueType, enumValues, isMany, origin, terms: [...terms.values()], kinds, isFreeText }
}

/** Words that name a kind of value and no field. */
const generic = new Set(
  stemsOfTerm('date day time hour address location number phone email price cost amount money name when where'),
)

function termOf(name: string): Term {
  const stems = stemsOfTerm(name)
  return { stems, telling: stems.filter((stem) => !generic.has(stem)) }
}

function kindsOf(valueType: ValueType, words: string): MentionKind[] {
  const told = kindsTold(words)
  switch (valueType) {
    case 'date':
      return ['date']
    case 'number':
      return told.includes('money') ? ['money'] : ['number', 'duration']
    case 'json':
      return told.filter((kind) => kind === 'address' || kind === 'money')
    case 'string':
      return told.slice(0, 1)
    default:
      return []
  }
}

/** The organization's facts and the built-in ones that it has no definition of. */
export function soughtFacts(wanted: readonly WantedFact[]): SoughtField[] {
  const own = wanted.map((fact) => soughtField(fact, 'fact'))
  const keys = new Set(wanted.map(({ key }) => key))
  return [...own, ...builtInFacts.filter(({ key }) => !keys.has(key)).map((fact) => soughtField(fact, 'built-in'))]
}

/** The fields of a kind of work that are no facts of the organization. */
export function soughtWorkFields(type: WorkType | undefined, facts: readonly SoughtField[]): SoughtField[] {
  const properties = type?.fieldSchema?.['properties']
  if (!isObject(properties)) return []
  const known = new Set(facts.map(({ key }) => key))
  return Object.entries(properties)
    .filter(([key]) => !known.has(key))
    .flatMap(([key, schema]) => (isObject(schema) ? [workField(key, schema)] : []))
}

function workField(key: string, schema: Readonly<Record<string, unknown>>): SoughtField {
  const values = Array.isArray(schema['enum']) ? schema['enum'].filter((one) => typeof one === 'string') : []
  const valueType = values.length > 0 ? 'enum' : typeOfSchema(schema)
  const format = typeof schema['format'] === 'string' ? [schema['format']] : []
  const spoken = key.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
  const label = typeof schema['title'] === 'string' ? schema['title'] : spoken
  return soughtField({ key, label, valueType, enumValues: values, hints: [...format, spoken], isMany: false }, 'work')
}

function typeOfSchema({ type, format }: Readonly<Record<string, unknown>>): ValueType {
  const types: unknown[] = Array.isArray(type) ? type : [type]
  if (types.includes('integer') || types.includes('number')) return 'number'
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('string') || type === undefined) return format === 'date' ? 'date' : 'string'
  return 'json'
}
