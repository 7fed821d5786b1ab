// Fields of a form as a JSON Schema describes them: what a provider wants to know of a connection.
import { TextField } from '../../ui/field'
import { sentence } from '../../ui/words'

type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const propertiesOf = (schema: Schema): readonly (readonly [string, Schema])[] =>
  Object.entries(isSchema(schema['properties']) ? schema['properties'] : {}).filter(
    (entry): entry is [string, Schema] => isSchema(entry[1]),
  )

interface SchemaFieldsProps {
  /** Stands before each name, so that two schemas fit into one form. */
  readonly prefix: string
  readonly schema: Schema
  readonly isSecret?: boolean
  readonly values?: Schema
}

export function SchemaFields({ prefix, schema, isSecret = false, values = {} }: SchemaFieldsProps) {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return propertiesOf(schema).map(([name, field]) => (
    <TextField
      key={name}
      label={sentence(name)}
      name={`${prefix}${name}`}
      type={isSecret ? 'password' : typeOf(field)}
      autoComplete={isSecret ? 'new-password' : 'off'}
      required={required.includes(name)}
      defaultValue={values[name] === undefined ? '' : String(values[name])}
      hint={typeof field['description'] === 'string' ? field['description'] : undefined}
    />
  ))
}

const typeOf = ({ type, format }: Schema): string => {
  if (type === 'integer' || type === 'number') return 'number'
  return format === 'uri' ? 'url' : 'text'
}

/** What was said in the fields of a schema; what was left empty is left out. */
export function saidIn(form: FormData, prefix: string, schema: Schema): Record<string, unknown> {
  return Object.fromEntries(
    propertiesOf(schema).flatMap(([name, { type }]) => {
      const said = String(form.get(`${prefix}${name}`) ?? '').trim()
      if (said === '') return []
      return [[name, type === 'integer' || type === 'number' ? Number(said) : said]]
    }),
  )
}
