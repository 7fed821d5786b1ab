// Lists: filters, spans of time, order, search, count and cursor of any entity, as one endpoint.
import {
  aboutEnvelope,
  commonParameters,
  type Entity,
  type Field,
  type Filter,
  fieldsOf,
  limits,
  line,
  list,
  meta,
  object,
  pagination,
  recordSchema,
  timeParameters,
} from '@parley/contract'
import { type Endpoint, endpoint, type QueryParameter, type ReadInput } from '../../http/endpoint.js'
import { type Pagination, pageAnswer } from '../../http/respond.js'
import { toPhone } from '../../http/telephone.js'
import { badRequest } from '../../store/api-error.js'
import type { Condition } from '../../store/conditions.js'
import { makeCursor, readCursor } from '../../store/cursor.js'
import { placeIn } from '../../store/list-reader.js'
import { newestFirst, type Order, type Place } from '../../store/order.js'
import type { Stored } from '../../store/reader.js'
import type { Answer } from '../../store/response.js'
import { conditionsOf, withSurvivors } from './list-conditions.js'

type Parameters = Readonly<Record<string, QueryParameter>>

export const pageSchema = (items: Field<unknown>) =>
  object(
    { data: list(items, limits.pageMax), pagination, meta },
    { data: 'What this page has of the list.', ...aboutEnvelope },
  )

export function listEndpoint(
  entity: Entity,
  present: (texts: readonly Stored[], input: ReadInput) => string[] | Promise<string[]> = textsOf,
): Endpoint {
  return endpoint({
    method: 'GET',
    path: `/${entity.slug}`,
    scope: 'READ',
    operationId: `list${entity.slug.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())}`,
    summary: `List ${entity.label.toLowerCase()}`,
    tag: entity.label,
    query: { ...commonParameters, ...filterParameters(entity), ...timeParameters(entity) },
    returns: { status: 200, schema: pageSchema(recordSchema(entity)) },
    presents: present,
    handle: (input) => listPage(entity, input, [], present),
  })
}

const textsOf = (rows: readonly Stored[]): string[] => rows.map(({ text }) => text)

/** One page; `also` narrows it by what the path says. */
export async function listPage(
  entity: Entity,
  input: ReadInput,
  also: readonly Condition[] = [],
  present: (rows: readonly Stored[], input: ReadInput) => string[] | Promise<string[]> = textsOf,
): Promise<Answer> {
  const { query, read } = input
  const asked = askedFor(input)
  const conditions = await withSurvivors(read, entity, [...also, ...conditionsOf(entity, query)])
  const order = orderOf(query)
  const [name, limit] = [listName(input, entity.slug), limitOf(input)]
  const joined = async () => {
    const { text, last } = await read.joined(entity, {
      conditions,
      order,
      after: startOf(input, name),
      limit,
      bytesMax: limits.pageBytes,
    })
    const nextCursor = last && makeCursor(input.sealer, name, last)
    return { texts: [text], nextCursor }
  }
  const presented = async () => {
    const rows = await read.list(entity, {
      conditions,
      ...asked,
      order,
      after: startOf(input, name),
      limit: limit + 1,
      bytesMax: limits.pageBytes,
    })
    const page = rows.slice(0, limit).filter(({ text }) => text !== '')
    const nextCursor = cursorAfter(input, name, rows, page.length, (row) => placeOf(order, row))
    return { texts: await present(page, input), nextCursor }
  }
  const isJoined = asked.q === undefined && present === textsOf
  const [{ texts, nextCursor }, count] = await Promise.all([
    isJoined ? read.database.coalesce(`${name} ${limit} ${query['cursor']}`, joined) : presented(),
    countOf(input, () => read.count(entity, { conditions, ...asked })),
  ])
  return pageAnswer(texts, { limit, nextCursor, ...count }, input.requestId)
}

/** The words that are searched for, and the number that they are where they are one. A blank `q` is no search. */
export function askedFor({ query, caller }: Pick<ReadInput, 'query' | 'caller'>): {
  q: string | undefined
  number: string | undefined
} {
  const q = typeof query['q'] === 'string' && query['q'].trim() !== '' ? query['q'] : undefined
  return { q, number: q === undefined ? undefined : toPhone(q, caller.settings.defaultCountry) }
}

/** Rows that were found before all were looked at: the next page goes on below `readTo`. */
export interface PartOf<T> {
  readonly rows: readonly T[]
  readonly readTo: string | undefined
}

/** How many were found, where not all rows may have been looked at. */
export interface Counted {
  readonly count: number
  readonly isExact: boolean
}

/** How a list of rows that are no records finds them: `below` is the id to stay below. */
interface RowSource<T> {
  readonly find: (below: string | undefined, rows: number) => Promise<readonly T[] | PartOf<T>>
  readonly count: () => Promise<number | Counted>
  readonly idOf: (row: T) => string
}

