// Which tenants have something new in the event log, for all who follow it: one look finds it, however many follow.
import type { Database } from '../database/pool.js'
import { raw, sql } from '../database/sql.js'
import { ALL_TENANTS, type Position, type Tenants } from './event-log.js'

/** Who has something new: of all tenants, or of some. */
export interface News {
  /** Everything below it was looked at. */
  readonly horizon: Position
  readonly isNews: (tenants: Tenants) => boolean
  /** Whether the next look may go through the log of all. */
  readonly isIndexed: boolean
}

/** With more news than this, everybody is taken to have some. */
const NEWS_MAX = 10_000

/**
 * Which tenants have events past the last look and below the horizon. They are found through the index on the log of
 * all, at a cost that depends on what is new alone; while that index is being made, tenant by tenant for those named.
 */
export async function tenantsWithNews(
  database: Database,
  before: News | undefined,
  followed: readonly Tenants[],
): Promise<News> {
  const since = sql`e.xact >= ${String(before?.horizon.xact ?? 0)}::xid8
    and e.xact < pg_snapshot_xmin(pg_current_snapshot())`
  const inAll = sql`select e.tenant_id from events e where ${since} order by e.xact, e.id
    limit ${raw(String(NEWS_MAX + 1))}`
  const named = followed.filter((one) => one !== ALL_TENANTS)
  const ofEach = sql`select f.tenant_id from unnest(${named}::uuid[]) f (tenant_id) cross join lateral (
      select from events e where e.tenant_id = f.tenant_id and ${since} order by e.xact, e.id limit 1
    ) n`
  const news = before === undefined ? raw('select null::uuid as tenant_id') : before.isIndexed ? inAll : ofEach
  const [row] = await database.read<[string, string[], number, boolean | null]>(
    sql`with news as materialized (${news})
      select pg_snapshot_xmin(pg_current_snapshot())::text, array(select distinct tenant_id::text from news),
        (select count(*) from news),
        (select indisvalid from pg_index where indexrelid = to_regclass('events_feed'))`,
  )
  const [xact = '0', tenantIds = [], count = 0, isIndexed = false] = row ?? []
  const known = new Set(tenantIds)
  const isIndexedLook = before?.isIndexed === true
  const isNews = (tenants: Tenants) =>
    tenants === ALL_TENANTS
      ? known.size > 0 || !isIndexedLook
      : known.has(tenants) || (isIndexedLook && count > NEWS_MAX)
  return { horizon: { xact: Number(xact), id: '' }, isNews, isIndexed: isIndexed === true }
}
