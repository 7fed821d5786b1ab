// What waits or fails at this moment, for the numbers of the overview.
import { drafts, limits, type Stats, webhookSubscriptions } from '@parley/contract'
import { raw, sql } from '../../database/sql.js'
import type { Reader } from '../../store/reader.js'

type Totals = Stats['totals']

const counted = raw(String(limits.countMax))

/** Drafts that wait for a decision, the oldest of them where there are very many. */
export async function draftsWaiting(
  { database, tenantId }: Reader,
  now: Date,
): Promise<Pick<Totals, 'draftsWaiting' | 'draftWaitMs'>> {
  const [row] = await database.query<{ value: number; p50: number | null; p90: number | null }>(sql`
    select count(*)::int as value, percentile_disc(0.5) within group (order by waited) as p50,
      percentile_disc(0.9) within group (order by waited) as p90
    from (select greatest(0, floor(extract(epoch from ${now}::timestamptz - id_time(id)) * 1000))::bigint as waited
      from ${raw(drafts.table)} where tenant_id = ${tenantId} and status = 'pending_review' order by id
        limit ${counted}) w`)
  const { value = 0, p50 = null, p90 = null } = row ?? {}
  const rows = '/drafts?status=pending_review'
  return {
    draftsWaiting: { value, rows },
    draftWaitMs: p50 === null || p90 === null ? null : { p50, p90, rows },
  }
}

export async function webhookHealth({ database, tenantId }: Reader): Promise<Totals['webhooks']> {
  const rows = await database.query<{ id: string; name: string; status: string; failing: number }>(sql`
    select s.id, s.record ->> 'name' as name, s.record ->> 'status' as status,
      (select count(*) from (select from all_deliveries d where d.tenant_id = s.tenant_id
        and d.subscription_id = s.id
        and d.status in ('FAILED', 'DEAD_LETTERED') limit ${counted}) f)::int as failing
    from ${raw(webhookSubscriptions.table)} s where s.tenant_id = ${tenantId} and s.revoked_at is null
    order by s.id limit ${raw(String(limits.webhookSubscriptions))}`)
  return rows.map(({ id, name, status, failing }) => ({
    id,
    name,
    status,
    failing: { value: failing, rows: `/webhooks/${id}/deliveries?status=FAILED,DEAD_LETTERED` },
  }))
}
