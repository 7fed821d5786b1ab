// Work is also found by the names of whom it is for. Here a write of a work record learns them, and so does the worker
// that follows a renaming.
import { customers, type Entity, people, type Row, storedEntities, workRecords } from '@parley/contract'
import { raw, sql } from '../../database/sql.js'
import type { FurtherWords, Query, ReindexParts } from '../../store/reindex.js'
import type { Work } from '../../store/work.js'

type WorkRecord = Row<typeof workRecords>

/**
 * The names of the customer and the person. The change holds only while they are called so: otherwise a record that was
 * written while someone was renamed would keep the old name, the worker having passed it.
 */
export async function namesOf(work: Work, { customerId, primaryPersonId }: WorkRecord): Promise<string[]> {
  const [customer, person] = await Promise.all([
    work.get(customers, customerId),
    primaryPersonId ? work.get(people, primaryPersonId) : undefined,
  ])
  // In the order in which a change writes them, so that none waits for the other in a circle.
  if (customer) holdName(work, customers, customer)
  if (person) holdName(work, people, person)
  return [customer, person].flatMap((one) => (one ? [one.displayName] : []))
}

function holdName(work: Work, entity: Entity, { id, displayName }: { id: string; displayName: string }): void {
  if (work.change.writeOf(entity, id)) return
  const isCalledSo = sql`n.tenant_id = ${work.tenantId}::uuid and n.id = ${id}::uuid
    and n.record ->> 'displayName' = ${displayName}::text`
  work.addStatement(sql`select 1 from ${raw(entity.table)} n, not_a_replay where ${isCalledSo} for share of n`, 1, {
    recurs: true,
  })
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
    sql`select id, record ->> 'displayName' as name from ${raw(entity.table)} where tenant_id = ${tenantId}
      and id = any (${wanted}::uuid[])`,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** What a worker needs to know to re-index any record. */
export const reindexed: Pick<ReindexParts, 'entities' | 'furtherWords'> = {
  entities: storedEntities,
  furtherWords: { [workRecords.table]: namesNow },
}
