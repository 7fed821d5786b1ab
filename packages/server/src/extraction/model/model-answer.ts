// What a model answered, checked: a quote that nobody said, a value of the wrong type and a key that nobody asked for
// are dropped and counted. What is left is as good as what the rules find.
import { canonicalKinds, isObject, isOneOf } from '@parley/contract'
import type { Conversation, FoundField, FoundSignal, Place, Understanding, WantedFact } from '../understanding.js'
import { maskCards } from './mask-cards.js'
import { askedFacts } from './model-request.js'

export interface Dropped {
  readonly quote: number
  readonly type: number
  readonly key: number
}

export interface CheckedAnswer {
  readonly understanding: Omit<Understanding, 'mentions' | 'missingFields' | 'denied'>
  readonly dropped: Dropped
}

/** What a model says of its own certainty is no measurement, so it never counts as certain. */
const CONFIDENCE_MAX = 0.9
const CONFIDENCE_UNSAID = 0.5
const TITLE_MAX = 255
const SUMMARY_MAX = 5_000

type Values = Readonly<Record<string, unknown>>
type Check<T> = T | keyof Dropped | undefined

/** Undefined when it is no answer of the shape that was asked for. */
export function checkAnswer(answer: unknown, conversation: Conversation, model: string): CheckedAnswer | undefined {
  if (!isObject(answer) || !isObject(answer['facts'])) return undefined
  const facts = factsIn(answer['facts'], conversation)
  const signals = signalsIn(answer['signals'], conversation)
  const dropped = [...facts, ...signals].filter((one) => typeof one === 'string')
  const count = (reason: keyof Dropped) => dropped.filter((one) => one === reason).length
  const found = facts.filter((one) => isFound<FoundField>(one))
  const { vocabulary } = conversation
  const enabled = vocabulary.workTypes.map(({ canonicalKind }) => canonicalKind)
  const kind = answer['canonicalKind']
  return {
    understanding: {
      extractor: `model:${model}`.slice(0, TITLE_MAX),
      fallbackReason: null,
      facts: found,
      fields: found,
      signals: signals.filter((one) => isFound<FoundSignal>(one)),
      canonicalKind: isOneOf(canonicalKinds, kind) && enabled.includes(kind) ? kind : null,
      title: textIn(answer['title'], TITLE_MAX),
      summary: textIn(answer['summary'], SUMMARY_MAX),
    },
    dropped: { quote: count('quote'), type: count('type'), key: count('key') },
  }
}

const isFound = <T>(one: Check<T>): one is T => typeof one === 'object' && one !== null

function factsIn(answered: Values, conversation: Conversation): Check<FoundField>[] {
  const wanted = new Map(askedFacts(conversation.vocabulary).map((fact) => [fact.key, fact]))
  return Object.entries(answered).map(([key, said]) => {
    if (said === null) return undefined
    const fact = wanted.get(key)
    return fact === undefined ? 'key' : factIn(fact, said, conversation)
  })
}

function factIn(fact: WantedFact, said: unknown, conversation: Conversation): Check<FoundField> {
  if (!isObject(said)) return 'type'
  const value = valueIn(fact, said['value'])
  if (value === undefined) return 'type'
  const place = placeOf(said, conversation)
  if (place === undefined) return 'quote'
  const { key, label, valueType } = fact
  return { key, label, value, valueType, confidence: confidenceIn(said), rule: 'model', evidence: [place] }
}

function signalsIn(answered: unknown, conversation: Conversation): Check<FoundSignal>[] {
  const kinds = new Set(conversation.vocabulary.signals.map(({ key }) => key))
  const seen = new Set<string>()
  return (Array.isArray(answered) ? answered : []).slice(0, 100).map((said: unknown) => {
    const kind = isObject(said) ? said['kind'] : undefined
    if (!isObject(said) || typeof kind !== 'string' || !kinds.has(kind)) return 'key'
    const place = placeOf(said, conversation)
    if (place === undefined) return 'quote'
    if (seen.has(kind)) return undefined
    seen.add(kind)
    return { kind, confidence: confidenceIn(said), evidence: [place] }
  })
}

/** The value, of exactly the type that the definition wants; undefined for any other. */
function valueIn({ valueType, enumValues }: WantedFact, value: unknown): unknown {
  switch (valueType) {
    case 'string':
      return typeof value === 'string' && value.trim() !== '' && value.length <= 8_000 ? value : undefined
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'enum':
      return typeof value === 'string' && enumValues.includes(value) ? value : undefined
    case 'date':
      return isDay(value) ? value : undefined
    case 'json':
      return jsonIn(value)
    default:
      return valueType satisfies never
  }
}

function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const day = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value)
}

function jsonIn(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > 8_000) return undefined
  try {
    const parsed: unknown = JSON.parse(value)
    return isObject(parsed) || Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Where the quote really stands: in the line that was named, else in any. */
function placeOf({ quote, line }: Values, { segments }: Conversation): Place | undefined {
  if (typeof quote !== 'string' || quote.trim() === '') return undefined
  const named = typeof line === 'number' ? [line] : []
  for (const segmentIndex of [...named, ...segments.keys()]) {
    const text = segments[segmentIndex]?.text ?? ''
    const start = maskCards(text).toLowerCase().indexOf(quote.trim().toLowerCase())
    const end = start + quote.trim().length
    if (start >= 0) return { segmentIndex, start, end, quote: text.slice(start, end) }
  }
  return undefined
}

const confidenceIn = ({ confidence }: Values): number =>
  typeof confidence === 'number' && confidence >= 0 && confidence <= 1
    ? Math.min(confidence, CONFIDENCE_MAX)
    : CONFIDENCE_UNSAID

const textIn = (value: unknown, length: number): string | null => {
  if (typeof value !== 'string' || value.trim() === '') return null
  return value
    .trim()
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
}
