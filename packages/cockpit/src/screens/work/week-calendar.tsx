// Appointments of a week, in the organization's zone.
import type { Appointment } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { usePlace, useSearchParam } from '../../api/place'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { useExact } from '../../ui/moment'
import { Failure, Waiting } from '../../ui/states'

const DAY_MS = 86_400_000

/** The Monday of the week that a day is in, as a date. */
function mondayOf(day: string): Date {
  const date = /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T12:00:00Z`) : new Date()
  const monday = new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS)
  monday.setUTCHours(12, 0, 0, 0)
  return monday
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

export function WeekCalendar() {
  const { parley, key } = usePlace()
  const [week, setWeek] = useSearchParam('week')
  const exact = useExact()
  const monday = mondayOf(week)
  const days = Array.from({ length: 7 }, (_, index) => new Date(monday.getTime() + index * DAY_MS))
  const go = (by: number) => setWeek(dayOf(new Date(monday.getTime() + by * 7 * DAY_MS)))
  const list = useQuery({
    queryKey: [...key, 'appointments', dayOf(monday)],
    queryFn: async ({ signal }) => {
      // A day more on both ends: where the zone is, the week begins earlier or later.
      const span = {
        startAtFrom: new Date(monday.getTime() - 2 * DAY_MS),
        startAtBefore: new Date(monday.getTime() + 9 * DAY_MS),
      }
      return (await parley.appointments.list({ sort: 'startAt', ...span, limit: 100 }, { signal })).data
    },
  })
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  if (list.data === undefined) return <Waiting />
  const onDay = (day: Date) => list.data.filter(({ startAt }) => exact(startAt, ymd) === exact(day.toISOString(), ymd))
  return (
    <>
      <div className="flex items-center gap-2 px-4 py-2 sm:px-6">
        <Button aria-label={text.work.weekBefore} icon={<ChevronLeft size={16} aria-hidden />} onClick={() => go(-1)} />
        <Button aria-label={text.work.weekAfter} icon={<ChevronRight size={16} aria-hidden />} onClick={() => go(1)} />
        <Button onClick={() => setWeek('')}>{text.work.thisWeek}</Button>
        <h2 className="font-semibold">{exact(monday.toISOString(), { month: 'long', year: 'numeric' })}</h2>
      </div>
      <div
        tabIndex={0}
        role="region"
        aria-label={text.work.calendar}
        className="scroll-quiet grid min-h-0 flex-1 overflow-auto border-t border-line md:grid-cols-7 md:divide-x md:divide-line"
      >
        {days.map((day) => (
          <Day key={dayOf(day)} day={day} appointments={onDay(day)} isToday={dayOf(day) === dayOf(new Date())} />
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
        {exact(day.toISOString(), { weekday: 'short', day: 'numeric' })}
      </h3>
      <ul className="grid gap-1.5">
        {appointments.map(({ id, title, startAt, status }) => (
          <li
            key={id}
            className={`rounded-md border-s-2 border-accent bg-accent-soft px-2 py-1 ${status === 'canceled' ? 'line-through opacity-70' : ''}`}
          >
            <p className="figures text-xs text-accent-strong">{exact(startAt, { timeStyle: 'short' })}</p>
            <p className="font-medium break-words">{title}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
