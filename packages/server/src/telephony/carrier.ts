// What a carrier is to us: something that takes an SMS under an idempotency key. Which carriers exist is an argument of
// the server, so that a new one is a new value.

export interface OutgoingText {
  /** The id of the SMS. A carrier that can tell sends one SMS per key, however often it is asked. */
  readonly idempotencyKey: string
  readonly from: string
  readonly to: string
  readonly body: string
  /** Since when it waits: what the carrier took before is another SMS. */
  readonly queuedAt: Date
  /** 1 for the first try. */
  readonly attempt: number
}

export type SendResult =
  | { readonly kind: 'accepted'; readonly providerMessageId: string; readonly followAfterMs?: number }
  /** The carrier will never take it. */
  | { readonly kind: 'refused'; readonly errorCode: string; readonly errorMessage: string }
  /** Not now: try again. */
  | { readonly kind: 'unavailable'; readonly errorMessage: string }

export interface SentText extends OutgoingText {
  readonly providerMessageId: string
}

export type FollowUp =
  | { readonly kind: 'waiting'; readonly followAfterMs: number }
  | { readonly kind: 'delivered'; readonly reply?: string }
  | { readonly kind: 'undelivered'; readonly errorCode: string; readonly errorMessage: string }

export interface Carrier {
  send(text: OutgoingText, signal: AbortSignal): Promise<SendResult>
  /** What became of an accepted text, for a carrier that sends no receipts of its own. */
  follow?(text: SentText, signal: AbortSignal): Promise<FollowUp>
}

/** How to open a carrier for one connection of a tenant. */
export interface CarrierAdapter {
  open(connection: {
    readonly id: string
    readonly config: Readonly<Record<string, unknown>>
    readonly credentials: Readonly<Record<string, unknown>>
  }): Carrier
}

/** The carriers this server can speak to, by the provider that a connection names. */
export type Carriers = Readonly<Record<string, CarrierAdapter>>
