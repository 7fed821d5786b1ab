// Lists: filters, search and cursor of any entity, as one endpoint.
import { type Entity, type Filter, fieldsOf, instant, integer, limits, line, list, object, recordSchema, text } from '@parley/contract'
import { type Endpoint, endpoint, type Input, type QueryParameter } from '../http/endpoint.js'
import { pageAnswer } from '../http/respond.js'
import { shapeQueryValue } from '../http/shape.js'
import type { Answer } from '../store/answer.js'
import { badRequest } from '../store/api-error.js'
import { makeCursor, readCursor } from '../store/cursor.js'
import type { Condition, Stored } from '../store/records.js'

type Parameters = Readonly<Record<string, QueryParameter>>

export const pageParameters: Parameters = {
  limit: { schema: integer({ minimum: 1, maximum: limits.pageMax }), description: `Rows a page, ${limits.pageDefault} unless said otherwise` },
  cursor: { schema: line(512), description: 'The `nextCursor` of the page before; leave out for the first page' },
}

/** The parameter `q`, with what it looks at. */
export const searchParameter = (where: string): Parameters => ({
  q: { schema: line(limits.queryLength), description: `Every word must match, as a prefix, in ${where}` },
})

const commonParameters: Parameters = {
  ...pageParameters,
  ...searchParameter('the searchable fields'),
  createdSince: { schema: instant(), description: 'Only records created at or after this time' },
  createdBefore: { schema: instant(), description: 'Only records created before this time' },
  updatedSince: { schema: instant(), description: 'Only records changed at or after this time' },
}

export const pageSchema = (items: ReturnType<typeof recordSchema>) =>
  object({
    data: list(items, limits.pageMax),
    pagination: object({ limit: integer({ minimum: 1, maximum: limits.pageMax }), nextCursor: { ...text(512), type: ['string', 'null'] } as never }),
    meta: object({ requestId: text(limits.requestIdLength) }),
  })

export function listEndpoint(entity: Entity, present: (texts: readonly Stored[], input: Input) => string[] | Promise<string[]> = textsOf): Endpoint {
  return endpoint({
    method: 'GET',
    path: `/${entity.slug}`,
    scope: 'READ',
    operationId: `list${entity.slug.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())}`,
    summary: `List ${entity.label.toLowerCase()}`,
    tag: entity.label,
    query: { ...commonParameters, ...filterParameters(entity) },
    returns: { status: 200, schema: pageSchema(recordSchema(entity)) },
    handle: (input) => listPage(entity, input, [], present),
  })
}

const textsOf = (rows: readonly Stored[]): string[] => rows.map(({ text }) => text)

/** One page; `also` narrows it by what the path says. */
export async function listPage(
  entity: Entity,
  input: Input,
  also: readonly Condition[] = [],
  present: (rows: readonly Stored[], input: Input) => string[] | Promise<string[]> = textsOf,
): Promise<Answer> {
  const { query, read, requestId } = input
  const limit = (query['limit'] as number | undefined) ?? limits.pageDefault
  const name = listName(input, entity.slug)
  const q = searchOf(query)
  const conditions = [...also, ...conditionsOf(entity, query)]
  if (q === undefined && conditions.length === 0 && present === textsOf) {
    const { text, next } = await read.database.together(`${name} ${limit} ${query['cursor']}`, async () => {
      const { text, lastId } = await read.joined(entity, startOf(input, name), limit)
      return { text, next: lastId && makeCursor(input.sealer, name, lastId) }
    })
    return pageAnswer([text], limit, next, requestId)
  }
  const rows = await read.list(entity, { conditions, q, beforeId: startOf(input, name), limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next = rows.length > limit && last ? makeCursor(input.sealer, name, last.id) : null
  return pageAnswer(await present(page, input), limit, next, requestId)
}

/** What is searched for; a blank `q` is none. */
export const searchOf = ({ q }: Input['query']): string | undefined => (typeof q === 'string' && q.trim() !== '' ? q : undefined)

/** Rows of which not all were looked at that there are: the next page goes on below `readTo`. */
export interface PartOf<T> {
  readonly rows: readonly T[]
  readonly readTo: string | undefined
}

type Find<T> = (below: string | undefined, rows: number) => Promise<readonly T[] | PartOf<T>>

/** A page of rows that are no records: `find` gets the id to stay below and how many rows to ask for. */
export async function typedPage<T>(input: Input, path: string, find: Find<T>, idOf: (row: T) => string, present: (row: T) => unknown): Promise<Answer> {
  return textPage(input, path, find, idOf, (row) => JSON.stringify(present(row)))
}

/** The same for rows that hold the text that goes out. */
export async function textPage<T>(input: Input, path: string, find: Find<T>, idOf: (row: T) => string, textOf: (row: T) => string): Promise<Answer> {
  const limit = (input.query['limit'] as number | undefined) ?? limits.pageDefault
  const name = listName(input, path)
  const found = await find(startOf(input, name), limit + 1)
  const { rows, readTo } = 'rows' in found ? found : { rows: found, readTo: undefined }
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const reached = rows.length > limit && last !== undefined ? idOf(last) : readTo
  return pageAnswer(page.map(textOf), limit, reached ? makeCursor(input.sealer, name, reached) : null, input.requestId)
}

/** Where the page starts: below the id in the cursor. */
function startOf({ query, sealer }: Pick<Input, 'query' | 'sealer'>, name: string): string | undefined {
  const cursor = query['cursor'] as string | undefined
  if (cursor === undefined) return undefined
  const id = readCursor(sealer, name, cursor)
  if (id === undefined) throw badRequest('cursor', 'was not made for this list; start again without it', 'cursor')
  return id
}

/** A cursor belongs to one tenant, one list and one set of filters. */
function listName({ caller, query, params }: Pick<Input, 'caller' | 'query' | 'params'>, path: string): string {
  const { limit: _, cursor: __, ...filters } = query
  const sorted = Object.entries({ ...filters, ...params }).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([caller.tenantId, path, sorted])
}

export function filterParameters(entity: Entity): Parameters {
  return Object.fromEntries(
    Object.entries(entity.filters).map(([name, filter]) => [name, { schema: parameterSchema(entity, filter), description: meaning(filter) }]),
  )
}

/** A comma list and a value with other spellings are read here, so the parameter itself is only text. */
function parameterSchema(entity: Entity, filter: Filter): QueryParameter['schema'] {
  return filter.op === 'in' || filter.accept ? line(2_000) : (fieldsOf(entity)[filter.field] ?? line())
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

export function conditionsOf(entity: Entity, query: Input['query']): Condition[] {
  const bounds: Condition[] = [
    { field: 'createdAt', op: '>=', value: query['createdSince'] },
    { field: 'createdAt', op: '<', value: query['createdBefore'] },
    { field: 'updatedAt', op: '>=', value: query['updatedSince'] },
  ]
  const filters = Object.entries(entity.filters)
    .filter(([name]) => query[name] !== undefined)
    .map(([name, filter]) => ({ field: filter.field, op: filter.op, value: filterValue(entity, name, filter, query[name]) }))
  return [...bounds.filter(({ value }) => value !== undefined), ...filters]
}

function filterValue(entity: Entity, name: string, { field, op, accept }: Filter, value: unknown): unknown {
  const schema = fieldsOf(entity)[field] ?? line()
  if (typeof value !== 'string') return value
  if (op === 'in') return value.split(',').map((one) => shapeQueryValue(name, schema, one.trim()))
  return accept ? shapeQueryValue(name, schema, accept(value)) : value
}
