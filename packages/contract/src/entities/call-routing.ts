// What happens to a call on a number of ours: who is called, when, what the caller hears, and what is kept.
import { flag, integer, line, list, matching, nullable, object, oneOf, phone, text, withDefault } from '../field.js'
import { limits } from '../limits.js'

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const clockTime = () => matching('^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$', 'Such as 09:00.')

const openingHours = () =>
  object(
    {
      timeZone: text(),
      weekly: list(
        object(
          { day: oneOf(weekdays), from: clockTime(), to: clockTime() },
          { day: 'The day of the week.', from: 'When it opens.', to: 'When it closes.' },
        ),
      ),
      closed: list(matching('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 'Such as 2026-12-25.')),
    },
    {
      timeZone: 'Whose clock it is, such as `America/New_York`.',
      weekly: 'The hours of each day.',
      closed: 'Days on which it stays closed, such as 2026-12-25.',
    },
  )

export const routing = () =>
  object(
    {
      forwardTo: list(phone(), 10),
      ringSeconds: withDefault(integer({ minimum: 5, maximum: 60 }), 20),
      strategy: oneOf(['simultaneous', 'sequential'], 'simultaneous'),
      hours: nullable(openingHours()),
      greeting: nullable(line(limits.announcementLength)),
      consentMessage: nullable(line(limits.announcementLength)),
      record: flag(),
      transcribe: flag(),
      voicemail: flag(true),
    },
    {
      forwardTo: 'The numbers that are rung.',
      ringSeconds: 'For how many seconds each is rung.',
      strategy: 'Whether they ring all at once or one after the other.',
      hours: 'When calls are forwarded; null: always.',
      greeting: 'What the caller hears first.',
      consentMessage: 'What the caller hears before a recording begins.',
      record: 'Whether calls are recorded.',
      transcribe: 'Whether recordings are transcribed.',
      voicemail: 'Whether a caller whom nobody answers may leave a message.',
    },
  )
