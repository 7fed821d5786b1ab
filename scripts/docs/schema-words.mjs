// What a JSON Schema of the document asks for, in a few words, and its fields as a tree. Words are put together by the
// `words` that are handed in, so that HTML and Markdown say the same.

/** `words` has `text`, `code` and `link` (to a named schema), each from text to markup. */
export function typeOf(schema, words) {
  if (schema.$ref !== undefined) return words.link(schema.$ref.split('/').at(-1))
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeOf(one, words)))].join(words.text(' or '))
  if (schema.items) return words.text('list of ') + typeOf(schema.items, words) + words.text(bounds(schema))
  if (schema.const !== undefined) return words.code(String(schema.const))
  const types = [schema.type ?? 'any JSON'].flat().join(' or ')
  return words.text((schema.format ? types.replace('string', schema.format) : types) + bounds(schema))
}

function bounds({ minimum, maximum, maxLength, maxItems }) {
  if (minimum !== undefined && maximum !== undefined) return `, ${number(minimum)} to ${number(maximum)}`
  if (minimum !== undefined) return `, from ${number(minimum)}`
  const most = maximum ?? maxLength ?? maxItems
  return most === undefined ? '' : `, at most ${number(most)}`
}

const number = (value) => (Math.abs(value) >= 10_000 ? value.toLocaleString('en') : String(value))

/** Values that it may have, without null. */
export const valuesOf = (schema) => (schema.items ?? schema).enum?.filter((value) => value !== null) ?? []

/** `{name, schema, mark, fields}` for each property; those of an object without a name of its own are within. */
export function fieldsOf(schema) {
  const { properties, required = [] } = objectIn(schema)
  return Object.entries(properties ?? {}).map(([name, field]) => ({
    name,
    schema: field,
    mark: field.readOnly ? 'read-only' : required.includes(name) ? 'required' : '',
    fields: fieldsOf(field),
  }))
}

function objectIn(schema) {
  if (schema.properties) return schema
  const inner = schema.items ?? schema.anyOf?.find(({ properties }) => properties)
  return inner ? objectIn(inner) : {}
}

/** Every field with its path: `address.city`. */
export const flatFields = (fields, before = '') =>
  fields.flatMap((field) => [
    { ...field, path: before + field.name },
    ...flatFields(field.fields, `${before}${field.name}.`),
  ])
