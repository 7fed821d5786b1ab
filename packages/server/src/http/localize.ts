// Reads a body as the organization's country would, before it is checked: a national number becomes the one it stands
// for. What means nothing there is left as it is, for the check to refuse.
import { annotationsOf, isObject, typeOf } from '@parley/contract'
import type { TSchema } from 'typebox'
import type { Country } from './telephone.js'
import { wireFormats } from './wire-formats.js'

type Values = Record<string, unknown>
type Localize = (value: unknown, country: string) => unknown

/** The function that reads bodies of this schema. It costs nothing where there is no country or nothing to read. */
export function localizerOf(schema: TSchema): (body: Values, country: Country) => Values {
  const localize = localizeProperties(schema)
  return (body, country) => (localize && country !== null ? localize(body, country) : body)
}

function localizeOf(schema: TSchema): Localize | undefined {
  const { format, 'x-free-form': isFreeForm } = annotationsOf(schema)
  if (isFreeForm) return undefined
  const localized = format === undefined ? undefined : wireFormats[format]?.localized
  if (localized) return (value, country) => (typeof value === 'string' ? (localized(value, country) ?? value) : value)
  if (typeOf(schema) === 'array') return localizeItems(schema)
  const localize = typeOf(schema) === 'object' ? localizeProperties(schema) : undefined
  return localize && ((value, country) => (isObject(value) ? localize(value, country) : value))
}

function localizeItems(schema: TSchema): Localize | undefined {
  const { items, maxItems = 0 } = schema as { items?: TSchema; maxItems?: number }
  const localize = items && localizeOf(items)
  // A list that is too long is refused: nobody reads it first.
  return (
    localize &&
    ((value, country) =>
      Array.isArray(value) && value.length <= maxItems ? value.map((item) => localize(item, country)) : value)
  )
}

function localizeProperties(schema: TSchema): ((value: Values, country: string) => Values) | undefined {
  const { properties = {} } = schema as { properties?: Record<string, TSchema> }
  const readers = Object.entries(properties).flatMap(([name, one]) => {
    const localize = localizeOf(one)
    return localize ? [[name, localize] as const] : []
  })
  if (readers.length === 0) return undefined
  return (value, country) => {
    const read = { ...value }
    for (const [name, localize] of readers) if (Object.hasOwn(read, name)) read[name] = localize(read[name], country)
    return read
  }
}
