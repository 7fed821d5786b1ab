// Reads a request's body: JSON or nothing. What no field may hold, whatever its shape, is refused here.
import { ApiError, badRequest } from '../store/api-error.js'

/** Deeper than any shape of ours, and far from what a recursive walk can bear. */
const DEPTH_MAX = 64
const decoder = new TextDecoder('utf-8', { fatal: true })

/** The parsed body, or undefined for an empty one, whatever its content type says. */
export function parseBody(contentType: string | undefined, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (!isJson(contentType)) throw new ApiError('unsupported_media_type', 'Send JSON with Content-Type: application/json')
  const value = parsed(bytes)
  refuseOddities(value)
  return value
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch (error) {
    throw badRequest('', `The body is not valid JSON: ${(error as Error).message}`, 'json')
  }
}

const isJson = (contentType: string | undefined): boolean => /^application\/([a-z0-9.+-]+\+)?json *(;|$)/i.test(contentType ?? '')

/** What no field may hold, however free its form: NUL bytes, broken surrogates, numbers that do not survive the trip. */
function refuseOddities(value: unknown, path = '', depth = 0): void {
  if (depth > DEPTH_MAX) throw badRequest(path.slice(0, 100), `is nested deeper than ${DEPTH_MAX} levels`, 'depth')
  if (typeof value === 'string') return refuseText(value, path)
  if (typeof value === 'number') {
    if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) throw badRequest(path, 'must be a number of at most 2^53 - 1', 'number')
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) refuseOddities(item, `${path}[${index}]`, depth + 1)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      // Assigning such a key would change an object's prototype instead of its content.
      if (key === '__proto__') throw badRequest(path ? `${path}.${key}` : key, 'is not a known field', 'unknown_field')
      refuseText(key, path)
      refuseOddities(item, path ? `${path}.${key}` : key, depth + 1)
    }
  }
}

function refuseText(text: string, path: string): void {
  if (text.includes('\0')) throw badRequest(path, 'must not contain NUL bytes', 'text')
  if (!text.isWellFormed()) throw badRequest(path, 'must be well-formed Unicode', 'text')
}
