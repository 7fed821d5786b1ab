// src/generated/events.ts: the data of every event, by its type.
import { anyEvent, events } from '@parley/contract'
import { importOf, pascal } from './records.mjs'
import { shape } from './type-text.mjs'

const ABOUT_ENVELOPE =
  'What every event says besides its type and data. Deliveries may come twice: tell them apart by `eventId`.'

const nameOf = (type) => `${pascal(type)}Data`

export function eventsFile() {
  const { type: _, data: __, ...properties } = anyEvent.properties
  const shapes = Object.entries(events).map(([type, { data, when }]) => shape(nameOf(type), data, { about: when }))
  const all = shapes.join('\n')
  const used = Object.keys(events).map((type) => `'${type}': ${nameOf(type)}`)
  return `// The data of every event.
${importOf(all)}

${shape('EventEnvelope', { ...anyEvent, properties }, { about: ABOUT_ENVELOPE })}
${all}
/** The data of each event, by its type. */
export interface EventData {
${used.join('\n')}
}

/** The types that this version knows. */
export type EventType = keyof EventData
`
}
