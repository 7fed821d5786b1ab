// `GET /quality/facts`: how proposals fared with those who reviewed them, how well confidence foretold it, and from
// which confidence on a definition might confirm by itself. Counted over the newest facts of a period.
import {
  type FactQuality,
  factQuality,
  factQualityParameters,
  facts,
  limits,
  type qualityGroups,
} from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { raw, sql } from '../../database/sql.js'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { badRequest } from '../../store/api-error.js'
import { firstIdAt } from '../../store/id.js'
import { json } from '../../store/response.js'

const PERIOD_MS = 90 * 86_400_000
const GROUPS_MAX = 1_000

/** The bounds of the buckets; the last one takes 1 as well. */
const bounds = [0, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1] as const
/** A threshold is suggested where so many were decided on, and so many of them confirmed. */
const DECIDED_MIN = 20
const PRECISION_MIN = 0.95

type Outcome = 'confirmed' | 'edited' | 'rejected' | 'ignored'

interface Counted extends Record<string, unknown> {
  readonly key: string
  readonly extractor: string | null
  readonly confidence: number | null
  readonly outcome: Outcome
  readonly count: number
  readonly seen: number
}

interface Period {
  readonly since: Date
  readonly until: Date
}

/**
 * A fact that its own extractor replaced or took back is no proposal any more. One that gave way to another of the
 * same call which somebody confirmed was edited; what a threshold confirmed, nobody has looked at.
 */
async function countFacts(database: Database, tenantId: string, { since, until }: Period): Promise<Counted[]> {
  const table = raw(facts.table)
  return database.query<Counted>(
    sql`with newest as materialized (
        select id, key, confidence, status, source_call_session_id as call_id, record ->> 'extractor' as extractor,
          record ->> 'confirmedVia' as via, record ->> 'supersededById' as by_id,
          record ->> 'rejectedBy' as rejected_by, record ->> 'source' as source
        from ${table}
        where tenant_id = ${tenantId} and id >= ${firstIdAt(since)}::uuid and id < ${firstIdAt(until)}::uuid
        order by id desc limit ${limits.qualityFacts}
      ),
      judged as (
        select n.key, n.extractor, round(n.confidence::numeric, 2)::float8 as confidence, case
          when n.via <> 'threshold' then 'confirmed'
          when n.status = 'rejected' then case when n.rejected_by is not null then 'rejected' end
          when n.status = 'superseded' and n.via is null and b.record ->> 'confirmedVia' <> 'threshold' then 'edited'
          when n.status = 'superseded' and n.via is null and b.record ->> 'extractor' = n.extractor then null
          else 'ignored' end as outcome
        from newest n left join ${table} b on b.tenant_id = ${tenantId} and b.id = n.by_id::uuid
          and b.source_call_session_id is not distinct from n.call_id
        where n.source in ('call', 'sms', 'voicemail')
      )
      select key, extractor, confidence, outcome, count(*)::int as count, (select count(*)::int from newest) as seen
      from judged where outcome is not null group by 1, 2, 3, 4`,
  )
}

const tallyOf = (rows: readonly Counted[]) => {
  const sum = (outcome?: Outcome) =>
    rows.filter((row) => outcome === undefined || row.outcome === outcome).reduce((all, { count }) => all + count, 0)
  const [confirmed, edited, rejected] = [sum('confirmed'), sum('edited'), sum('rejected')]
  const decided = confirmed + edited + rejected
  const precision = decided === 0 ? null : Math.round((confirmed / decided) * 1_000) / 1_000
  return { proposed: sum(), confirmed, edited, rejected, ignored: sum('ignored'), precision }
}

function calibrationOf(rows: readonly Counted[]) {
  return bounds.slice(0, -1).map((from, index) => {
    const to = bounds[index + 1] ?? 1
    const within = rows.filter(
      ({ confidence }) => confidence !== null && confidence >= from && (confidence < to || to === 1),
    )
    return { from, to, ...tallyOf(within) }
  })
}

/** The lowest confidence from which on nearly all were right; null where too few were decided on to say. */
function suggestedThreshold(rows: readonly Counted[]): number | null {
  const seen = [...new Set(rows.flatMap(({ confidence }) => confidence ?? []))].sort((a, b) => a - b)
  const isSafe = (from: number): boolean => {
    const { confirmed, edited, rejected, precision } = tallyOf(rows.filter((row) => (row.confidence ?? -1) >= from))
    return confirmed + edited + rejected >= DECIDED_MIN && (precision ?? 0) >= PRECISION_MIN
  }
  return seen.find(isSafe) ?? null
}

type Group = (typeof qualityGroups)[number]

function groupsOf(rows: readonly Counted[], by: readonly Group[]): FactQuality['groups'] {
  const groups = new Map<string, Counted[]>()
  for (const row of rows) {
    const name = JSON.stringify(by.map((field) => row[field]))
    groups.set(name, [...(groups.get(name) ?? []), row])
  }
  return [...groups.values()]
    .map((own) => ({
      key: by.includes('key') ? (own[0]?.key ?? null) : null,
      extractor: by.includes('extractor') ? (own[0]?.extractor ?? null) : null,
      ...tallyOf(own),
      calibration: calibrationOf(own),
      suggestedThreshold: suggestedThreshold(own),
    }))
    .sort((a, b) => b.proposed - a.proposed)
    .slice(0, GROUPS_MAX)
}

const quality: Endpoint = endpoint({
  method: 'GET',
  path: '/quality/facts',
  scope: 'READ',
  operationId: 'getFactQuality',
  summary: 'See how proposed facts fared in review',
  description:
    'Confirmed, edited, rejected and ignored, by confidence, with the threshold from which on a definition might ' +
    'confirm by itself.',
  tag: 'Extraction',
  query: factQualityParameters,
  returns: { status: 200, schema: factQuality },
  async handle({ read, query, now }) {
    const until = query.until === undefined ? now : new Date(query.until)
    const since = query.since === undefined ? new Date(until.getTime() - PERIOD_MS) : new Date(query.since)
    if (since > until) throw badRequest('since', 'must not be after until', 'order')
    const rows = await countFacts(read.database, read.tenantId, { since, until })
    return json(200, {
      since: since.toISOString(),
      until: until.toISOString(),
      isTruncated: (rows[0]?.seen ?? 0) >= limits.qualityFacts,
      groups: groupsOf(rows, query.groupBy ?? []),
    })
  },
})

export const qualityEndpoints: Endpoint[] = [quality]
