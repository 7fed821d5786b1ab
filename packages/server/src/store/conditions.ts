// What narrows a list or a look-up, as SQL and as a test of a record at hand.
import { type AnyRow, type Entity, valueOf } from '@parley/contract'
import { join, raw, type Sql, sql } from '../database/sql.js'
import { expressionType, fieldExpression } from './entity-ddl.js'
import { firstIdAt } from './id.js'

/** One condition of a list. `in` takes an array. */
export interface Condition {
  readonly field: string
  readonly op: '=' | 'in' | '>=' | '<'
  readonly value: unknown
}

/** Values that fields must have: an array means any of them. */
export type Where = Readonly<Record<string, unknown>>

export const conditionsOf = (where: Where): Condition[] =>
  Object.entries(where).map(([field, value]) => ({ field, op: Array.isArray(value) ? 'in' : '=', value }))

/** Whether a record at hand is one that the database would find. */
export const isFound = (record: AnyRow, where: Where): boolean =>
  Object.entries(where).every(([field, value]) => {
    const known = valueOf(record, field) ?? null
    return Array.isArray(value) ? value.includes(known) : known === value
  })

export function conditionsSql(entity: Entity, conditions: readonly Condition[], narrowest?: string): Sql {
  return join(
    conditions.map((condition) => sql` and ${conditionSql(entity, condition, narrowest)}`),
    '',
  )
}

/**
 * What a field is compared by. Where another one is said to narrow most, it is compared without an index: a table that
 * has no statistics yet looks to the planner as if any index would do, and it may read all rows of one system to find
 * one of them.
 */
export const comparedColumn = (entity: Entity, field: string, narrowest?: string): string =>
  narrowest === undefined || narrowest === field
    ? fieldExpression(entity, field)
    : `(${fieldExpression(entity, field)} || '')`

function conditionSql(entity: Entity, { field, op, value }: Condition, narrowest?: string): Sql {
  if (field === 'id') return op === 'in' ? sql`id = any (${value}::uuid[])` : sql`id ${raw(op)} ${value}::uuid`
  // The creation time is in the id, so it needs no column.
  if (field === 'createdAt') return sql`id ${raw(op)} ${firstIdAt(new Date(String(value)))}::uuid`
  if (field === 'updatedAt') return sql`updated_at ${raw(op)} ${value}::timestamptz`
  const type = raw(expressionType(entity, field))
  const column = raw(comparedColumn(entity, field, narrowest))
  if (value === null) return sql`${column} is null`
  return op === 'in' ? sql`${column} = any (${value}::${type}[])` : sql`${column} ${raw(op)} ${value}::${type}`
}
