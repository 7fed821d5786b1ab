// The log of what merges have moved: of each record that named a merged one, what it said before and since.
import type { AnyRow } from '@parley/contract'
import { raw, sql } from '../../database/sql.js'
import type { Reader } from '../../store/reader.js'
import type { Work } from '../../store/work.js'

/** Fields, each with what it said before and since. */
export type Changes = Readonly<Record<string, readonly [before: unknown, since: unknown]>>

export interface MovedReference {
  readonly table: string
  readonly id: string
  readonly changes: Changes
  /** The record, where it had to go because the one that stays has its like. */
  readonly removed: AnyRow | null
}

interface MovedRow extends Record<string, unknown> {
  readonly table_name: string
  readonly record_id: string
  readonly changes: Changes
  readonly removed: AnyRow | null
}

/** Remembers what a change moves, for each of these merges. */
export function rememberMoved(work: Work, mergeIds: readonly string[], moved: readonly MovedReference[]): void {
  if (moved.length === 0) return
  const column = <T>(valueOf: (one: MovedReference) => T): T[] => moved.map(valueOf)
  work.addStatement(sql`insert into moved_references as m (tenant_id, merge_id, table_name, record_id, changes, removed)
    select ${work.tenantId}::uuid, g.id, r.table_name, r.record_id, r.changes::json, r.removed::json
    from not_a_replay, unnest(${mergeIds}::uuid[]) g (id), unnest(${column(({ table }) => table)}::text[],
        ${column(({ id }) => id)}::uuid[], ${column(({ changes }) => JSON.stringify(changes))}::text[],
        ${column(({ removed }) => removed && JSON.stringify(removed))}::text[])
      r (table_name, record_id, changes, removed)
    on conflict (tenant_id, merge_id, table_name, record_id) do update
      set changes = (m.changes::jsonb || excluded.changes::jsonb)::json,
        removed = coalesce(excluded.removed, m.removed)`)
}

/** What a merge has moved, up to a limit. */
export async function movedBy(
  { database, tenantId }: Reader,
  mergeId: string,
  limit: number,
): Promise<MovedReference[]> {
  const rows = await database.query<MovedRow>(sql`select table_name, record_id, changes, removed from moved_references
    where tenant_id = ${tenantId} and merge_id = ${mergeId} order by table_name, record_id
    limit ${raw(String(limit))}`)
  return rows.map(({ table_name: table, record_id: id, changes, removed }) => ({ table, id, changes, removed }))
}

/** Forgets what a change has given back. */
export function forgetMoved(work: Work, mergeId: string, moved: readonly MovedReference[]): void {
  if (moved.length === 0) return
  work.addStatement(
    sql`delete from moved_references m using not_a_replay, unnest(${moved.map(({ table }) => table)}::text[],
        ${moved.map(({ id }) => id)}::uuid[]) r (table_name, record_id)
      where m.tenant_id = ${work.tenantId}::uuid and m.merge_id = ${mergeId}::uuid and m.table_name = r.table_name
        and m.record_id = r.record_id returning 1`,
    moved.length,
  )
}
