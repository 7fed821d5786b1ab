// Times: relative to read, exact on hover, in the organization's zone; and durations.
import { useEffect, useState } from 'react'
import { useOrganization } from '../api/organization'
import { locale, text } from '../text'

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })

export function ago(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1_000
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? []
  return unit === undefined || size === undefined ? text.justNow : relative.format(Math.round(seconds / size), unit)
}

/** The time now, renewed so often. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** A time in the organization's zone, spelled as asked. */
export function useExact(): (at: string, options?: Intl.DateTimeFormatOptions) => string {
  const timeZone = useOrganization()?.settings.timezone ?? 'UTC'
  return (at, options = { dateStyle: 'medium', timeStyle: 'medium' }) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(new Date(at))
}

export function Moment({ at, className = '' }: { at: string; className?: string }) {
  const now = useNow(20_000)
  const exact = useExact()
  const zone = useOrganization()?.settings.timezone ?? 'UTC'
  return (
    <time dateTime={at} title={`${exact(at)} ${zone}`} className={`figures whitespace-nowrap ${className}`}>
      {ago(at, now)}
    </time>
  )
}

export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60), whole % 60]
  const tail = `${String(minutes).padStart(hours > 0 ? 2 : 1, '0')}:${String(rest).padStart(2, '0')}`
  return hours > 0 ? `${hours}:${tail}` : tail
}

/** How long something has been going on. */
export function Elapsed({ since }: { since: string }) {
  const now = useNow(1_000)
  return <span className="figures">{clock((now - Date.parse(since)) / 1_000)}</span>
}
