// The OpenAPI document as types of Python: what each schema is called there, and where it is used.

const keywords = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
)

/** Whether Python has another use for the name, or cannot have it at all. */
export const isKeyword = (name) => keywords.has(name) || !/^[A-Za-z_]\w*$/.test(name)
export const snake = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
/** A name for an argument: `from` becomes `from_`. */
export const argument = (name) => (isKeyword(snake(name)) ? `${snake(name)}_` : snake(name))
export const pascal = (slug) => slug.replace(/(?:^|[^A-Za-z0-9])(\w)/g, (_, letter) => letter.toUpperCase())
export const refName = (schema) => schema?.$ref?.split('/').at(-1)
export const text = (value) => JSON.stringify(value)

/** Documentation on as many lines as it needs, none wider than the rest of the code. */
export function docstring(words, indent) {
  const clean = words.replaceAll('\\', '\\\\').replaceAll('"""', "'''").trim()
  const lines = clean.split('\n').flatMap((line) => wrapped(line, 112 - indent.length))
  const isOneLine = lines.length === 1 && !clean.endsWith('"')
  if (isOneLine) return `${indent}"""${clean}"""\n`
  const indented = lines.map((line, at) => (at === 0 || line === '' ? line : indent + line))
  return `${indent}"""${indented.join('\n')}\n${indent}"""\n`
}

function wrapped(line, width) {
  const lines = ['']
  for (const word of line.split(' ')) {
    const last = lines.at(-1)
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}

/**
 * The type of a schema. What is sent takes the words we know and a `datetime` wherever it takes a time; what is
 * answered may have words of a later version.
 */
export function typeOf(schema, isSent, prefix = '') {
  if (schema.$ref) return prefix + refName(schema)
  if (schema.const !== undefined) return `Literal[${text(schema.const)}]`
  if (schema.anyOf) return union(schema.anyOf.map((one) => typeOf(one, isSent, prefix)))
  const types = [schema.type].flat()
  return union(types.map((type) => plainType({ ...schema, type }, isSent, prefix)))
}

function plainType(schema, isSent, prefix) {
  if (schema.type === 'null') return 'None'
  if (schema.enum && schema.type === 'string') {
    const words = `Literal[${schema.enum
      .filter((word) => word !== null)
      .map(text)
      .join(', ')}]`
    return isSent ? words : `${words} | str`
  }
  if (schema.type === 'string') return isSent && schema.format === 'date-time' ? 'str | datetime' : 'str'
  if (schema.type === 'array') {
    const item = schema.items ? typeOf(schema.items, isSent, prefix) : 'Any'
    return `${isSent ? 'Sequence' : 'List'}[${item}]`
  }
  if (schema.type === 'object') {
    const value = schema.additionalProperties
    return `Dict[str, ${value && typeof value === 'object' ? typeOf(value, isSent, prefix) : 'Any'}]`
  }
  return { integer: 'int', number: 'float', boolean: 'bool' }[schema.type] ?? 'Any'
}

const union = (types) => [...new Set(types.flatMap((type) => type.split(' | ')))].join(' | ')

/** The schemas that answers and events have, by name: all others are only sent. */
export function answered(document) {
  const found = new Set()
  const visit = (value) => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (typeof value !== 'object' || value === null) return
    const name = refName(value)
    if (name && value.$ref.includes('/schemas/') && !found.has(name)) {
      found.add(name)
      visit(document.components.schemas[name])
    }
    for (const [key, inner] of Object.entries(value)) if (!['example', 'examples'].includes(key)) visit(inner)
  }
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  for (const { responses } of operations) visit(responses)
  visit(document.components.responses)
  visit(document.webhooks)
  return found
}
