// The values of the wire: what counts as an instant, a phone number, an e-mail address or a URL, and the one form in
// which each is kept.
import { Format } from 'typebox/format'
import { readUrl } from '../store/url.js'
import { type Country, isWithheld, patterns, toAddress, toPhone } from './telephone.js'

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const instantPattern = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-](\d\d):(\d\d))$/
/** Each character can be matched in one way only, so that no text, however long, takes long to refuse. */
const address = String.raw`[^\s@"(),:;<>\[\\\]]+@(?:[^\s@"(),:;<>\[\\\].]+\.)+[^\s@"(),:;<>\[\\\].]+`
const emailPattern = new RegExp(`^${address}$`)

/** UTC with milliseconds, or undefined when the text is no RFC 3339 instant of the years 0001 to 9999. */
export function toInstant(text: string): string | undefined {
  const match = instantPattern.exec(text)
  if (match === null) return undefined
  const [year, month, day, hour, minute, second, offsetHour = 0, offsetMinute = 0] = match
    .slice(1)
    .map(Number) as number[]
  if (!isRealDay(year as number, month as number, day as number)) return undefined
  if (
    (hour as number) > 23 ||
    (minute as number) > 59 ||
    (second as number) > 59 ||
    offsetHour > 23 ||
    offsetMinute > 59
  )
    return undefined
  const time = new Date(text.toUpperCase())
  const fullYear = time.getUTCFullYear()
  return Number.isNaN(fullYear) || fullYear < 1 || fullYear > 9999 ? undefined : time.toISOString()
}

export function isRealDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return day <= (days[month - 1] ?? 0)
}

export const toEmail = (text: string): string => text.trim().toLowerCase()

function isUri(text: string): boolean {
  return readUrl(text) !== undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/[\s\u0000-\u001f]/.test(text)
}

interface WireFormat {
  readonly isValid: (text: string) => boolean
  readonly keep: (text: string) => string | null
  readonly expected: string
  /** What the text means in the organization's country, before it is checked; undefined when it means nothing there. */
  readonly localized?: (text: string, country: Country) => string | undefined
  /** For the documents: what is always taken, and what comes back. */
  readonly patterns?: { readonly taken: string; readonly given: string }
  /** What others mean by the name of the format is not quite what we take: the documents have the pattern alone. */
  readonly hidesFormat?: true
}

/** The message where no country is assumed says which setting changes that. */
export const expectedOf = ({ expected, localized }: WireFormat, country: Country): string => {
  if (localized === undefined) return expected
  return country === null
    ? `${expected}; national forms are read once settings.defaultCountry of the organization is set`
    : `${expected}, or as it is written in ${country}`
}

export const wireFormats: Readonly<Record<string, WireFormat>> = {
  uuid: { isValid: (text) => uuidPattern.test(text), keep: (text) => text.toLowerCase(), expected: 'must be a UUID' },
  'date-time': {
    isValid: (text) => toInstant(text) !== undefined,
    keep: (text) => toInstant(text) ?? text,
    expected: 'must be a date and time with offset (RFC 3339), for example 2026-01-31T09:30:00Z',
  },
  phone: {
    isValid: (text) => toPhone(text) !== undefined,
    keep: (text) => toPhone(text) ?? text,
    expected: 'must be a phone number in E.164, for example +15550100200',
    localized: toPhone,
    patterns: patterns.phone,
  },
  'caller-id': {
    isValid: (text) => toAddress(text) !== undefined,
    keep: (text) => (isWithheld(text) ? null : (toAddress(text) ?? text)),
    expected:
      'must be a phone number in E.164, for example +15550100200, a short code of 3 to 8 digits, a ' +
      'sender name of up to 11 letters and digits, or anonymous',
    localized: toAddress,
    patterns: patterns.callerId,
  },
  // A name is taken here to be refused by its reason: it cannot be answered.
  recipient: {
    isValid: (text) => toAddress(text) !== undefined,
    keep: (text) => toAddress(text) ?? text,
    expected: 'must be a phone number in E.164, for example +15550100200, or a short code that has sent a text',
    localized: toAddress,
    patterns: patterns.recipient,
  },
  email: {
    isValid: (text) => emailPattern.test(toEmail(text)),
    keep: toEmail,
    expected: 'must be an e-mail address',
    patterns: { taken: `^\\s*${address}\\s*$`, given: `^${address}$` },
    hidesFormat: true,
  },
  uri: { isValid: isUri, keep: (text) => text, expected: 'must be an absolute URL' },
}

for (const [name, { isValid }] of Object.entries(wireFormats)) Format.Set(name, isValid)
