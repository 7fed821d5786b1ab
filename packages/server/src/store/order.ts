// The order of a list and a place in it, as SQL for any entity. Rows without a value come last in both directions, and
// ids break ties, so that a page begins exactly after the last row of the page before it.
import { type Entity, fieldsOf, isNullable } from '@parley/contract'
import { raw, type Sql, sql } from '../database/sql.js'
import { expressionType, fieldExpression } from './entity-ddl.js'
import { recordText } from './record-text.js'

/** By one of the entity's time fields. */
export interface Order {
  readonly field: string
  readonly isDescending: boolean
}

/** A row that has been seen: its id, and its value of the field that the list is sorted by. */
export interface Place {
  readonly id: string
  readonly value: string | null
}

export const newestFirst: Order = { field: 'createdAt', isDescending: true }

export interface PageOptions {
  readonly entity: Entity
  readonly tenantId: string
  readonly order: Order
  /** Further conditions, each beginning with `and`; may be empty. */
  readonly conditions: Sql
  /** The conditions leave no row without a value of the field. */
  readonly isValued: boolean
  readonly after: Place | undefined
  readonly limit: number
}

/** Yields rows of (id, version, record as text) in their order. */
export function pageSql(options: PageOptions): Sql {
  const { order, after, limit } = options
  const columns = sql`id, version, ${recordText(options.entity)} as record`
  if (options.isValued || !mayBeEmpty(options)) return valuedRows(options, columns)
  if (after?.value === null) return emptyRows(options, columns)
  const withKey = sql`${columns}, ${keySql(options)} as sort_value`
  const isUnfilled = sql` and (select count(*) from valued) < ${limit}::int`
  return sql`
    with valued as materialized (${valuedRows(options, withKey)}),
    empty as materialized (${emptyRows({ ...options, conditions: sql`${options.conditions}${isUnfilled}` }, withKey)})
    select id, version, record from (select * from valued union all select * from empty) as rows
    order by sort_value ${turn(order)} nulls last, id ${turn(order)} limit ${limit}::int`
}

/** The rows that have a value, from the place on: what an index answers. */
export function valuedRows(options: PageOptions, columns: Sql): Sql {
  const { entity, tenantId, conditions, after, order, limit } = options
  const [key, size] = [keySql(options), sql`${limit}::int`]
  const from = sql`select ${columns} from ${raw(entity.table)} where tenant_id = ${tenantId}`
  if (order.field === 'createdAt')
    return sql`select * from (
      ${from}${after ? sql` and ${idAfter(order, after)}` : raw('')}${conditions} order by id ${turn(order)}
      limit ${planFor(limit)}) as planned limit ${size}`
  const start = after && after.value !== null ? sql` and ${keyAfter(options, after.value, after.id)}` : raw('')
  return sql`${from} and ${key} is not null${start}${conditions} order by ${key} ${turn(order)}, id ${turn(order)}
    limit ${size}`
}

/** The rows without a value. Ordering by it keeps the planner to its index: by primary key it might read all others. */
function emptyRows(options: PageOptions, columns: Sql): Sql {
  const { entity, tenantId, conditions, after, order, limit } = options
  const key = keySql(options)
  const start = after?.value === null ? sql` and ${idAfter(order, after)}` : raw('')
  return sql`select ${columns} from ${raw(entity.table)} where tenant_id = ${tenantId}
    and ${key} is null${start}${conditions}
    order by ${key} ${turn(order)}, id ${turn(order)} limit ${limit}::int`
}

/** What a row is sorted by. The time of creation is in the id. */
export const keySql = ({ entity, order }: Pick<PageOptions, 'entity' | 'order'>): Sql =>
  order.field === 'createdAt' ? raw('id') : raw(fieldExpression(entity, order.field))

export const turn = ({ isDescending }: Order): Sql => raw(isDescending ? 'desc' : 'asc')

/**
 * Whether a row lies after the place, with or without a value. No index answers this; `pageSql` asks for the two in
 * turn.
 */
export function isAfter(options: Pick<PageOptions, 'entity' | 'order' | 'after'>): Sql {
  const { after, order } = options
  if (after === undefined) return raw('true')
  if (order.field === 'createdAt') return idAfter(order, after)
  const key = keySql(options)
  if (after.value === null) return sql`(${key} is null and ${idAfter(order, after)})`
  return sql`(${keyAfter(options, after.value, after.id)} or ${key} is null)`
}

const idAfter = (order: Order, { id }: Place): Sql => sql`id ${beyond(order)} ${id}::uuid`

const beyond = ({ isDescending }: Order): Sql => raw(isDescending ? '<' : '>')

function keyAfter(options: Pick<PageOptions, 'entity' | 'order'>, value: string, id: string): Sql {
  const type = raw(expressionType(options.entity, options.order.field))
  return sql`(${keySql(options)}, id) ${beyond(options.order)} (${value}::${type}, ${id}::uuid)`
}

const mayBeEmpty = ({ entity, order }: PageOptions): boolean => isNullable(fieldsOf(entity)[order.field] ?? {})

/**
 * Wraps a statement of ordered rows of `columns` and `text`: the row that fills the page is its last, and the texts of
 * those after it are null. They are still rows, so that whoever asked for one more than a page sees that another
 * follows.
 */
export const withinBytes = (columns: string, text: string, rows: Sql, bytesMax: number): Sql =>
  sql`select ${raw(columns)}, case when bytes_before < ${bytesMax}::bigint then ${raw(text)} end as ${raw(text)} from (
    select *, coalesce(sum(octet_length(${raw(text)}))
        over (rows between unbounded preceding and 1 preceding), 0) as bytes_before
    from (${rows}) as ordered
  ) as counted`

/**
 * A number in the text of the statement, from few and close to that of the rows: with one that it does not know, or
 * that is far too large, the planner takes a plan that fits all pages to cost so much that it plans each page anew,
 * which costs as much as reading it, and several times as much where there are partitions.
 */
export const planFor = (rows: number): Sql => raw(String(plannedRows(rows)))

export const plannedRows = (rows: number): number => planned.find((most) => rows <= most) ?? ROWS_MAX

const ROWS_MAX = 1024
const planned = [8, 16, 32, 64, 128, 256, 512]
