// What an extractor is asked and what it answers: a conversation and the organization's definitions in, proposals with
// their evidence out. Nothing here reads or writes; positions are those of the segments that came in.
import type { CanonicalKind, valueTypes } from '@parley/contract'
import type { Mention, SpeechContext, SpokenSegment } from './mention.js'

export type ValueType = (typeof valueTypes)[number]

/** A fact that the organization wants to know. */
export interface WantedFact {
  readonly key: string
  readonly label: string
  readonly valueType: ValueType
  readonly enumValues: readonly string[]
  readonly hints: readonly string[]
  readonly description?: string | null
  /** Every value that is said counts, and not only the last. */
  readonly isMany: boolean
}

export interface WantedSignal {
  readonly key: string
  readonly label: string
  readonly phrases: readonly string[]
  readonly description?: string | null
}

export interface WorkType {
  readonly canonicalKind: CanonicalKind
  readonly label: string
  readonly hints: readonly string[]
  readonly fieldSchema: Readonly<Record<string, unknown>> | null
  readonly requiredFields: readonly string[]
}

/** What an organization listens for. */
export interface Vocabulary {
  readonly facts: readonly WantedFact[]
  readonly signals: readonly WantedSignal[]
  /** Those that are enabled. */
  readonly workTypes: readonly WorkType[]
}

export interface Conversation {
  readonly segments: readonly SpokenSegment[]
  readonly context: SpeechContext
  readonly vocabulary: Vocabulary
  /** What was found in the segments already, where somebody has. */
  readonly mentions?: readonly Mention[]
  /** What the rules made of the beginning of the same conversation before, to go on from. */
  readonly memory?: RulesMemory
}

/** Belongs to one conversation; empty at first. What it holds is the rules' own affair. */
export interface RulesMemory {
  lines?: unknown
  fields?: unknown
  signals?: unknown
}

/** A place in the conversation. */
export interface Place {
  readonly segmentIndex: number
  readonly start: number
  readonly end: number
  readonly quote: string
}

export interface FoundField {
  readonly key: string
  readonly label: string
  readonly value: unknown
  readonly valueType: ValueType
  readonly confidence: number
  /** Which rule found it; `model` for a model. */
  readonly rule: string
  readonly evidence: readonly Place[]
}

export interface FoundSignal {
  readonly kind: string
  readonly confidence: number
  readonly evidence: readonly Place[]
}

/** What is proposed. */
export interface Understanding {
  /** `rules`, or `model:` and its name. */
  readonly extractor: string
  /** Why the rules stood in for the model. */
  readonly fallbackReason: string | null
  readonly mentions: readonly Mention[]
  /** The organization's own facts and the built-in ones. */
  readonly facts: readonly FoundField[]
  /** What was said to be so, and then denied by the caller. */
  readonly denied: readonly Pick<FoundField, 'key' | 'value'>[]
  readonly signals: readonly FoundSignal[]
  readonly canonicalKind: CanonicalKind | null
  /** What the work record would say: the facts, and the fields of its kind of work. */
  readonly fields: readonly FoundField[]
  readonly missingFields: readonly string[]
  readonly title: string | null
  readonly summary: string | null
}

export type Extractor = (conversation: Conversation) => Promise<Understanding>
