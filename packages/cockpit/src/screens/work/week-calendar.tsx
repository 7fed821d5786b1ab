// Appointments of a week, in the organization's zone.
import type { Appointment } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useOrganization } from '../../api/organization'
import { usePlace, useSearchParam } from '../../api/place'
import { locale, text } from '../../text'
import { Button } from '../../ui/button'
import { GoLink } from '../../ui/go-link'
import { useExact, useNow } from '../../ui/moment'
import { Failure, Waiting } from '../../ui/states'

const DAY_MS = 86_400_000
const WEEK_MAX = 1_000

/** Days are dates without a zone, kept as noon in UTC, so that no zone moves them to another day. */
const noonOf = (day: string): Date => new Date(`${day}T12:00:00Z`)
const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

/** The Monday of the week that a day is in. */
function mondayOf(day: string): Date {
  const noon = noonOf(day)
  return new Date(noon.getTime() - ((noon.getUTCDay() + 6) % 7) * DAY_MS)
}

/** The date that a moment has in the organization's zone. */
function useDayIn(): (at: string) => string {
  const timeZone = useOrganization()?.settings.timezone ?? 'UTC'
  return (at) => new Intl.DateTimeFormat('en-CA', { ...ymd, timeZone }).format(new Date(at))
}

const isDay = (value: string): boolean => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(noonOf(value).getTime())
const spelled = (day: Date, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(day)

export function WeekCalendar() {
  const { parley, key } = usePlace()
  const [week, setWeek] = useSearchParam('week')
  const dayIn = useDayIn()
  const today = dayIn(new Date(useNow(60_000)).toISOString())
  const monday = mondayOf(isDay(week) ? week : today)
  const days = Array.from({ length: 7 }, (_, index) => new Date(monday.getTime() + index * DAY_MS))
  const go = (by: number) => setWeek(dayOf(new Date(monday.getTime() + by * 7 * DAY_MS)))
  const list = useQuery({
    queryKey: [...key, 'appointments', dayOf(monday)],
    queryFn: ({ signal }) => {
      // A day more on both ends: where the zone is, the week begins earlier or later.
      const startAtFrom = new Date(monday.getTime() - 2 * DAY_MS)
      const startAtBefore = new Date(monday.getTime() + 9 * DAY_MS)
      const asked = { sort: 'startAt', startAtFrom, startAtBefore, limit: 100 } as const
      return parley.appointments.list(asked, { signal }).toArray({ max: WEEK_MAX })
    },
  })
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  if (list.data === undefined) return <Waiting />
  const onDay = (day: Date) => list.data.filter(({ startAt }) => dayIn(startAt) === dayOf(day))
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-4 py-2 sm:px-6">
        <Button aria-label={text.work.weekBefore} icon={<ChevronLeft size={16} aria-hidden />} onClick={() => go(-1)} />
        <Button aria-label={text.work.weekAfter} icon={<ChevronRight size={16} aria-hidden />} onClick={() => go(1)} />
        <Button onClick={() => setWeek('')}>{text.work.thisWeek}</Button>
        <h2 className="font-semibold">{spelled(monday, { month: 'long', year: 'numeric' })}</h2>
      </div>
      <div
        tabIndex={0}
        role="region"
        aria-label={text.work.calendar}
        className="scroll-quiet grid min-h-0 flex-1 overflow-auto border-t border-line md:grid-cols-7 md:divide-x md:divide-line"
      >
        {days.map((day) => (
          <Day key={dayOf(day)} day={day} appointments={onDay(day)} isToday={dayOf(day) === today} />
        ))}
      </div>
    </>
  )
}

const ymd = { year: 'numeric', month: '2-digit', day: '2-digit' } as const

interface DayProps {
  readonly day: Date
  readonly appointments: readonly Appointment[]
  readonly isToday: boolean
}

function Day({ day, appointments, isToday }: DayProps) {
  const exact = useExact()
  return (
    <section className="min-h-16 min-w-0 px-2 py-2 max-md:border-b max-md:border-line">
      <h3 className={`figures pb-1.5 text-xs font-medium ${isToday ? 'text-accent' : 'text-muted'}`}>
        {spelled(day, { weekday: 'short', day: 'numeric' })}
      </h3>
      <ul className="grid gap-1.5">
        {appointments.map((appointment) => (
          <li key={appointment.id}>
            <Booked appointment={appointment} time={exact(appointment.startAt, { timeStyle: 'short' })} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Leads to what the appointment is for, where that is known. */
function Booked({ appointment, time }: { appointment: Appointment; time: string }) {
  const { at } = usePlace()
  const { title, status, workRecordId, personId, customerId } = appointment
  const look = `block rounded-md border-s-2 border-accent bg-accent-soft px-2 py-1 ${status === 'canceled' ? 'line-through opacity-70' : ''}`
  const words = (
    <>
      <span className="figures block text-xs text-accent-strong">{time}</span>
      <span className="block font-medium break-words">{title}</span>
    </>
  )
  const href =
    (workRecordId !== null && at('work', workRecordId)) ||
    (personId !== null && at('people', personId)) ||
    (customerId !== null && at('people', 'customers', customerId))
  if (href === false) return <div className={look}>{words}</div>
  return (
    <GoLink href={href} className={`${look} hover:underline`}>
      {words}
    </GoLink>
  )
}
