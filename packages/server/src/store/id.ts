// Ids: UUIDv7 for records, ULID for events. Both carry their time in front and rise within a process, even when the
// clock steps back.
import { randomFillSync } from 'node:crypto'
import { V7Generator } from 'uuidv7'

/** Asking for randomness costs the same for much as for little, so much is asked for at once. */
const words = new Uint32Array(1_024)
let wordsUsed = words.length

function nextUint32(): number {
  if (wordsUsed === words.length) {
    randomFillSync(words)
    wordsUsed = 0
  }
  return words[wordsUsed++] ?? 0
}

const generator = new V7Generator({ nextUint32 })
const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export function newId(now: Date): string {
  return newUuid(now).toString()
}

/** A ULID is 128 bits with milliseconds in front, and so is a UUIDv7: only the spelling differs. */
export function newEventId(now: Date): string {
  return toCrockford(newUuid(now).bytes, 26)
}

/** An event's id and the same 128 bits spelled as a UUID, for what knows ids only in that form. */
export const uuidOfEvent = (eventId: string): string => uuidText(fromCrockford(eventId).toString(16).padStart(32, '0'))
export const eventOfUuid = (uuid: string): string => toCrockford(Buffer.from(uuid.replaceAll('-', ''), 'hex'), 26)
export const isEventId = (text: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text)

const uuidText = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`

function fromCrockford(text: string): bigint {
  let value = 0n
  for (const digit of text) value = (value << 5n) | BigInt(crockford.indexOf(digit))
  return value
}

/** The time at which an id was made: a record's `createdAt`. */
export function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}

/** The time at which an event's id was made: its `occurredAt`. The first ten digits hold 48 bits of milliseconds. */
export function timeOfEvent(eventId: string): Date {
  let ms = 0
  for (const digit of eventId.slice(0, 10)) ms = ms * 32 + crockford.indexOf(digit)
  return new Date(ms)
}

/** The smallest event id of a given time. */
export const firstEventIdAt = (time: Date): string => eventOfUuid(firstIdAt(time))

/** The smallest id of a given time, for comparing ids with instants. */
export function firstIdAt(time: Date): string {
  const hex = Math.max(0, Math.min(time.getTime(), 2 ** 48 - 1))
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** Crockford's base32, most significant digit first, padded with zeros in front. */
export function toCrockford(bytes: Uint8Array, length: number): string {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  let text = ''
  for (let digit = 0; digit < length; digit++) {
    text = crockford[Number(value & 31n)] + text
    value >>= 5n
  }
  return text
}

/** A clock that is set back by less does not set back the ids. */
export const CLOCK_STEP_BACK_MS = 60 * 60 * 1000

function newUuid(now: Date) {
  return generator.generateOrResetCore(now.getTime(), CLOCK_STEP_BACK_MS)
}
