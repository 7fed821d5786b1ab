// `/organizations/{id}/usage` of the platform: what an organization used, by the day of UTC. The numbers are sums that
// are kept as things happen, so that asking for a year costs no more than reading its days.
import {
  type Environment,
  environments,
  type Usage,
  type UsageCounts,
  usage,
  usageDaysMax,
  usageParameters,
} from '@parley/contract'
import type { Database } from '../database/pool.js'
import { sql } from '../database/sql.js'
import { DELIVERIES } from '../delivery/queue/settle.js'
import { type Endpoint, endpoint, type QueryOf, type ReadInput } from '../http/endpoint.js'
import { badRequest, notFound } from '../store/api-error.js'
import { json } from '../store/response.js'
import { BYTES, REQUESTS } from './count-requests.js'
import { type TenantOfOrganization, tenantsOf } from './organization-rows.js'

export const usageEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/organizations/{id}/usage',
    scope: 'any',
    platformScope: 'read',
    operationId: 'getOrganizationUsage',
    summary: 'What an organization used, by the day',
    description: 'Days are those of UTC. Webhooks of the platform itself count for nobody.',
    tag: 'Usage',
    query: usageParameters,
    returns: { status: 200, schema: usage },
    handle: usageOf,
  }),
]

type UsageInput = ReadInput<Record<string, unknown>, QueryOf<typeof usageParameters>, { readonly id: string }>

async function usageOf(input: UsageInput) {
  const { read, params, query } = input
  const { from, to } = spanOf(input)
  const all = await tenantsOf(read.database, params.id)
  if (all.length === 0) throw notFound()
  const tenants = all.filter(({ environment }) => environment === (query.environment ?? environment))
  const counted = await countsOf(read.database, tenants, from, to)
  const asked = environments.filter((one) => tenants.some(({ environment }) => environment === one))
  const days = daysBetween(from, to).flatMap((date) =>
    asked.map((environment) => ({ date, environment, ...(counted.get(`${date} ${environment}`) ?? nothing) })),
  )
  const totals = days.reduce<UsageCounts>(
    (sum, day) => ({
      requests: sum.requests + day.requests,
      texts: sum.texts + day.texts,
      minutes: sum.minutes + day.minutes,
      deliveries: sum.deliveries + day.deliveries,
      bytes: sum.bytes + day.bytes,
    }),
    nothing,
  )
  const answer: Usage = { organizationId: params.id, from: from.toISOString(), to: to.toISOString(), totals, days }
  return json(200, answer)
}

const nothing: UsageCounts = { requests: 0, texts: 0, minutes: 0, deliveries: 0, bytes: 0 }
const dayMs = 86_400_000
const DAYS_USUAL = 30

/** Whole days that hold the times asked for. */
function spanOf({ query, now }: UsageInput): { from: Date; to: Date } {
  const last = query.to === undefined ? now : new Date(query.to)
  const first = query.from === undefined ? new Date(last.getTime() - DAYS_USUAL * dayMs) : new Date(query.from)
  if (first >= last) throw badRequest('from', 'must be before to', 'span')
  const from = new Date(Math.floor(first.getTime() / dayMs) * dayMs)
  const to = new Date(Math.ceil(last.getTime() / dayMs) * dayMs)
  if (to.getTime() - from.getTime() > (usageDaysMax + 1) * dayMs)
    throw badRequest('from', `must be at most ${usageDaysMax} days before to`, 'span')
  return { from, to }
}

const daysBetween = (from: Date, to: Date): string[] =>
  Array.from({ length: (to.getTime() - from.getTime()) / dayMs }, (_, index) =>
    new Date(from.getTime() + index * dayMs).toISOString().slice(0, 10),
  )

interface CountRow extends Record<string, unknown> {
  tenant_id: string
  date: string
  requests: string
  texts: string
  minutes: string
  deliveries: string
  bytes: string
}

/** By day and environment. Past sums, and what waits to be added to them. */
async function countsOf(
  database: Database,
  tenants: readonly TenantOfOrganization[],
  from: Date,
  to: Date,
): Promise<Map<string, UsageCounts>> {
  const span = sql`where tenant_id = any (${tenants.map(({ tenantId }) => tenantId)}::uuid[])
    and quarter >= ${from}::timestamptz and quarter < ${to}::timestamptz`
  const rows = await database.query<CountRow>(sql`
    select tenant_id, to_char(quarter at time zone 'UTC', 'YYYY-MM-DD') as date,
      coalesce(sum(count) filter (where metric = ${REQUESTS}), 0) as requests,
      coalesce(sum(count) filter (where metric in ('sms.inbound', 'sms.outbound')), 0) as texts,
      coalesce(sum(value * count) filter (where metric = 'call.minutes'), 0) as minutes,
      coalesce(sum(count) filter (where metric = ${DELIVERIES}), 0) as deliveries,
      coalesce(sum(count) filter (where metric = ${BYTES}), 0) as bytes
    from (
      select tenant_id, quarter, metric, value, count from stats ${span}
      union all
      select tenant_id, quarter, metric, value, change from stat_changes ${span}
    ) each group by 1, 2`)
  const environmentOf = new Map<string, Environment>(
    tenants.map(({ tenantId, environment }) => [tenantId, environment]),
  )
  return new Map(
    rows.map(({ tenant_id, date, ...counts }) => [`${date} ${environmentOf.get(tenant_id)}`, toNumbers(counts)]),
  )
}

const toNumbers = (row: Omit<CountRow, 'tenant_id' | 'date'>): UsageCounts => ({
  requests: Number(row.requests),
  texts: Number(row.texts),
  minutes: Number(row.minutes),
  deliveries: Number(row.deliveries),
  bytes: Number(row.bytes),
})
