// The text of an event as it is stored, delivered and streamed. It has a bound: one that would be larger leaves out its
// largest parts (free-form objects, lists, texts that may be null) and names them in `omitted`, so that it is never
// lost and whoever needs them can read the record.
import {
  annotationsOf,
  type EventType,
  events,
  isNullable,
  isObject,
  limits,
  propertiesOf,
  typeOf,
} from '@parley/contract'
import type { TSchema } from 'typebox'

type Values = Record<string, unknown>

/** What an event says, whatever it is about. */
export interface EventHead {
  readonly eventId: string
  readonly type: EventType
  readonly occurredAt: string
  readonly organizationId: string
  readonly environment: string
}

/** At most this much is told in one commit; from there on each event tells as little as it can. */
const COMMIT_BYTES = 4 * limits.bodyBytes

/** Writes the events of one commit. */
export function eventWriter(): (head: EventHead, data: object) => string {
  let room = COMMIT_BYTES
  return (head, data) => {
    const text = eventText(head, data, Math.min(limits.eventBytes, room))
    room = Math.max(0, room - text.length)
    return text
  }
}

/** The whole event where it fits into `mostBytes`, else without as many of its large parts as it takes. */
export function eventText(head: EventHead, data: object, mostBytes: number): string {
  const whole = JSON.stringify({ ...head, data })
  const excess = Buffer.byteLength(whole) - mostBytes
  return excess <= 0 ? whole : reduced(whole, events[head.type].data, excess)
}

function reduced(whole: string, schema: TSchema, excess: number): string {
  const event: EventHead & { data: Values } = JSON.parse(whole)
  const omitted: string[] = []
  let left = excess
  for (const { holder, name, path, bytes, empty } of largeParts(schema, event.data, '').sort(
    (a, b) => b.bytes - a.bytes,
  )) {
    if (left <= 0) break
    holder[name] = empty
    omitted.push(path)
    left -= bytes - path.length - MARKER_BYTES
  }
  return JSON.stringify({ ...event, omitted })
}

interface Part {
  readonly holder: Values
  readonly name: string
  readonly path: string
  readonly bytes: number
  /** What stands in its place, so that the event still has its promised shape. */
  readonly empty: unknown
}

/** What is smaller is told whatever happens: it is not what makes an event large. */
const PART_BYTES = 1_024
/**
 * More than a name costs in the list of what was left out, with its quotes and what stands in the place of the part.
 */
const MARKER_BYTES = 32

function largeParts(schema: TSchema, values: Values, prefix: string): Part[] {
  return Object.entries(propertiesOf(schema) ?? {}).flatMap(([name, one]) => {
    const value = values[name]
    const path = prefix + name
    if (propertiesOf(one)) return isObject(value) ? largeParts(one, value, `${path}.`) : []
    const empty = emptyOf(one)
    const bytes = empty === undefined || value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value))
    return bytes > PART_BYTES ? [{ holder: values, name, path, bytes, empty }] : []
  })
}

/** What a part may be when it is not told; undefined for one that must be told. */
function emptyOf(schema: TSchema): unknown {
  if (typeOf(schema) === 'array') return []
  if (annotationsOf(schema)['x-free-form'] && typeOf(schema) === 'object') return {}
  return isNullable(schema) ? null : undefined
}
