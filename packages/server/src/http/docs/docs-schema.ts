// Schemas on the page at `/docs`: a type in a few words with links to the schemas it names, and the fields of an object
// as rows.
import { escape, inline } from './docs-text.js'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly readOnly?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

/** HTML. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = escape(schema.$ref.split('/').at(-1) ?? '')
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.items) return `list of ${typeOf(schema.items)}${bounds(schema)}`
  if (schema.enum) return schema.enum.map((value) => `<code>${escape(String(value))}</code>`).join(' ')
  if (schema.const !== undefined) return `<code>${escape(String(schema.const))}</code>`
  const types = [schema.type ?? 'any'].flat().join(' or ')
  return escape(schema.format ? types.replace('string', schema.format) : types) + bounds(schema)
}

function bounds({ minimum, maximum, maxLength, maxItems }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, from ${minimum}`
  const most = maximum ?? maxLength ?? maxItems
  return most === undefined ? '' : `, at most ${most}`
}

/** HTML; nothing for what has no fields of its own. */
export function fieldRows({ properties, required = [] }: Schema): string {
  if (properties === undefined) return ''
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      `<tr><td><code>${escape(name)}</code>${marks(field, required.includes(name))}</td>` +
      `<td>${typeOf(field)}</td><td>${about(field)}</td></tr>`,
  )
  return `<table>${rows.join('')}</table>`
}

const marks = ({ readOnly }: Schema, isRequired: boolean): string =>
  readOnly ? ' <em>read-only</em>' : isRequired ? ' <em>required</em>' : ''

/** The description, and the fields of an object that has no name of its own. */
function about(field: Schema): string {
  const inner = field.items ?? field.anyOf?.find(({ properties }) => properties) ?? field
  return inline(field.description ?? '') + fieldRows(inner)
}
