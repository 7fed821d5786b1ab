// JSON Schema as TypeScript: what a shape of the contract is called, and how it is written where it has no name.

/** A shape that has a name is written once, by that name, wherever it occurs. */
const names = new Map()
const enums = new Map()

export const nameShape = (name, schema) => names.set(JSON.stringify(bare(schema)), name)
export const nameEnum = (name, values) => enums.set(JSON.stringify(values), name)

/** Said of the place where a shape stands; names that are let in there and ignored are no part of it either. */
const ofPlace = ['x-optional', 'default', 'readOnly', 'patternProperties', 'description', '~unsafe']
const bare = (schema) => Object.fromEntries(Object.entries(notNull(schema)).filter(([word]) => !ofPlace.includes(word)))
export const notNull = (schema) =>
  Array.isArray(schema.type) ? { ...schema, type: schema.type.find((one) => one !== 'null') } : schema

/** A schema as a type. `isSent`: in a body or a query, where a time may be a Date as well. */
export function typeOf(schema, isSent) {
  const types = [schema.type].flat()
  const plain = types.filter((one) => one !== 'null')
  const type = names.get(JSON.stringify(bare(schema))) ?? plainType(schema, plain, isSent)
  return types.includes('null') ? `${type} | null` : type
}

function plainType(schema, types, isSent) {
  const values = schema.enum ?? schema['x-rules']?.enum
  if (values) return openUnion(values.filter((value) => value !== null))
  if (types.length > 1) return types.map((type) => plainType({ ...schema, type }, [type], isSent)).join(' | ')
  if (types[0] === 'array') return arrayOf(schema.items ? typeOf(schema.items, isSent) : 'unknown')
  if (types[0] === 'object') return schema.properties ? `{\n${members(schema, isSent)}\n}` : 'Record<string, unknown>'
  if (isSent && schema.format === 'date-time') return 'string | Date'
  return { string: 'string', number: 'number', integer: 'number', boolean: 'boolean' }[types[0]] ?? 'unknown'
}

/** Lists of values are open: a later version of the service may know more of them. */
const openUnion = (values) => `${enums.get(JSON.stringify(values)) ?? union(values)} | Other`
export const union = (values) => values.map((value) => `'${value}'`).join(' | ')
export const arrayOf = (type) => (/^\w+$/.test(type) ? `${type}[]` : `(${type})[]`)

function members({ properties, required = [] }, isSent) {
  return Object.entries(properties)
    .map(([name, schema]) => member(name, typeOf(schema, isSent), required.includes(name), schema.description))
    .join('\n')
}

export const member = (name, type, isRequired, about) =>
  `${note(about)}${name}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'}`
export const note = (about) => (about ? `/** ${about.replace(/[^.:;]$/, '$&.')} */\n` : '')

export const shape = (name, schema, { about, isSent = false } = {}) =>
  `${note(about)}export interface ${name} {\n${members(schema, isSent)}\n}\n`

/** What a list takes, from its parameters. */
export function query(name, parameters, about) {
  const all = Object.entries(parameters).map(([key, { schema, description }]) =>
    member(key, parameterType(key, schema), false, description),
  )
  return `${note(about)}export interface ${name} {\n${all.join('\n')}\n}\n`
}

export function parameterType(name, schema) {
  if (name === 'sort') return union(schema.enum)
  return schema.type === 'array' ? oneOrMany(typeOf(schema.items, true)) : typeOf(schema, true)
}

export const oneOrMany = (type) => `${type} | readonly (${type})[]`
