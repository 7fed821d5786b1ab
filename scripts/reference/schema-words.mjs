// Says in a few words what a JSON Schema of the contract asks for.
import { annotationsOf, isNullable, typeOf } from '../../packages/contract/dist/index.js'
import { code, codes } from './markdown.mjs'

/** `uuid`, `string, null`, `integer 0 to 100`, `list of string`. */
export function typeWords(schema) {
  const { format, 'x-free-form': isFree } = annotationsOf(schema)
  const type = typeOf(schema)
  if (type === undefined) return 'any JSON'
  const words = isFree
    ? 'free-form object'
    : type === 'array'
      ? `list of ${itemWords(schema.items)}`
      : (format ?? boundedWords(schema, type))
  return isNullable(schema) ? `${words}, null` : words
}

const itemWords = (items) =>
  typeOf(items) === 'object' && items.properties
    ? 'objects'
    : (annotationsOf(items).format ?? typeOf(items) ?? 'anything')

function boundedWords({ minimum, maximum, maxLength }, type) {
  if (minimum !== undefined && maximum !== undefined) return `${type} ${minimum} to ${maximum}`
  if (minimum !== undefined) return `${type} from ${minimum}`
  return maxLength === undefined ? type : `${type} up to ${maxLength.toLocaleString('en')}`
}

/** What else there is to say: values, what it refers to, the keys of its objects. */
export function noteWords(schema) {
  const { enum: values, description, 'x-references': references, 'x-merge': merges } = annotationsOf(schema)
  const keys = Object.keys(schema.properties ?? schema.items?.properties ?? {})
  return [
    values && `One of ${codes(values.filter((value) => value !== null))}.`,
    description?.replace(/[^.]$/, '$&.'),
    references &&
      (references.startsWith('@')
        ? `Id of what ${code(references.slice(1))} says.`
        : `Id of a ${references.replaceAll('_', ' ')}.`),
    keys.length > 0 && `Keys: ${codes(keys)}.`,
    merges && 'PATCH merges it one level deep.',
  ]
    .filter(Boolean)
    .join(' ')
}
