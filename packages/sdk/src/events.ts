// An event as it is delivered, logged and streamed. `switch (event.type)` narrows `data`.
import type { EventData } from './records.js'

/** The types that this version knows. */
export type EventType = keyof EventData

interface Envelope {
  /** A ULID; deliveries may come twice, so tell them apart by it. */
  eventId: string
  occurredAt: string
  organizationId: string
  environment: 'sandbox' | 'production'
  /** The parts of `data` that were left out of an event that would be too large; read the record for them. */
  omitted?: string[]
}

export type EventOf<T extends EventType> = Envelope & { type: T; data: EventData[T] }

/** Stands for any text that is no known type. Only an enum stays out of the way when a `switch` narrows; it exists for the compiler alone. */
declare enum LaterType {
  later = 'a type of a later version',
}

/** An event of a later version: it ends in the `default` of a `switch` and does not disturb the rest. */
export type UnknownEvent = Envelope & { type: LaterType; data: Record<string, unknown> }

export type ParleyEvent = { [T in EventType]: EventOf<T> }[EventType] | UnknownEvent
