// Whether a number is answered at this moment, by the hours of its routing.
import { weekdays } from '@parley/contract'
import type { Routing } from '../provider.js'

type Hours = NonNullable<Routing['hours']>

/** Without hours it always is. An end that is not after its beginning lies on the next day. */
export function isOpen(hours: Hours | null, now: Date): boolean {
  if (hours === null) return true
  const { date, day, time } = clockIn(hours.timeZone, now)
  if (hours.closed.includes(date)) return false
  const before = weekdays[(weekdays.indexOf(day) + 6) % 7]
  return hours.weekly.some(({ day: on, from, to }) => {
    if (from < to) return on === day && time >= from && time < to
    return (on === day && time >= from) || (on === before && time < to)
  })
}

function clockIn(timeZone: string, now: Date): { date: string; day: (typeof weekdays)[number]; time: string } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const parts = new Map<string, string>(format.formatToParts(now).map(({ type, value }) => [type, value]))
  const part = (name: string) => parts.get(name) ?? ''
  const day = weekdays.find((one) => one === part('weekday').toLowerCase())
  if (day === undefined) throw new Error(`No weekday in ${timeZone}`)
  return { date: `${part('year')}-${part('month')}-${part('day')}`, day, time: `${part('hour')}:${part('minute')}` }
}
