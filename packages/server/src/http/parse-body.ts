// Reads a request's body: JSON or nothing. What no field may hold, whatever its shape, is refused here.

import { limits } from '@parley/contract'
import { toError } from '../database/error-code.js'
import { ApiError, badRequest } from '../store/api-error.js'

/** Deeper than any shape of ours, and far from what a recursive walk can bear. */
const DEPTH_MAX = 64
/** Assigning such a key would change an object's prototype instead of its content. */
const RESERVED = 'is a name that many programs take for the prototype of an object; choose another name'
const decoder = new TextDecoder('utf-8', { fatal: true })

/** The parsed body, or undefined for an empty one, whatever its content type says. */
export function parseBody(
  contentType: string | undefined,
  bytes: Buffer,
  valuesMax: number = limits.bodyValues,
): unknown {
  if (bytes.length === 0) return undefined
  if (!isJson(contentType))
    throw new ApiError('unsupported_media_type', 'Send JSON with Content-Type: application/json')
  requireFewValues(bytes, valuesMax)
  const value = parsed(bytes)
  refuseOddities(value)
  return value
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch (error) {
    throw badRequest('', `The body is not valid JSON: ${toError(error).message}`, 'json')
  }
}

/**
 * An object of a hundred thousand keys takes the parser a quarter of a second, so they are counted first: one per comma
 * and per opening bracket.
 */
function requireFewValues(bytes: Buffer, valuesMax: number): void {
  let values = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfText(bytes, at + 1)
    else if (byte === COMMA || byte === OPENING_BRACE || byte === OPENING_BRACKET) values++
    if (values > valuesMax) throw badRequest('', `must have at most ${valuesMax} values; send it in parts`, 'values')
  }
}

const [QUOTE, COMMA, OPENING_BRACE, OPENING_BRACKET, BACKSLASH] = [0x22, 0x2c, 0x7b, 0x5b, 0x5c]

/** Where the quote stands that ends a text: the next one before which no odd number of backslashes stands. */
function endOfText(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return at
  }
  return bytes.length
}

const isJson = (contentType: string | undefined): boolean =>
  /^application\/([a-z0-9.+-]+\+)?json *(;|$)/i.test(contentType ?? '')

/**
 * What no field may hold, however free its form: NUL bytes, broken surrogates, numbers that do not survive the trip.
 */
export function refuseOddities(value: unknown, path = '', depth = 0): void {
  if (depth > DEPTH_MAX) throw badRequest(path.slice(0, 100), `is nested deeper than ${DEPTH_MAX} levels`, 'depth')
  if (typeof value === 'string') return refuseText(value, path)
  if (typeof value === 'number') {
    if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER))
      throw badRequest(path, 'must be a number of at most 2^53 - 1', 'number')
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) refuseOddities(item, `${path}[${index}]`, depth + 1)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (key === '__proto__') throw badRequest(path ? `${path}.${key}` : key, RESERVED, 'reserved_name')
      refuseText(key, path)
      refuseOddities(item, path ? `${path}.${key}` : key, depth + 1)
    }
  }
}

function refuseText(text: string, path: string): void {
  if (text.includes('\0')) throw badRequest(path, 'must not contain NUL bytes', 'text')
  if (!text.isWellFormed()) throw badRequest(path, 'must be well-formed Unicode', 'text')
}
