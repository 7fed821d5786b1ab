// The ids of records that were merged into others: each leads to the record that stayed, for whoever reads it, and for
// whoever is about to write it down.
import { type AnyRow, type Entity, mergeableIdsIn, mergeableReferences, valueOf } from '@parley/contract'
import type { Database } from '../database/pool.js'
import { sql } from '../database/sql.js'
import type { Change } from './change.js'
import type { Part } from './commit-rows.js'

/** Old ids, each with the one to use instead. */
export type Survivors = ReadonlyMap<string, string>

export const noSurvivors: Survivors = new Map()

/** Those of the ids that lead elsewhere, with where. */
export async function readSurvivors(database: Database, tenantId: string, ids: readonly string[]): Promise<Survivors> {
  const rows = await database.read<[string, string]>(sql`select merged_id, survivor_of(tenant_id, merged_id)
    from merges where tenant_id = ${tenantId} and merged_id = any (${ids}::uuid[])
      and status in ('moving', 'settling', 'done')`)
  return new Map(rows)
}

/** The record with what it names brought up to date; the same record where nothing has to be. */
export function withSurvivors<R extends AnyRow>(entity: Entity, record: R, survivors: Survivors): R {
  if (survivors.size === 0) return record
  const renamed = mergeableReferences(entity).flatMap(({ field }) => {
    const survivor = survivors.get(String(valueOf(record, field)))
    return survivor === undefined ? [] : [[field, survivor]]
  })
  return renamed.length === 0 ? record : { ...record, ...Object.fromEntries(renamed) }
}

/** The part of a commit that fails when the change names a merged record. */
export const MERGED_REFERENCE = 'merged_reference'

/** What a change names, besides what it brings back itself. */
export const idsNamedIn = ({ writes, restored }: Change): string[] => [
  ...new Set(
    writes
      .flatMap((write) => (write.kind === 'remove' ? [] : mergeableIdsIn(write.entity, write.record)))
      .filter((id) => !restored.has(id)),
  ),
]

/**
 * Nobody writes down the id of a merged record. Whoever tries, because a request named it or because the merge came in
 * between, runs again and is told the id to use.
 */
export function mergedReferencePart(tenantId: string, change: Change): Part[] {
  const ids = idsNamedIn(change)
  if (ids.length === 0) return []
  const body = sql`select 1 from merges where tenant_id = ${tenantId}::uuid and merged_id = any (${ids}::uuid[])
    and status in ('moving', 'settling', 'done')`
  return [{ name: MERGED_REFERENCE, body, rows: 0 }]
}
