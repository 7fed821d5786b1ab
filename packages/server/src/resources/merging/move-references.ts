// Moves what names a merged record to the one that stays, a bounded number at once. Each record that moves gets its
// next version and, where its changes are tracked, its history; there are no events, because that of the merge says it
// all.
import {
  type AnyRow,
  columnName,
  type Entity,
  limits,
  type Reference,
  type Row,
  referencesTo,
  valueOf,
} from '@parley/contract'
import { join, raw, sql } from '../../database/sql.js'
import { conditionsSql } from '../../store/conditions.js'
import { finding, type Reader } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import { recordHistory } from '../generic/field-history.js'
import { patched } from '../generic/record-values.js'
import { reindexed } from '../work/work-record-names.js'
import { type Judge, moveRules, renamedAfter } from './move-rules.js'
import { type Changes, type MovedReference, rememberMoved } from './moved-references.js'

export interface Move {
  readonly target: Entity
  readonly from: string
  readonly to: string
  /** The merges that this is done for: the one of `from`, and those that lead on from it. */
  readonly mergeIds: readonly string[]
}

/** How many records name this one in each way there is, counted up to one more than are moved at once. */
export async function countReferences(
  { database, tenantId }: Reader,
  target: Entity,
  id: string,
): Promise<readonly Counted[]> {
  const references = referencesTo(target)
  const parts = references.map(({ entity, field }, place) => {
    const isNamed = conditionsSql(entity, [{ field, op: '=', value: id }])
    return sql`select ${raw(String(place))} as place, count(*)::int as count from (select 1 from ${raw(entity.table)}
      where tenant_id = ${tenantId}${isNamed} limit ${raw(String(limits.mergeAtOnce + 1))}) n`
  })
  const rows = await database.query<{ place: number; count: number }>(join(parts, '\nunion all '))
  return references.map((reference, index) => ({
    reference,
    count: rows.find(({ place }) => place === index)?.count ?? 0,
  }))
}

interface Counted {
  readonly reference: Reference
  readonly count: number
}

export const totalOf = (counted: readonly Counted[]): number => counted.reduce((sum, { count }) => sum + count, 0)

/** Moves as many of the counted references as fit in one change, and says how many records that were. */
export async function moveReferences(work: Work, move: Move, counted: readonly Counted[]): Promise<number> {
  const naming = await namingRecords(work, move, counted)
  if (naming.length > 0) sayThatReferencesMove(work)
  const moved: MovedReference[] = []
  for (const { entity, records } of naming) {
    const judge = await moveRules[entity.table]?.(work, [...records.keys()], move)
    for (const [record, fields] of records) moved.push(await moveRecord(work, entity, record, fields, move, judge))
    reindexNamed(work, entity, [...new Set([...records.values()].flat())], move.to)
  }
  rememberMoved(work, move.mergeIds, moved)
  return moved.length
}

interface Naming {
  readonly entity: Entity
  /** Records, each with the fields that name the merged one. */
  readonly records: ReadonlyMap<AnyRow, readonly string[]>
}

async function namingRecords(work: Work, { from }: Move, counted: readonly Counted[]): Promise<Naming[]> {
  let room: number = limits.mergeAtOnce
  const byEntity = new Map<Entity, Map<string, [AnyRow, string[]]>>()
  for (const { reference, count } of counted) {
    if (count === 0 || room <= 0) continue
    const { entity, field } = reference
    const [found] = await work.lookUp(finding(entity, { [field]: from }, room))
    const records = byEntity.get(entity) ?? new Map<string, [AnyRow, string[]]>()
    for (const record of found) records.set(record.id, [record, [...(records.get(record.id)?.[1] ?? []), field]])
    byEntity.set(entity, records)
    room -= found.length
  }
  return [...byEntity].map(([entity, records]) => ({ entity, records: new Map(records.values()) }))
}

async function moveRecord(
  work: Work,
  entity: Entity,
  record: AnyRow,
  fields: readonly string[],
  { from, to }: Move,
  judge: Judge | undefined,
): Promise<MovedReference> {
  const verdict = judge?.(record)
  if (verdict === 'remove') {
    work.remove(entity, record)
    return { table: entity.table, id: record.id, changes: {}, removed: record }
  }
  const references: Changes = Object.fromEntries(fields.map((field) => [field, [from, to]]))
  const changes: Changes = { ...references, ...verdict }
  const since = Object.fromEntries(Object.entries(changes).map(([field, [, value]]) => [field, value]))
  await changeNaming(work, entity, record, since)
  return { table: entity.table, id: record.id, changes, removed: null }
}

/** Writes a record that names another one from now on. */
export async function changeNaming(
  work: Work,
  entity: Entity,
  before: AnyRow,
  values: Record<string, unknown>,
): Promise<void> {
  const wanted: Row<Entity> = await renamedAfter(work, entity, patched(entity, work.current(entity, before), values))
  const searchUnchanged = entity.search.every((field) => valueOf(before, field) === valueOf(wanted, field))
  const after = work.update(entity, wanted, { searchUnchanged })
  recordHistory(work, entity, before, after)
}

/** Records that are also found by the name of whom they are for get other words. */
export function reindexNamed(work: Work, entity: Entity, fields: readonly string[], id: string): void {
  if (reindexed.furtherWords[entity.table] === undefined) return
  const columns = fields.map(columnName)
  work.addStatement(sql`insert into reindexing (tenant_id, table_name, column_name, value)
    select ${work.tenantId}::uuid, ${entity.table}, c.name, ${id}::uuid
      from not_a_replay, unnest(${columns}::text[]) c (name)
    on conflict (tenant_id, table_name, column_name, value) do update set after_id = excluded.after_id`)
}

/** For the triggers: nothing new is known of these records. */
export function sayThatReferencesMove(work: Work): void {
  work.addStatement(sql`select set_config('parley.is_moving_references', 'on', true) from not_a_replay`, 1)
}
