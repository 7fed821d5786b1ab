// What happens to a call on a number of ours: who is called, when, what the caller hears, and what is kept.
import {
  described,
  flag,
  integer,
  line,
  list,
  matching,
  nullable,
  object,
  oneOf,
  phone,
  text,
  withDefault,
} from '../field.js'
import { limits } from '../limits.js'

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const clockTime = () => matching('^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$', 'Such as 09:00')

const openingHours = () =>
  object({
    timeZone: described(text(), 'Such as America/New_York'),
    weekly: list(object({ day: oneOf(weekdays), from: clockTime(), to: clockTime() })),
    closed: list(matching('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 'Such as 2026-12-25')),
  })

export const routing = () =>
  object({
    forwardTo: list(phone(), 10),
    ringSeconds: withDefault(integer({ minimum: 5, maximum: 60 }), 20),
    strategy: oneOf(['simultaneous', 'sequential'], 'simultaneous'),
    hours: described(nullable(openingHours()), 'When calls are forwarded; null: always'),
    greeting: nullable(line(limits.announcementLength)),
    consentMessage: nullable(line(limits.announcementLength)),
    record: flag(),
    transcribe: flag(),
    voicemail: flag(true),
  })
