// The fields of a kind of work as its form builder holds them: read from the definition and written back to it. What
// the builder has no word for (a list, an object, a bound) stays as it was.
import type { WorkTypeDefinition } from '@parley/sdk'
import { sentence } from '../../ui/words'

export const fieldKinds = [
  'text',
  'number',
  'integer',
  'yesNo',
  'choice',
  'date',
  'dateTime',
  'phone',
  'email',
  'link',
  'learned',
] as const
export type FieldKind = (typeof fieldKinds)[number] | 'other'

export interface WorkField {
  /** Tells the rows of the builder apart. */
  readonly id: string
  /** What programs call it. It never changes once it was saved; a new field has none yet. */
  readonly key: string
  /** What people call it. */
  readonly title: string
  readonly kind: FieldKind
  /** Asked for in the call: a draft tells when it is missing. */
  readonly isRequired: boolean
  /** The values of a choice. */
  readonly options: readonly string[]
  /** The rest of its schema. */
  readonly schema: Schema
}
type Schema = Readonly<Record<string, unknown>>
type Definition = Pick<WorkTypeDefinition, 'fieldSchema' | 'requiredFields'>

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const schemas: Readonly<Record<Exclude<FieldKind, 'other' | 'learned'>, Schema>> = {
  text: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  yesNo: { type: 'boolean' },
  choice: { type: 'string' },
  date: { type: 'string', format: 'date' },
  dateTime: { type: 'string', format: 'date-time' },
  phone: { type: 'string', format: 'phone' },
  email: { type: 'string', format: 'email' },
  link: { type: 'string', format: 'uri' },
}

/** In the order of the form: those of the schema, and what is only required where it was asked for. */
export function fieldsOf({ fieldSchema, requiredFields }: Definition): readonly WorkField[] {
  const properties = propertiesOf(fieldSchema)
  return mergedOrder(Object.keys(properties), requiredFields).map((key) => {
    const schema = properties[key]
    const isRequired = requiredFields.includes(key)
    const base = { id: key, key, isRequired, title: sentence(key), options: [], schema: {} }
    if (!isSchema(schema)) return { ...base, kind: 'learned' }
    const title = typeof schema['title'] === 'string' ? schema['title'] : base.title
    return { ...base, title, kind: kindOf(schema), options: optionsOf(schema), schema }
  })
}

function propertiesOf(fieldSchema: unknown): Schema {
  const properties = isSchema(fieldSchema) ? fieldSchema['properties'] : undefined
  return isSchema(properties) ? properties : {}
}

/** What only the second list has goes before the one that follows it there. */
function mergedOrder(keys: readonly string[], required: readonly string[]): readonly string[] {
  const merged = [...keys]
  for (const [index, key] of [...required.entries()].toReversed()) {
    if (merged.includes(key)) continue
    const next = merged.indexOf(required[index + 1] ?? '')
    merged.splice(next < 0 ? merged.length : next, 0, key)
  }
  return merged
}

const optionsOf = (schema: Schema): readonly string[] =>
  Array.isArray(schema['enum']) ? schema['enum'].filter((one) => typeof one === 'string') : []

function kindOf(schema: Schema): FieldKind {
  const { type = 'string', format, enum: values } = schema
  if (Array.isArray(values)) return values.every((one) => typeof one === 'string') ? 'choice' : 'other'
  const found = fieldKinds.find((kind) => {
    if (kind === 'learned' || kind === 'choice') return false
    return schemas[kind]['type'] === type && schemas[kind]['format'] === format
  })
  return found ?? 'other'
}

/** What is saved. Bounds that the builder does not show stay while the kind stays. */
export function definitionOf(edited: readonly WorkField[], before: Definition) {
  const fields = keyed(edited)
  const own = fields.filter(({ kind }) => kind !== 'learned')
  const kept = isSchema(before.fieldSchema) ? before.fieldSchema : {}
  const required = Array.isArray(kept['required'])
    ? kept['required'].filter((key) => own.some((field) => field.key === key))
    : []
  const { required: _, ...rest } = kept
  const properties = Object.fromEntries(own.map((field) => [field.key, schemaOf(field)]))
  return {
    fieldSchema: { type: 'object', ...rest, properties, ...(required.length > 0 && { required }) },
    requiredFields: fields.filter(({ isRequired }) => isRequired).map(({ key }) => key),
  }
}

function schemaOf({ key, title, kind, options, schema }: WorkField): Schema {
  const { title: _, enum: values, ...rest } = schema
  const named = title.trim() === '' || title === sentence(key) ? {} : { title: title.trim() }
  if (kind === 'other' || kind === 'learned')
    return { ...rest, ...(values !== undefined && { enum: values }), ...named }
  const shape = kindOf(schema) === kind ? { ...schemas[kind], ...rest } : schemas[kind]
  const chosen = options.map((one) => one.trim()).filter(Boolean)
  return { ...shape, ...(kind === 'choice' && { enum: chosen }), ...named }
}

export const newField = (): WorkField => ({
  id: crypto.randomUUID(),
  key: '',
  title: '',
  kind: 'text',
  isRequired: false,
  options: [],
  schema: {},
})

/** New fields get a key from their title. */
export function keyed(fields: readonly WorkField[]): readonly WorkField[] {
  const taken = new Set(fields.map(({ key }) => key))
  return fields.map((field) => {
    const key = field.key === '' ? keyFor(field.title, taken) : field.key
    taken.add(key)
    return { ...field, key }
  })
}

/** A key that is made of a title and is not taken yet. */
function keyFor(title: string, taken: ReadonlySet<string>): string {
  const words = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const plain = words.replace(/[^a-z0-9]+/g, '_').replace(/^[_0-9]+|_+$/g, '') || 'field'
  for (let copy = 1; ; copy++) {
    const key = copy === 1 ? plain.slice(0, 56) : `${plain.slice(0, 56)}_${copy}`
    if (!taken.has(key)) return key
  }
}

/** The list with one moved by a place, up or down. */
export function moved<T>(list: readonly T[], index: number, by: -1 | 1): readonly T[] {
  const one = list[index]
  const other = list[index + by]
  if (one === undefined || other === undefined) return list
  return list.with(index, other).with(index + by, one)
}

/** What stops the fields from being saved, in words; undefined when nothing does. */
export function problemWith(fields: readonly WorkField[], words: { noTitle: string; noOptions: string }) {
  if (fields.some(({ title }) => title.trim() === '')) return words.noTitle
  const isEmpty = ({ kind, options }: WorkField) => kind === 'choice' && !options.some((one) => one.trim() !== '')
  return fields.some(isEmpty) ? words.noOptions : undefined
}
