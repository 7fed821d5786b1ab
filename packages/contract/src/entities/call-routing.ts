// What happens to a call on a number of ours: who is called, when, what the caller hears, and what is kept.
import { flag, integer, line, list, matching, nullable, object, oneOf, phone, text, withDefault } from '../field.js'
import { limits } from '../limits.js'

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const clockTime = () => matching('^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$', 'a time such as 09:00')

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
      closed: list(matching('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 'a day such as 2026-12-25')),
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
      ringSeconds: 'How many seconds a number rings before it counts as not answered.',
      strategy: 'Whether they ring all at once or one after the other.',
      hours: 'When the numbers are rung; null: always.',
      greeting: 'What the caller hears before the numbers ring.',
      consentMessage: 'What the caller hears first of all, before anything is recorded or transcribed.',
      record: 'Whether answered calls are recorded. Voicemails always are.',
      transcribe: 'Whether what is said in calls and voicemails is transcribed.',
      voicemail: 'Whether callers may leave a message when nobody answers or it is closed.',
    },
  )
