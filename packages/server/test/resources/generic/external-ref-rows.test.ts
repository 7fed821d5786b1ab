// Records are found by what other systems call them, as quickly in a table that was just filled as in an old one.
import { type ExternalRef, people } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../src/database/pool.js'
import { raw, type Sql, sql } from '../../../src/database/sql.js'
import { findRef, refLookups } from '../../../src/resources/generic/external-ref-rows.js'
import { Reader, readManyLookups } from '../../../src/store/reader.js'
import { tenantOf } from '../../support/events.js'
import { type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

/** A database that plans what it is asked to read instead of reading it. */
function planning(database: Database): { readonly planner: Database; readonly plans: string[] } {
  const plans: string[] = []
  const explain = async (statement: Sql) => {
    const rows = await database.query<Record<string, string>>(sql`explain ${statement}`)
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    return []
  }
  return { planner: { ...database, read: explain, coalesce: (_question, ask) => ask() }, plans }
}

const refs: ExternalRef[] = Array.from({ length: 50 }, (_, n) => ({ system: 'crm', externalId: `new-${n}`, url: null }))

test('a reference is looked up by its id in the other system, before there are statistics of the table', async () => {
  const { database } = service
  const tenantId = await tenantOf(service, service.api)
  await database.query(raw('alter table external_refs set (autovacuum_enabled = off)'))
  await database.query(sql`insert into external_refs (tenant_id, id, version, updated_at, record, shape)
    select ${tenantId}::uuid, uuid_v7(now()), 1, now(), json_build_object('entityType', 'person', 'entityId',
      gen_random_uuid(), 'system', 'crm', 'externalId', 'old-' || n), 16 from generate_series(1, 5000) n`)
  const { planner, plans } = planning(database)
  await findRef(new Reader(planner, tenantId), people, { system: 'crm', externalId: 'new', url: null })
  await readManyLookups(planner, tenantId, refLookups(people, refs).flat())
  expect(plans).toHaveLength(2)
  for (const plan of plans) expect(plan).toContain('using external_refs_external_id')
})
