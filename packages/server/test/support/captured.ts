// What the tests of facts, signals and drafts start from: a call that is simply there, subjects to know something
// about, and counts of what is stored.
import { randomUUID } from 'node:crypto'
import { calls, type Row } from '@parley/contract'
import { raw, sql } from '../../src/database/sql.js'
import { newRecord } from '../../src/resources/generic/record-values.js'
import { tenantOf } from './events.js'
import type { Client, Service } from './service.js'

type Call = Row<typeof calls>

/** A call put straight into its table, in whatever state a test needs it. */
export async function plantCall(service: Service, whose: Client, values: Partial<Call> = {}): Promise<Call> {
  const { body } = await whose.get('/schema')
  const now = new Date()
  const spoken = {
    direction: 'inbound',
    status: 'in_progress',
    from: '+15550100001',
    to: '+15550109999',
    startedAt: now.toISOString(),
  }
  const call = newRecord(calls, { caller: { organizationId: body.organization.id }, now }, { ...spoken, ...values })
  await service.database.query(
    sql`insert into calls (tenant_id, id, version, updated_at, record) values (${await tenantOf(service, whose)}, ${call.id}, 1, ${now}, ${JSON.stringify(call)})`,
  )
  return call
}

export async function makePerson(api: Client, values: object = {}): Promise<any> {
  return (await api.post('/people', { displayName: 'Ada Reyes', ...values })).body
}

export async function makeWork(api: Client, values: object = {}): Promise<any> {
  const customerId = (await api.post('/customers', { displayName: 'Reyes Household' })).body.id
  return (await api.post('/work-records', { title: 'Leaking sink', canonicalKind: 'job', customerId, ...values })).body
}

export const aFact = (values: Record<string, any> = {}): Record<string, any> => ({
  subjectType: 'person',
  subjectId: randomUUID(),
  key: `key_${randomUUID()}`,
  value: 'blue',
  ...values,
})

/**
 * Counters rise and requests are logged even for what is refused; the rest is derived from records a moment after they
 * are written.
 */
const changingByThemselves = [
  'counters',
  'request_log',
  'reindexing',
  'stats',
  'stat_changes',
  'transcripts_due',
  'call_transcripts',
]

/** How many rows each table holds, but for those that change by themselves. */
export async function rowCounts(service: Service): Promise<Record<string, number>> {
  const tables = await service.database.query<{ name: string }>(
    sql`select relname::text as name from pg_class where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p') and not relispartition and relname <> all (${changingByThemselves}) order by 1`,
  )
  const counts = tables.map(async ({ name }) => {
    const [row] = await service.database.query<{ count: number }>(
      sql`select count(*)::int as count from ${raw(`"${name}"`)}`,
    )
    return [name, row?.count ?? 0] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

/** Runs the same request many times at once. */
export const atOnce = <T>(times: number, request: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, index) => request(index)))
