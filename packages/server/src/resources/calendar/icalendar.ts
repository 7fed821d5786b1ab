// Writes a calendar as iCalendar (RFC 5545): times in UTC, lines folded at 75 octets, texts escaped. It knows no
// record.

export interface CalendarEvent {
  /** The same for as long as the event lives, and no other event's. */
  readonly uid: string
  /** Rises with each change. */
  readonly sequence: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly startAt: string
  readonly endAt: string | null
  readonly summary: string
  readonly description: string | null
  readonly location: string | null
  readonly isCanceled: boolean
}

/** How long programs may wait before they look again; most of them decide for themselves. */
const REFRESH = 'PT15M'

export function calendarText(name: string, events: readonly CalendarEvent[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Parley//Calendar feed//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...events.flatMap(eventLines),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function eventLines(event: CalendarEvent): string[] {
  const { endAt, description, location } = event
  return [
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    // When this text came to be: that of an event that does not change must not change either.
    `DTSTAMP:${utc(event.updatedAt)}`,
    `CREATED:${utc(event.createdAt)}`,
    `LAST-MODIFIED:${utc(event.updatedAt)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTART:${utc(event.startAt)}`,
    // An end must lie after the start; without one the event has no length.
    ...(endAt !== null && utc(endAt) > utc(event.startAt) ? [`DTEND:${utc(endAt)}`] : []),
    `SUMMARY:${escaped(event.summary)}`,
    ...(location ? [`LOCATION:${escaped(location)}`] : []),
    ...(description ? [`DESCRIPTION:${escaped(description)}`] : []),
    `STATUS:${event.isCanceled ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
  ]
}

/** `2026-01-31T09:30:00.000Z` as `20260131T093000Z`. */
const utc = (instant: string): string => instant.replace(/\.\d+/, '').replaceAll(/[-:]/g, '')

const escaped = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

const LINE_OCTETS = 75

/** Long lines go on after a line break and a space. No character is cut in two. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= LINE_OCTETS) return line
  let [whole, octets] = ['', 0]
  for (const character of line) {
    const more = Buffer.byteLength(character)
    const isFull = octets + more > LINE_OCTETS
    whole += isFull ? `\r\n ${character}` : character
    octets = isFull ? 1 + more : octets + more
  }
  return whole
}
