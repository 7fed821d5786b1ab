// What the parameters of a list ask for, as conditions on its records.
import { beforeParameter, type Entity, fromParameter, mergeableReferences, timeFields } from '@parley/contract'
import type { ReadInput } from '../../http/endpoint.js'
import type { Condition } from '../../store/conditions.js'
import { readSurvivors } from '../../store/merged-ids.js'
import type { Reader } from '../../store/reader.js'

/** Filters by records that were merged, as filters by those that they are part of now. */
export async function withSurvivors(
  { database, tenantId }: Reader,
  entity: Entity,
  conditions: readonly Condition[],
): Promise<readonly Condition[]> {
  if (conditions.length === 0) return conditions
  const fields = new Set(mergeableReferences(entity).map(({ field }) => field))
  const ids = conditions.flatMap(({ field, value }) => (fields.has(field) && typeof value === 'string' ? [value] : []))
  if (ids.length === 0) return conditions
  const survivors = await readSurvivors(database, tenantId, ids)
  if (survivors.size === 0) return conditions
  return conditions.map((condition) => ({
    ...condition,
    value: (fields.has(condition.field) && survivors.get(String(condition.value))) || condition.value,
  }))
}

export function conditionsOf(entity: Entity, query: ReadInput['query']): Condition[] {
  if (Object.keys(query).length === 0) return []
  return conditionParameters(entity).flatMap(({ name, field, op }) =>
    query[name] === undefined ? [] : [{ field, op, value: query[name] }],
  )
}

/** What each parameter of an entity's list asks for. */
function conditionParameters(entity: Entity): readonly ConditionParameter[] {
  const known = parametersByEntity.get(entity)
  if (known) return known
  const parameters: ConditionParameter[] = [
    { name: 'createdSince', field: 'createdAt', op: '>=' },
    { name: 'createdBefore', field: 'createdAt', op: '<' },
    { name: 'updatedSince', field: 'updatedAt', op: '>=' },
    ...timeFields(entity).flatMap((field): ConditionParameter[] => [
      { name: fromParameter(field), field, op: '>=' },
      { name: beforeParameter(field), field, op: '<' },
    ]),
    ...Object.entries(entity.filters).map(([name, { field, op }]) => ({ name, field, op })),
  ]
  parametersByEntity.set(entity, parameters)
  return parameters
}

interface ConditionParameter extends Omit<Condition, 'value'> {
  readonly name: string
}

const parametersByEntity = new WeakMap<Entity, readonly ConditionParameter[]>()
