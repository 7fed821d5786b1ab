// The rows of a file, NDJSON or CSV, as bodies to send. A row that cannot be read says why and does not stop the
// others.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { SchemaEntity, SchemaField } from '../generated/shapes.js'
import { CsvError, readCsv } from './csv.js'
import { CliError } from './failure.js'

export type Body = Record<string, unknown>
export type Row = { readonly line: number; readonly source: unknown } & (
  | { readonly body: Body }
  | { readonly problem: string }
)

export interface RowOptions {
  /** Columns that are not sent. */
  readonly skip: readonly string[]
  /** The column that says what the record is called in another system. */
  readonly externalId?: string | undefined
  readonly system: string
}

export async function* readRows(
  file: string,
  entity: SchemaEntity,
  options: RowOptions,
): AsyncGenerator<Row, void, undefined> {
  const rows = /\.csv$/i.test(file) ? csvRows(file, entity, options) : ndjsonRows(file)
  for await (const row of rows) yield 'body' in row ? { ...row, body: withReference(row.body, options) } : row
}

function withReference(body: Body, { externalId, system, skip }: RowOptions): Body {
  const sent = Object.fromEntries(Object.entries(body).filter(([name]) => !skip.includes(name) && name !== externalId))
  const id = externalId === undefined ? undefined : body[externalId]
  return id === undefined || id === null || id === ''
    ? sent
    : { ...sent, externalRefs: [{ system, externalId: String(id) }] }
}

async function* ndjsonRows(file: string): AsyncGenerator<Row, void, undefined> {
  let line = 0
  for await (const text of createInterface({
    input: createReadStream(file, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    line += 1
    const trimmed = (line === 1 ? text.replace(/^\uFEFF/, '') : text).trim()
    if (trimmed !== '') yield { line, source: trimmed, ...parsed(trimmed) }
  }
}

function parsed(text: string): { body: Body } | { problem: string } {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { body: value as Body }
      : { problem: 'is no JSON object' }
  } catch (error) {
    return { problem: `is no JSON: ${(error as Error).message}` }
  }
}

async function* csvRows(file: string, entity: SchemaEntity, options: RowOptions): AsyncGenerator<Row, void, undefined> {
  const records = readCsv(createReadStream(file, 'utf8') as AsyncIterable<string>)
  let columns: readonly string[] | undefined
  try {
    for await (const { line, cells } of records) {
      if (columns === undefined) columns = requireColumns(cells, entity, options)
      else yield { line, source: cells, ...bodyOf(columns, cells, entity.scalarFields) }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new CliError(
      `Line ${error.line} of ${file} is no CSV: ${error.message}.`,
      'Mend that line and run the same command again; the rows before it are not sent twice.',
    )
  }
  if (columns === undefined)
    throw new CliError(`${file} is empty.`, 'Its first line names the columns, for example: displayName,primaryPhone')
}

/** Names with a dot set a key within a field; lists and objects of a record are written as JSON. */
function requireColumns(
  cells: readonly string[],
  entity: SchemaEntity,
  { skip, externalId }: RowOptions,
): readonly string[] {
  const columns = cells.map((cell) => cell.trim())
  const known = entity.scalarFields.filter(({ readOnly }) => !readOnly).map(({ name }) => name)
  const isKnown = (name: string) =>
    name.includes('.') ||
    name.endsWith(':json') ||
    [...known, ...skip, externalId].includes(name) ||
    entity.scalarFields.some((field) => field.name === name)
  const unknown = columns.filter((name) => !isKnown(name))
  if (unknown.length > 0) {
    throw new CliError(
      `${entity.slug} has no plain field ${unknown.map((name) => `"${name}"`).join(', ')}.`,
      `Known: ${known.join(', ')}. Rename the column, leave it out with --skip ${unknown[0]}, ` +
        `or name it ${unknown[0]}:json if it holds JSON.`,
    )
  }
  if (new Set(columns).size < columns.length)
    throw new CliError('Two columns have the same name.', 'Rename one of them.')
  return columns
}

function bodyOf(
  columns: readonly string[],
  cells: readonly string[],
  known: readonly SchemaField[],
): { body: Body } | { problem: string } {
  if (cells.length !== columns.length)
    return { problem: `has ${cells.length} cells, but there are ${columns.length} columns` }
  const body: Body = {}
  for (const [index, column] of columns.entries()) {
    const cell = (cells[index] ?? '').trim()
    if (cell === '') continue
    const value = valueOf(column, cell, known)
    if (value === undefined) return { problem: `${column}: ${JSON.stringify(cell)} does not fit its type` }
    put(body, column.replace(/:json$/, ''), value)
  }
  return { body }
}

function valueOf(column: string, cell: string, known: readonly SchemaField[]): unknown {
  if (column.endsWith(':json')) {
    try {
      return JSON.parse(cell)
    } catch {
      return undefined
    }
  }
  const type = known.find(({ name }) => name === column)?.type
  if (type === 'number' || type === 'integer') return Number.isFinite(Number(cell)) ? Number(cell) : undefined
  if (type !== 'boolean') return cell
  return ({ true: true, yes: true, '1': true, false: false, no: false, '0': false } as Record<string, boolean>)[
    cell.toLowerCase()
  ]
}

function put(body: Body, column: string, value: unknown): void {
  const [name = '', ...rest] = column.split('.')
  if (rest.length === 0) body[name] = value
  else body[name] = { ...(body[name] as Body | undefined), [rest.join('.')]: value }
}
