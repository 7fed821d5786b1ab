// An event as it is delivered, logged and streamed. `switch (event.type)` narrows `data`.
import type { EventData, EventEnvelope, EventType } from './generated/events.js'

export type EventOf<T extends EventType> = EventEnvelope & { type: T; data: EventData[T] }

/**
 * Stands for any text that is no known type. Only an enum stays out of the way when a `switch` narrows; it exists for
 * the compiler alone.
 */
declare enum LaterType {
  later = 'a type of a later version',
}

/** An event of a later version: it ends in the `default` of a `switch` and does not disturb the rest. */
export type UnknownEvent = EventEnvelope & { type: LaterType; data: Record<string, unknown> }

export type ParleyEvent = { [T in EventType]: EventOf<T> }[EventType] | UnknownEvent
