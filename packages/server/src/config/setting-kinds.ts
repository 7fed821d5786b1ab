// The kinds of value a setting can have: how each is read from text, what is expected of it, and how a refused one may
// be shown. A kind knows no setting's name, and never shows a password.
import { isIP, isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import { hostsOf, type SessionKind } from '../database/hosts.js'
import { blobPlaceExpected, readBlobPlace } from '../object-store/blob-place.js'
import { readUrl } from '../store/url.js'

export interface Kind<T> {
  /** Completes the sentence "expected …". */
  readonly expected: string
  /** Undefined when the text is not of this kind. */
  read(text: string): T | undefined
  /** The refused text as a message may show it. */
  show(text: string): string
}

interface Span {
  readonly min: number
  readonly max: number
}

function kind<T>(expected: string, read: (text: string) => T | undefined, show = showMasked): Kind<T> {
  return { expected, read, show }
}

/**
 * Everything before the last `@`, and after `password=`, is masked in any value: people paste URLs into the wrong
 * setting, and a password with an unescaped `/`, `?` or `#` does not stand where a URL parser looks for it.
 */
function showMasked(text: string): string {
  const masked = text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1***@').replace(/(password=).*$/is, '$1***')
  return JSON.stringify(masked.length > 100 ? `${masked.slice(0, 100)}…` : masked)
}

export const text = kind('text without spaces', (written) => (/^\S+$/.test(written) ? written : undefined))

export const mailAddress = kind('an address such as parley@example.com, or Parley <parley@example.com>', (written) =>
  /^([^<>\r\n"]{1,100} )?<?[^\s@<>,;"]+@[^\s@<>,;"]+>?$/.test(written) ? written : undefined,
)

export const path = kind('a path', (written) => (written.trim() === '' ? undefined : resolve(written)))

export const blobPlace = kind(blobPlaceExpected, readBlobPlace)

export const host = kind('a host name or an IP address', (written) =>
  isIP(written) || /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i.test(written) ? written : undefined,
)

export function secretText(lengthMin: number): Kind<string> {
  return kind(
    `at least ${lengthMin} characters`,
    (written) => (written.length >= lengthMin ? written : undefined),
    () => 'too short (its value is not shown)',
  )
}

export function integer(min: number, max: number): Kind<number> {
  return kind(`a whole number from ${min} to ${max}`, (written) => readInteger(written, { min, max }))
}

export function oneOf<const Option extends string>(...options: readonly Option[]): Kind<Option> {
  return kind(`one of ${options.join(', ')}`, (written) => options.find((option) => option === written))
}

/**
 * A connection URL of one of the schemes. A `#` is an unescaped character of the password, so it is refused here, not
 * by the database.
 */
export function urlOf(...schemes: readonly string[]): Kind<string> {
  const beginnings = schemes.map((scheme) => `${scheme}://`).join(' or ')
  const expected = `a URL beginning with ${beginnings}, special characters of the password percent-encoded`
  return kind(expected, (written) => (isUrlOf(schemes, written) ? written : undefined))
}

function isUrlOf(schemes: readonly string[], written: string): boolean {
  const hasScheme = schemes.some((scheme) => written.startsWith(`${scheme}://`))
  // `postgresql://user:password@/name?host=/socket/folder` names no host, which the parser would refuse.
  return hasScheme && readUrl(written.replace('@/', '@socket/')) !== undefined && !written.includes('#')
}

/** Of one server or, separated by commas, several, of which the first is used that is one of these. */
export function postgresUrl(...sessions: readonly SessionKind[]): Kind<string> {
  const schemes = ['postgres', 'postgresql']
  const expected =
    `${urlOf(...schemes).expected}; several hosts separated by commas, ` +
    `target_session_attrs one of ${sessions.join(', ')}, connect_timeout in whole seconds`
  return kind(expected, (written) => {
    const hosts = hostsOf(written)
    const isFit = hosts !== undefined && (hosts.kind === undefined || sessions.includes(hosts.kind))
    return isFit && hosts.urls.every((url) => isUrlOf(schemes, url)) ? written : undefined
  })
}

/**
 * `name=url` of several servers. A URL may hold commas of its own, so an item begins where a name and a scheme do.
 */
export function namedServers(reserved: string): Kind<readonly NamedUrl[]> {
  const url = postgresUrl('read-write', 'primary')
  const beginning = /,(?=\s*[^=,]*=\s*postgres(?:ql)?:\/\/)/
  const expected =
    'names and URLs such as a=postgresql://…,b=postgresql://…, each of one or several hosts; a name has up to 32 ' +
    `lower-case letters, digits and -, is not ${reserved}, and occurs once`
  return kind(expected, (written) => {
    const items = written.split(beginning).flatMap((item) => readNamedUrl(item.trim(), url) ?? [])
    const names = new Set([reserved, ...items.map(({ name }) => name)])
    const isWhole = items.length === written.split(beginning).length && names.size === items.length + 1
    return isWhole ? items : undefined
  })
}

export interface NamedUrl {
  readonly name: string
  readonly url: string
}

function readNamedUrl(item: string, url: Kind<string>): NamedUrl | undefined {
  const [, name, rest = ''] = /^([a-z][a-z0-9-]{0,31})=\s*(.*)$/s.exec(item) ?? []
  return name !== undefined && url.read(rest) !== undefined ? { name, url: rest } : undefined
}

export const httpUrl = kind('an http:// or https:// URL without user, query and fragment', (written) => {
  const url = readPlainHttpUrl(written)
  return url && (url.origin + url.pathname).replace(/\/+$/, '')
})

/** Kept without a slash at the end; http only where the operator writes http. */
export const httpUrls = listOf('http:// or https:// URLs without user, query and fragment', (item) => {
  const url = readPlainHttpUrl(item)
  return url && (url.origin + url.pathname).replace(/\/+$/, '')
})

/** The issuer is kept as written, because tokens must repeat it to the letter. */
export const issuerUrl = kind(
  'an https:// URL without user, query and fragment (http:// on loopback only)',
  (written) => {
    const url = readPlainHttpUrl(written)
    return url && (url.protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname))
      ? written
      : undefined
  },
)

export const origins = listOf('origins such as https://app.example.com', (item) => {
  const url = readPlainHttpUrl(item)
  return url?.pathname === '/' ? url.origin : undefined
})

export const cidrs = listOf('IP addresses or CIDRs such as 10.0.0.0/8', readCidr)

/** A share of all, such as 0.05. */
export const share = kind('a number from 0 to 1, such as 0.05', (written) =>
  /^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(written) ? Number(written) : undefined,
)

const pairsExpected = 'name=value separated by commas, special characters percent-encoded'

export const pairs = kind(pairsExpected, readPairs)

export const secretPairs: Kind<Readonly<Record<string, string>>> = kind(
  pairsExpected,
  readPairs,
  () => 'not of this form (its value is not shown)',
)

/** What Fastify calls `trustProxy`. */
export const trustedProxies = kind<boolean | number | readonly string[]>(
  'false, true, a number of hops from 1 to 100, or IP addresses and CIDRs separated by commas',
  (written) => {
    if (written === 'true' || written === 'false') return written === 'true'
    return /^\d+$/.test(written) ? readInteger(written, { min: 1, max: 100 }) : cidrs.read(written)
  },
)

/** `sustained:burst`, the sustained rate per second. */
export const rate = kind('sustained:burst, two whole numbers from 1 to 1000000, such as 100:200', (written) => {
  const [sustained, burst, ...rest] = written.split(':').map((part) => readInteger(part, { min: 1, max: 1_000_000 }))
  return sustained && burst && rest.length === 0 ? { sustained, burst } : undefined
})

/** Which requests the log tells of. */
export const requestSampling = kind(
  'all, errors, none, or the share of requests from 0 to 1, such as 0.05',
  (written) => {
    if (written === 'all') return { share: 1, alwaysFrom: 500 }
    if (written === 'errors') return { share: 0, alwaysFrom: 400 }
    if (written === 'none') return { share: 0, alwaysFrom: Number.POSITIVE_INFINITY }
    return /^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(written) ? { share: Number(written), alwaysFrom: 500 } : undefined
  },
)

export function duration(span: Span): Kind<number> {
  return kind(`a duration such as 150ms, 10s, 5m or 1h, ${describeSpan(span)}`, (written) =>
    readDurationMs(written, span),
  )
}

export function durations(count: number, span: Span): Kind<readonly number[]> {
  return kind(
    `${count} durations such as 0s, 150ms, 5m or 24h separated by commas, ${describeSpan(span)} each`,
    (written) => {
      const items = readItems(written, (item) => readDurationMs(item, span))
      return items?.length === count ? items : undefined
    },
  )
}

/** A comma list; an empty one has no items. */
function listOf<T>(items: string, read: (item: string) => T | undefined): Kind<readonly T[]> {
  return kind(`${items}, separated by commas`, (written) => (written === '' ? [] : readItems(written, read)))
}

/** All items, or undefined when one of them cannot be read. */
function readItems<T>(written: string, read: (item: string) => T | undefined): readonly T[] | undefined {
  const items = written.split(',').map((item) => read(item.trim()))
  return items.includes(undefined) ? undefined : (items as T[])
}

function readInteger(written: string, { min, max }: Span): number | undefined {
  const value = /^\d{1,15}$/.test(written) ? Number(written) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

function readDurationMs(written: string, { min, max }: Span): number | undefined {
  const [, count, unit] = /^(\d{1,9})(ms|s|m|h)$/.exec(written) ?? []
  const valueMs = Number(count) * (unitMs[unit ?? ''] ?? Number.NaN)
  return valueMs >= min && valueMs <= max ? valueMs : undefined
}

function describeSpan({ min, max }: Span): string {
  return `${describeMs(min)} to ${describeMs(max)}`
}

function describeMs(valueMs: number): string {
  const [unit, sizeMs] = Object.entries(unitMs).findLast(([, size]) => valueMs > 0 && valueMs % size === 0) ?? [
    's',
    1_000,
  ]
  return `${valueMs / sizeMs}${unit}`
}

function readPlainHttpUrl(written: string): URL | undefined {
  if (!/^https?:\/\/[^\s@?#]+$/i.test(written) || readUrl(written) === undefined) return undefined
  return new URL(written)
}

/**
 * A lone address becomes the network that holds just it. Short and octal spellings of IPv4 are refused: they mean
 * different hosts to different readers.
 */
function readCidr(written: string): string | undefined {
  const [address = '', bits, ...rest] = written.split('/')
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return undefined
  const max = isIPv6(address) ? 128 : 32
  const length = bits === undefined ? max : readInteger(bits, { min: 0, max })
  return length === undefined ? undefined : `${address}/${length}`
}

/** One setting: a row of the tables. */
export interface Setting {
  readonly name: string
  readonly kind: Kind<unknown>
  /** As the operator would write it. Absent: the setting may stay unset. */
  readonly default?: string
  readonly meaning: string
}

function readPairs(written: string): Readonly<Record<string, string>> | undefined {
  const items = written.split(',').map((item) => item.trim())
  if (written.trim() === '') return {}
  try {
    const entries = items.map((item) => /^([^=\s]+)\s*=\s*(.*)$/.exec(item)?.slice(1).map(decodeURIComponent))
    return entries.some((entry) => entry === undefined)
      ? undefined
      : Object.fromEntries(entries.map((entry) => [entry?.[0] ?? '', entry?.[1] ?? '']))
  } catch {
    return undefined // A % that encodes nothing.
  }
}
