// A row of a file as an item to write: columns become fields as the mapping says, and cells what their fields hold. A
// row that cannot be read says why, and does not stop the others.
import { type BatchItem, type Entity, fieldsOf, type ImportJob, isObject, typeOf } from '@parley/contract'
import { refuseOddities } from '../../http/parse-body.js'
import { ApiError } from '../../store/api-error.js'
import { type FileRow, UnreadableFile } from './csv-rows.js'

export type MappedRow = { readonly item: BatchItem } | { readonly problem: string } | 'blank'

/** What a file's rows become; made once its first line is known. */
export type RowMapper = (row: FileRow) => MappedRow

/** Columns that fill no field are refused before anything is written: they are typos more often than not. */
export function csvMapper(entity: Entity, job: ImportJob, head: FileRow): RowMapper {
  const columns = head.cells.map((name) => name.trim())
  const targets = columns.map((name) => targetOf(job, name))
  const unknown = columns.filter((_, index) => !isKnown(entity, targets[index] ?? null))
  if (unknown.length > 0)
    throw new UnreadableFile(
      `${entity.slug} has no field for ${unknown.map((name) => JSON.stringify(name)).join(', ')}; ` +
        'rename the column, map it to a field, or map it to null to leave it out',
    )
  const twice = targets.filter((name, index) => name !== null && targets.indexOf(name) !== index)
  if (twice.length > 0) throw new UnreadableFile(`Two columns fill ${twice[0]}; leave one out`)
  return ({ cells, isTooLong }) => {
    if (isTooLong) return { problem: TOO_LONG }
    if (cells.every((cell) => cell.trim() === '')) return 'blank'
    if (cells.length !== columns.length)
      return { problem: `has ${cells.length} cells, but there are ${columns.length} columns` }
    const data: Record<string, unknown> = {}
    for (const [index, target] of targets.entries()) {
      const cell = (cells[index] ?? '').trim()
      if (target === null || cell === '') continue
      const value = cellValue(entity, target, cell)
      if (value === undefined) return { problem: `${target}: ${JSON.stringify(cell)} does not fit its type` }
      put(data, target.replace(/:json$/, ''), value)
    }
    return { item: itemOf(job, data) }
  }
}

const TOO_LONG = 'is longer than 1 MiB'

export function ndjsonMapper(job: ImportJob): RowMapper {
  return ({ cells: [text = ''], isTooLong }) => {
    if (isTooLong) return { problem: TOO_LONG }
    if (text.trim() === '') return 'blank'
    const value = parsed(text)
    if (!isObject(value)) return { problem: 'is no JSON object' }
    const odd = oddity(value)
    if (odd !== undefined) return { problem: odd }
    const data: Record<string, unknown> = {}
    for (const [name, one] of Object.entries(value)) {
      const target = targetOf(job, name)
      if (target !== null && !isNoReference(target, one)) put(data, target, one)
    }
    return { item: itemOf(job, data) }
  }
}

/** A row that is called nothing in the other system. */
const isNoReference = (target: string, value: unknown): boolean =>
  target.startsWith('externalRefs.') && (value === null || value === '')

/** What no request may hold, no row may either. */
function oddity(value: unknown): string | undefined {
  try {
    refuseOddities(value)
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function targetOf({ mapping }: ImportJob, column: string): string | null {
  if (!Object.hasOwn(mapping, column)) return column
  const target = mapping[column]
  return typeof target === 'string' ? target : null
}

function isKnown(entity: Entity, target: string | null): boolean {
  if (target === null) return true
  const [name = ''] = target.replace(/:json$/, '').split('.')
  return Object.hasOwn(fieldsOf(entity), name) || Object.hasOwn(entity.aliases, name)
}

function cellValue(entity: Entity, target: string, cell: string): unknown {
  if (target.endsWith(':json')) return parsed(cell)
  const type = typeOf(fieldsOf(entity)[target] ?? {})
  if (type === 'number' || type === 'integer') return Number.isFinite(Number(cell)) ? Number(cell) : undefined
  return type === 'boolean' ? words.get(cell.toLowerCase()) : cell
}

const words: ReadonlyMap<string, boolean> = new Map(
  Object.entries({ true: true, yes: true, '1': true, false: false, no: false, '0': false }),
)

/** `externalRefs.crm` names the record in `crm`; any other dot fills a key within a field. */
function put(data: Record<string, unknown>, target: string, value: unknown): void {
  const [name = '', ...rest] = target.split('.')
  const key = rest.join('.')
  if (key === '') data[name] = value
  else if (name === 'externalRefs') {
    const known = Array.isArray(data[name]) ? data[name] : []
    data[name] = [...known, { system: key, externalId: String(value) }]
  } else data[name] = { ...(isObject(data[name]) ? data[name] : {}), [key]: value }
}

/** With references a row updates the record that has them; the endpoint for people looks at numbers and addresses. */
function itemOf({ matchBy }: ImportJob, data: Record<string, unknown>): BatchItem {
  const hasRefs = Array.isArray(data['externalRefs']) && data['externalRefs'].length > 0
  return { op: matchBy === 'externalRefs' && hasRefs ? 'upsert' : 'create', data }
}
