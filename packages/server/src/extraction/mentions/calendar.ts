// Days without hours or zones, counted from 1970-01-01: the arithmetic behind "next Tuesday".

/** Days since 1970-01-01. */
export type Day = number

const DAY_MS = 86_400_000

export const dayOf = (year: number, month: number, date: number): Day => Date.UTC(year, month - 1, date) / DAY_MS

export const isoDate = (day: Day): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

export const partsOf = (day: Day): { year: number; month: number; date: number } => {
  const at = new Date(day * DAY_MS)
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, date: at.getUTCDate() }
}

/** Monday is 1, Sunday 7. */
export const weekdayOf = (day: Day): number => ((((day + 3) % 7) + 7) % 7) + 1

/** A day of a month that has it, or undefined: there is no 31st of June. */
export function validDay(year: number, month: number, date: number): Day | undefined {
  if (!(year >= 1900 && year <= 2200 && month >= 1 && month <= 12 && date >= 1)) return undefined
  const day = dayOf(year, month, date)
  const parts = partsOf(day)
  return parts.month === month && parts.date === date ? day : undefined
}

/** The calendar day of an instant in a zone; in UTC where the zone is unknown. */
export function localDay(at: Date, timeZone: string): Day {
  const instant = Number.isNaN(at.getTime()) ? new Date(0) : at
  const options = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const written = formatDay(instant, { ...options, timeZone }) ?? instant.toISOString().slice(0, 10)
  const [year = 1970, month = 1, date = 1] = written.split('-').map(Number)
  return dayOf(year, month, date)
}

function formatDay(at: Date, options: Intl.DateTimeFormatOptions): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-CA', options).format(at)
  } catch {
    return undefined
  }
}
