// Work is also found by the names of whom it is for. Here a write of a work record learns them, and so does the worker
// that follows a renaming.
import { customers, type Entity, people, type Row, storedEntities, workRecords } from '@parley/contract'
import { raw, sql } from '../../database/sql.js'
import type { Change } from '../../store/change.js'
import type { FurtherWords, Query, ReindexParts } from '../../store/reindex.js'
import type { WriteContext } from '../generic/system-caller.js'

type WorkRecord = Row<typeof workRecords>

/**
 * The names of the customer and the person. The change holds only while they are called so: otherwise a record that was
 * written while someone was renamed would keep the old name, the worker having passed it.
 */
export async function namesOf(
  change: Change,
  input: WriteContext,
  { customerId, primaryPersonId }: WorkRecord,
): Promise<string[]> {
  // In the order in which a change writes them, so that none waits for the other in a circle.
  const names = [
    await nameOf(change, input, customers, customerId),
    primaryPersonId ? await nameOf(change, input, people, primaryPersonId) : undefined,
  ]
  return names.filter((name) => name !== undefined)
}

async function nameOf(
  change: Change,
  { read }: WriteContext,
  entity: typeof customers | typeof people,
  id: string,
): Promise<string | undefined> {
  const pending = change.pending(entity).find((one) => one.id === id)
  if (pending) return pending.displayName
  const found = await read.get(entity, id)
  if (found === undefined) return undefined
  const { displayName } = found
  const isCalledSo = sql`n.tenant_id = ${read.tenantId}::uuid and n.id = ${id}::uuid and n.record ->> 'displayName' = ${displayName}::text`
  change.addStatement(sql`select 1 from ${raw(entity.table)} n, proceed where ${isCalledSo} for share of n`, 1, {
    recurs: true,
  })
  return displayName
}

const namesNow: FurtherWords = async (query, tenantId, records) => {
  const ofCustomers = await namesById(
    query,
    tenantId,
    customers,
    records.map((record) => record['customerId']),
  )
  const ofPeople = await namesById(
    query,
    tenantId,
    people,
    records.map((record) => record['primaryPersonId']),
  )
  return records.map((record) =>
    [ofCustomers.get(record['customerId']), ofPeople.get(record['primaryPersonId'])].filter(
      (name) => name !== undefined,
    ),
  )
}

async function namesById(
  query: Query,
  tenantId: string,
  entity: Entity,
  ids: readonly unknown[],
): Promise<Map<unknown, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  const rows = await query<{ id: string; name: string }>(
    sql`select id, record ->> 'displayName' as name from ${raw(entity.table)} where tenant_id = ${tenantId} and id = any (${wanted}::uuid[])`,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** What a worker needs to know to re-index any record. */
export const reindexed: Pick<ReindexParts, 'entities' | 'furtherWords'> = {
  entities: storedEntities,
  furtherWords: { [workRecords.table]: namesNow },
}
