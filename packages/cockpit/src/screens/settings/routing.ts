// What happens to calls, as its form holds it.
import type { PhoneNumber } from '@parley/sdk'

export type Routing = NonNullable<PhoneNumber['routing']>
export type Hours = NonNullable<Routing['hours']>
export type Opening = Hours['weekly'][number]

export const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Day = (typeof days)[number]

export const newRouting = (): Routing => ({
  forwardTo: [''],
  ringSeconds: 20,
  strategy: 'simultaneous',
  hours: null,
  greeting: null,
  consentMessage: null,
  record: false,
  transcribe: false,
  voicemail: true,
})

/** Nine to five, Monday to Friday, on the clock of the organization. */
export const newHours = (timeZone: string): Hours => ({
  timeZone,
  weekly: days.slice(0, 5).map((day) => ({ day, from: '09:00', to: '17:00' })),
  closed: [],
})

/** Without what was left empty, the week in its order. */
export function sentRouting({ forwardTo, hours, ...rest }: Routing): Routing {
  const place = ({ day, from }: Opening) => `${days.findIndex((one) => one === day)} ${from}`
  const weekly = hours?.weekly.toSorted((one, other) => (place(one) < place(other) ? -1 : 1)) ?? []
  return {
    ...rest,
    forwardTo: forwardTo.map((number) => number.trim()).filter(Boolean),
    hours: hours && { ...hours, weekly, closed: [...new Set(hours.closed.filter(Boolean))].toSorted() },
  }
}

/** A clock in a form has no 24:00: midnight ends a day there as 00:00. */
export const shownEnd = (to: string): string => (to === '24:00' ? '00:00' : to)
export const saidEnd = (to: string): string => (to === '00:00' ? '24:00' : to)
