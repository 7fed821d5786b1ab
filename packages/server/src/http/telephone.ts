// Telephone numbers as people type them and carriers send them. What is E.164 already is taken as it is; a national
// form is read only where the organization has said which country it means.
import { createRequire } from 'node:module'

/** An ISO 3166-1 alpha-2 code, or null where no country may be assumed. */
export type Country = string | null

/**
 * The smallest of the library's builds, which knows all lengths. It takes 60 ms of CPU to load, so only a server that
 * has to read a national form does.
 */
let library: typeof import('libphonenumber-js/min') | undefined
function phoneLibrary(): typeof import('libphonenumber-js/min') {
  const loaded: typeof import('libphonenumber-js/min') =
    library ?? createRequire(import.meta.url)('libphonenumber-js/min')
  library = loaded
  return loaded
}

const e164 = /^\+[1-9]\d{1,14}$/
const shortCode = /^\d{3,8}$/
/** What a business texts under instead of a number. It can be read, not answered. */
const senderName = /^(?=\d*[A-Za-z])[A-Za-z\d]{1,11}$/
const withheldWords = new Set(['anonymous', 'restricted', 'unavailable', 'unknown'])
/** Nobody types more than this to say one number. */
const CHARACTERS_MAX = 40

const number = String.raw`\+[1-9][0-9]{1,14}`
const spacedNumber = String.raw`[ .()-]*\+[ .()-]*[1-9](?:[ .()-]*[0-9]){1,14}[ .()-]*`
const spacedShortCode = '[ .()-]*[0-9](?:[ .()-]*[0-9]){2,7}[ .()-]*'
const name = '(?=[0-9]*[A-Za-z])[A-Za-z0-9]{1,11}'

/** For the documents: what is taken of everyone, without a country, and what comes back. */
export const patterns = {
  phone: { taken: `^${spacedNumber}$`, given: `^${number}$` },
  callerId: { taken: `^(?:${spacedNumber}|${spacedShortCode}|${name})$`, given: `^(?:${number}|[0-9]{3,8}|${name})$` },
  recipient: { taken: `^${spacedNumber}$`, given: `^(?:${number}|[0-9]{3,8})$` },
} as const

const withoutPunctuation = (text: string): string => text.replace(/[ \-.()]/g, '')

export const isE164 = (text: string): boolean => e164.test(text)

/** Whether an SMS can be sent there: to a number or a short code, not to a name. */
export const isTextable = (address: string | null): address is string =>
  address !== null && (isE164(address) || shortCode.test(address))

/** What carriers send in place of a number that the caller does not show. */
export const isWithheld = (text: string): boolean => withheldWords.has(text.trim().toLowerCase())

export const isCountry = (code: string): boolean => phoneLibrary().isSupportedCountry(code)

/** E.164, or undefined. Without a country only punctuation is dropped. */
export function toPhone(text: string, country: Country = null): string | undefined {
  const bare = withoutPunctuation(text)
  return isE164(bare) ? bare : nationalNumber(text, country)?.number
}

/**
 * Who calls or writes: E.164, a short code or a sender's name; undefined when it is none of them. A valid national
 * number is no short code.
 */
export function toAddress(text: string, country: Country = null): string | undefined {
  const bare = withoutPunctuation(text)
  if (isE164(bare)) return bare
  const isShort = shortCode.test(bare)
  const national = nationalNumber(text, country)
  if (national && (!isShort || national.isValid())) return national.number
  if (isShort) return bare
  const sender = text.trim()
  return senderName.test(sender) ? sender : undefined
}

/** A number that may exist by its length. An extension has no place in E.164 and is not dropped silently. */
function nationalNumber(text: string, country: Country) {
  if (country === null || text.length > CHARACTERS_MAX) return undefined
  const { default: parse, isSupportedCountry } = phoneLibrary()
  if (!isSupportedCountry(country)) return undefined
  const number = parse(text.trim(), { defaultCountry: country, extract: false })
  return number?.isPossible() && number.ext === undefined ? number : undefined
}

/** The country of a number in E.164; undefined for those that belong to none, such as +1 500 or +800. */
export const countryOf = (number: string): string | undefined => phoneLibrary().default(number)?.country
