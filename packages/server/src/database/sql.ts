// The `sql` tag: statements are written as SQL, and values travel only as parameters.
// It knows nothing of the product; identifiers come from code, never from a request.

export interface Sql {
  readonly parts: readonly string[]
  readonly values: readonly unknown[]
}

export interface Statement {
  readonly text: string
  readonly values: unknown[]
}

/** A statement or a fragment of one. A value that is itself a fragment is spliced in. */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  const parts: string[] = [strings[0] ?? '']
  const flat: unknown[] = []
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    const after = strings[index + 1] ?? ''
    if (isSql(value)) {
      splice(parts, flat, value)
      parts[parts.length - 1] += after
    } else {
      flat.push(value)
      parts.push(after)
    }
  }
  return { parts, values: flat }
}

function splice(parts: string[], values: unknown[], fragment: Sql): void {
  parts[parts.length - 1] += fragment.parts[0] ?? ''
  for (let index = 1; index < fragment.parts.length; index++) parts.push(fragment.parts[index] ?? '')
  for (const value of fragment.values) values.push(value)
}

/** SQL text from code: a table, a column, a keyword. Never from a request. */
export function raw(text: string): Sql {
  return { parts: [text], values: [] }
}

export function join(fragments: readonly Sql[], separator: string): Sql {
  const parts = ['']
  const values: unknown[] = []
  for (const [index, fragment] of fragments.entries()) {
    if (index > 0) parts[parts.length - 1] += separator
    splice(parts, values, fragment)
  }
  return { parts, values }
}

/**
 * An array in the spelling of Postgres. The driver would make the same of it, at several times the cost: it matters
 * where a statement brings many rows.
 */
export function arrayLiteral(values: readonly (string | number | boolean | null | undefined)[]): string {
  return `{${values.map(elementLiteral).join(',')}}`
}

function elementLiteral(value: string | number | boolean | null | undefined): string {
  if (typeof value === 'string') return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  return value === null || value === undefined ? 'null' : String(value)
}

/**
 * A condition that always holds, and that the planner takes for a very narrow one. A prepared statement is planned once
 * per connection, maybe while the tables are empty, and kept: a few rows must lead to look-ups by primary key whatever
 * the tables held then. Without it, plans that read whole tables were seen.
 */
export const planForFewRows = (number: Sql): Sql => sql`${number} >= 0 and ${number} <= 2000000000`

/** What the driver takes: text with $1, $2, … and the values in that order. */
export function compile(fragment: Sql): Statement {
  return { text: fixedTexts.get(fragment.parts) ?? textOf(fragment), values: [...fragment.values] }
}

const textOf = ({ parts }: Sql): string =>
  parts.reduce((whole, part, index) => (index === 0 ? part : `${whole}$${index}${part}`), '')

const fixedTexts = new WeakMap<readonly string[], string>()

/** For a statement that is asked again and again with other values: its text is put together once. */
export function fixed(statement: Sql): Sql {
  fixedTexts.set(statement.parts, textOf(statement))
  return statement
}

/** The same statement with other values. */
export const filled = ({ parts, values }: Sql, valueFor: (value: unknown) => unknown): Sql => ({
  parts,
  values: values.map(valueFor),
})

function isSql(value: unknown): value is Sql {
  return (
    typeof value === 'object' &&
    value !== null &&
    'parts' in value &&
    'values' in value &&
    Array.isArray((value as Sql).parts)
  )
}
