// Reads what providers send: forms and JSON, as plain values that the database can keep. What a provider leaves out or
// sends in another shape is simply not there.
import { UnreadableRequest } from './provider.js'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** No column holds a NUL, and half of a surrogate pair is no text. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

function textOf(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new UnreadableRequest('The body is not UTF-8')
  }
}

/** The fields of a form, each as it was sent last. */
export function formOf(bytes: Buffer): Readonly<Record<string, string>> {
  const entries = [...new URLSearchParams(textOf(bytes))]
  return Object.fromEntries(entries.map(([name, value]) => [storable(name), storable(value)]))
}

/** A value within JSON whose shape nobody promised. */
export class Json {
  constructor(readonly value: unknown) {}

  static parse(bytes: Buffer): Json {
    try {
      return new Json(JSON.parse(textOf(bytes), (_key, value) => (typeof value === 'string' ? storable(value) : value)))
    } catch (error) {
      throw error instanceof UnreadableRequest ? error : new UnreadableRequest('The body is not valid JSON')
    }
  }

  /** What is under these names, one within the other. */
  at(...names: readonly string[]): Json {
    return names.reduce<Json>((within, name) => {
      const { value } = within
      const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      return new Json(isObject ? Reflect.get(value, name) : undefined)
    }, this)
  }

  /** A text that says something. */
  get text(): string | undefined {
    return typeof this.value === 'string' && this.value.trim() !== '' ? this.value : undefined
  }

  get number(): number | undefined {
    return typeof this.value === 'number' && Number.isFinite(this.value) ? this.value : undefined
  }

  get items(): readonly Json[] {
    return Array.isArray(this.value) ? this.value.map((item) => new Json(item)) : []
  }

  get entries(): readonly (readonly [string, Json])[] {
    if (typeof this.value !== 'object' || this.value === null || Array.isArray(this.value)) return []
    return Object.entries(this.value).map(([name, value]) => [name, new Json(value)] as const)
  }

  /** An instant, from ISO 8601 or from milliseconds since 1970. */
  get instant(): string | undefined {
    const at = typeof this.value === 'number' || typeof this.value === 'string' ? new Date(this.value) : undefined
    return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined
  }
}

/** The first of these that is there. */
export const firstOf = <T>(...values: readonly (T | undefined)[]): T | undefined =>
  values.find((value) => value !== undefined)
