// What is found in speech: the places of a conversation that name a date, a number, a person and so on, each with its
// canonical value. It says where and what, not what it means for the call.

export interface SpokenSegment {
  readonly speaker: string
  readonly text: string
}

export interface SpeechContext {
  /** When the conversation began: "tomorrow" is reckoned from here. */
  readonly startedAt: Date
  /** IANA name of the zone in which `startedAt` has a calendar day. */
  readonly timeZone: string
  /** ISO 3166-1 alpha-2: how national phone numbers, `$` and 3/4 are read. */
  readonly country: string
}

export interface Money {
  readonly amountCents: number
  /** ISO 4217. */
  readonly currency: string
}

export interface Address {
  readonly formatted: string
  readonly street: string
  readonly unit?: string
  readonly city?: string
  readonly region?: string
  readonly postalCode?: string
}

/** The canonical value of each kind. */
export interface MentionValues {
  /** `2019-03-08` */
  readonly date: string
  /** `16:15` */
  readonly time: string
  /** E.164. */
  readonly phone: string
  readonly email: string
  readonly address: Address
  readonly money: Money
  /** The name as written, in capitals where the transcript has none: `Maria Lopez`. */
  readonly person: string
  /** A count; the quote holds what is counted: "two bedrooms". */
  readonly number: number
  /** ISO 8601: `PT1H30M`, `P3D`. */
  readonly duration: string
}

export type MentionKind = keyof MentionValues

/** A value and its place in one text; `end` is exclusive. */
export type Found = {
  readonly [K in MentionKind]: {
    readonly kind: K
    readonly start: number
    readonly end: number
    readonly value: MentionValues[K]
  }
}[MentionKind]

export type Mention = Found & { readonly segmentIndex: number; readonly quote: string }