/** A page of rows that are no records. */
export async function typedPage<T>(
  input: ReadInput,
  path: string,
  finding: RowSource<T>,
  present: (row: T) => unknown,
): Promise<Answer> {
  return textPage(input, path, finding, (row) => JSON.stringify(present(row)))
}

/** The same for rows that hold the text that goes out; it is empty where the page was full before. */
export async function textPage<T>(
  input: ReadInput,
  path: string,
  { find, count, idOf }: RowSource<T>,
  textOf: (row: T) => string,
): Promise<Answer> {
  const limit = limitOf(input)
  const name = listName(input, path)
  const [found, counted] = await Promise.all([find(startOf(input, name)?.id, limit + 1), countOf(input, count)])
  const { rows, readTo } = 'readTo' in found ? found : { rows: found, readTo: undefined }
  const texts = fitting(rows.slice(0, limit).map(textOf))
  const nextCursor =
    cursorAfter(input, name, rows, texts.length, (row) => ({ id: idOf(row), value: null })) ??
    (readTo === undefined ? null : makeCursor(input.sealer, name, { id: readTo, value: null }))
  return pageAnswer(texts, { limit, nextCursor, ...counted }, input.requestId)
}

/** The texts that a page holds: those that were read, up to the one that fills it. */
function fitting(texts: readonly string[]): string[] {
  let bytes = 0
  return texts.filter((text) => {
    const fits = text !== '' && bytes < limits.pageBytes
    bytes += text.length
    return fits
  })
}

export const limitOf = ({ query: { limit } }: Pick<ReadInput, 'query'>): number =>
  typeof limit === 'number' ? limit : limits.pageDefault

/** The cursor of the last row of a page of this many rows, when more were found. */
function cursorAfter<T>(
  input: ReadInput,
  name: string,
  rows: readonly T[],
  length: number,
  placeOf: (row: T) => Place,
): string | null {
  const last = rows[length - 1]
  return rows.length > length && last !== undefined ? makeCursor(input.sealer, name, placeOf(last)) : null
}

/** What `?count=true` adds to a page. */
async function countOf(
  { query }: Pick<ReadInput, 'query'>,
  count: () => Promise<number | Counted>,
): Promise<Partial<Pagination>> {
  if (query['count'] !== true) return {}
  const found = await count()
  if (typeof found !== 'number') return { count: found.count, countIsExact: found.isExact }
  return { count: Math.min(found, limits.countMax), countIsExact: found <= limits.countMax }
}

/** Where the page starts: after the row in the cursor. */
export function startOf({ query, sealer }: Pick<ReadInput, 'query' | 'sealer'>, name: string): Place | undefined {
  const { cursor } = query
  if (typeof cursor !== 'string') return undefined
  const place = readCursor(sealer, name, cursor)
  if (place === undefined) throw badRequest('cursor', 'was not made for this list; start again without it', 'cursor')
  return place
}

/** A cursor belongs to one tenant, one list, one order and one set of filters. */
export function listName(
  { caller, query, params }: Pick<ReadInput, 'caller' | 'query' | 'params'>,
  path: string,
): string {
  const { limit: _, cursor: __, count: ___, ...filters } = query
  const sorted = Object.entries({ ...filters, ...params }).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([caller.tenantId, path, sorted])
}

/** The order that is asked for; undefined for newest first, which every list has by itself. */
export function orderOf({ sort }: ReadInput['query']): Order | undefined {
  if (typeof sort !== 'string') return undefined
  const order = { field: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') }
  return order.field === newestFirst.field && order.isDescending ? undefined : order
}

function placeOf(order: Order = newestFirst, { id, text }: Stored): Place {
  const record: Record<string, string | null> = JSON.parse(text)
  return placeIn(order, id, record[order.field] ?? null)
}

export function filterParameters(entity: Entity): Parameters {
  return Object.fromEntries(
    Object.entries(entity.filters).map(([name, filter]) => [
      name,
      {
        schema: parameterSchema(entity, filter),
        description: meaning(filter),
        ...(filter.accept && { accept: filter.accept }),
      },
    ]),
  )
}

function parameterSchema(entity: Entity, { field, op }: Filter): QueryParameter['schema'] {
  const schema = fieldsOf(entity)[field] ?? line()
  return op === 'in' ? list(schema) : schema
}

function meaning({ field, op }: Filter): string {
  const meanings = {
    '=': `Only records with this ${field}`,
    in: `Only records whose ${field} is in this comma list`,
    '>=': `Only records with ${field} at or above this`,
    '<': `Only records with ${field} below this`,
  }
  return meanings[op]
}
