// A mention as the value of a field: of the type that the field's definition wants, or nothing.
import type { Mention } from '../mention.js'
import type { SoughtField } from './sought-fields.js'

export function valueFor({ valueType }: Pick<SoughtField, 'valueType'>, mention: Mention): unknown {
  switch (valueType) {
    case 'string':
      return asText(mention)
    case 'number':
      return asNumber(mention)
    case 'date':
      return mention.kind === 'date' ? mention.value : undefined
    case 'json':
      return mention.value
    default:
      return undefined
  }
}

function asText(mention: Mention): string {
  switch (mention.kind) {
    case 'address':
      return mention.value.formatted
    case 'money':
      return `${(mention.value.amountCents / 100).toFixed(2)} ${mention.value.currency}`
    case 'number':
      return String(mention.value)
    default:
      return mention.value
  }
}

function asNumber(mention: Mention): number | undefined {
  switch (mention.kind) {
    case 'number':
      return mention.value
    case 'money':
      return mention.value.amountCents / 100
    case 'duration':
      return inOneUnit(mention.value)
    default:
      return undefined
  }
}

/** `P12Y` → 12; what has several units is no plain number. */
function inOneUnit(duration: string): number | undefined {
  const [, count] = /^PT?(\d+(?:\.\d+)?)[A-Z]$/.exec(duration) ?? []
  return count === undefined ? undefined : Number(count)
}
