// Values as people say them: numbers of phones, names of kinds, yes and no, and how sure something is.
import { text } from '../text'

/** National where it is known how, else in groups; E.164 stays what is copied. */
export function phoneText(number: string | null): string {
  if (number === null) return text.withheld
  const national = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number)
  if (national) return `(${national[1]}) ${national[2]}-${national[3]}`
  return number.replace(/^(\+\d{2})(\d{3})(\d{3})(\d+)$/, '$1 $2 $3 $4')
}

export const Phone = ({ number, className = '' }: { number: string | null; className?: string }) => (
  <span className={`figures whitespace-nowrap ${className}`} title={number ?? undefined}>
    {phoneText(number)}
  </span>
)

/** `service_address` and `serviceAddress` → “Service address”. */
export function sentence(key: string): string {
  const words = key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_.-]+/g, ' ')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return text.nothing
  if (typeof value === 'boolean') return value ? text.yes : text.no
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A value as it stands in a field that one can type in; nothing is an empty field. */
export const editText = (value: unknown): string =>
  value === null || value === undefined || value === '' ? '' : valueText(value)

/** What was typed, as the kind of value that it replaces. */
export function typedAs(before: unknown, typed: string): unknown {
  if (typed === '') return null
  if (typeof before === 'number' && Number.isFinite(Number(typed))) return Number(typed)
  if (typeof before === 'boolean') return typed.toLowerCase() === text.yes.toLowerCase() || typed === 'true'
  return typed
}

/** Three steps, told by shape and not by colour alone; the number on hover. */
export function Confidence({ value }: { value: number | null }) {
  if (value === null) return null
  const level = value >= 0.9 ? 3 : value >= 0.75 ? 2 : 1
  const percent = `${Math.round(value * 100)} %`
  return (
    <span
      role="img"
      aria-label={text.confidence(percent)}
      title={text.confidence(percent)}
      className="inline-flex h-3 items-end gap-0.5"
    >
      {[1, 2, 3].map((step) => (
        <span
          key={step}
          className={`w-1 rounded-full ${['h-1', 'h-2', 'h-3'][step - 1]} ${step <= level ? 'bg-accent' : 'bg-line-strong'}`}
        />
      ))}
    </span>
  )
}

const tones = {
  neutral: 'bg-hover text-muted',
  accent: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
  info: 'bg-info-soft text-info',
} as const
export type Tone = keyof typeof tones

export const Badge = ({ tone = 'neutral', children }: { tone?: Tone; children: string }) => (
  <span
    className={`inline-flex items-center rounded-full px-2 text-xs leading-5 font-medium whitespace-nowrap ${tones[tone]}`}
  >
    {children}
  </span>
)
