// Numbers of what happened, by the hour or the day of the organization's time zone, each with the list of what was
// counted. Past times come from sums that are kept with every write; what waits now is counted now.
import { limits, type Stats, stats, statsDaysMax, statsParameters } from '@parley/contract'
import { raw, type Sql, sql } from '../../database/sql.js'
import { type Endpoint, endpoint, type QueryOf, type ReadInput } from '../../http/endpoint.js'
import { badRequest } from '../../store/api-error.js'
import { json } from '../../store/response.js'
import { draftsWaiting, webhookHealth } from './stats-now.js'

type StatsInput = ReadInput<Record<string, unknown>, QueryOf<typeof statsParameters>>
type Interval = Stats['interval']

interface Span {
  readonly from: Date
  readonly to: Date
}

interface Count extends Record<string, unknown> {
  /** Which of the intervals it is in, counted from 1; 0 for the whole span. */
  readonly place: number
  readonly metric: string
  readonly label: string
  readonly value: number
  readonly count: number
}

async function countEverything(input: StatsInput) {
  const { caller, query, read } = input
  const { timezone } = caller.settings
  const interval = query.interval ?? 'day'
  const span = await alignedSpan(input, interval)
  const starts = await startsIn(input, span, interval)
  const [counts, waiting, webhooks] = await Promise.all([
    countsIn(input, span, starts),
    draftsWaiting(read, input.now),
    webhookHealth(read),
  ])
  const within = new Map<number, Count[]>()
  for (const count of counts) {
    const others = within.get(count.place)
    if (others) others.push(count)
    else within.set(count.place, [count])
  }
  const series = starts.map((at, index) => ({
    at: at.toISOString(),
    ...happenedIn(within.get(index + 1) ?? [], { from: at, to: starts[index + 1] ?? span.to }, index + 1),
  }))
  return json(200, {
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    interval,
    timezone,
    totals: { ...happenedIn(counts, span, WHOLE), ...waiting, facts: factsIn(counts, span), webhooks },
    series,
  } satisfies Stats)
}

const dayMs = 86_400_000

/** Whole intervals that hold the times asked for. */
async function alignedSpan({ read, caller, query, now }: StatsInput, interval: Interval): Promise<Span> {
  const to = query.to === undefined ? now : new Date(query.to)
  const from = query.from === undefined ? new Date(to.getTime() - 7 * dayMs) : new Date(query.from)
  if (from >= to) throw badRequest('from', 'must be before to', 'span')
  const daysMax = statsDaysMax[interval]
  if (to.getTime() - from.getTime() > daysMax * dayMs)
    throw badRequest('from', `must be at most ${daysMax} days before to, by the ${interval}`, 'span')
  const zone = caller.settings.timezone
  const begins = (at: Sql) => sql`date_trunc(${interval}::text, ${at}, ${zone}::text)`
  // An hour is an hour, whatever the clocks do; a day ends with the next midnight.
  const last = begins(sql`${to}::timestamptz - interval '1 millisecond'`)
  const ends =
    interval === 'hour'
      ? sql`${last} + interval '1 hour'`
      : sql`(${last} at time zone ${zone}::text + interval '1 day') at time zone ${zone}::text`
  const [row] = await read.database.query<{ from: Date; to: Date }>(
    sql`select ${begins(sql`${from}::timestamptz`)} as "from", ${ends} as "to"`,
  )
  return row ?? { from, to }
}

/** How long calls waited to be answered, in seconds; its labels are the shares that waited no longer. */
const ANSWER = 'call.answer'
/** The place of what is said of the whole span. */
const WHOLE = 0

/** The smallest value that so large a share of all does not exceed. */
const percentile = (label: string, share: string): Sql =>
  sql`select place, ${ANSWER}::text, ${label}::text, min(value) filter (where reached >= ${raw(share)} * total), 1
    from spread group by place`

/**
 * Sums of each interval, and the spread of what took time. Which interval a quarter is in is found among their starts:
 * time zones cost more than counting.
 */
const countsIn = (input: StatsInput, span: Span, starts: readonly Date[]): Promise<Count[]> => {
  const where = sql`where tenant_id = ${input.read.tenantId} and quarter >= ${span.from}::timestamptz
    and quarter < ${span.to}::timestamptz`
  return input.read.database.query<Count>(sql`
    with placed as materialized (
      select place, metric, label, value, sum(count) as count from (
        select width_bucket(quarter, ${starts}::timestamptz[]) as place, metric, label, value, count
        from stats ${where}
        union all
        select width_bucket(quarter, ${starts}::timestamptz[]), metric, label, value, change
        from stat_changes ${where}
      ) as each group by 1, 2, 3, 4 having sum(count) <> 0
    ),
    answers as (
      select coalesce(place, ${WHOLE}::int) as place, value, sum(count) as count from placed
      where metric = ${ANSWER} group by grouping sets ((place, value), (value))
    ),
    spread as materialized (
      select place, value, sum(count) over (partition by place order by value) as reached,
        sum(count) over (partition by place) as total
      from answers
    )
    select place, metric, label, 0 as value, sum(count)::int as count from placed where metric <> ${ANSWER}
    group by 1, 2, 3
    union all ${percentile('p50', '0.5')}
    union all ${percentile('p90', '0.9')}`)
}

async function startsIn({ read, caller }: StatsInput, { from, to }: Span, interval: Interval): Promise<Date[]> {
  const zone = caller.settings.timezone
  const starts =
    interval === 'hour'
      ? sql`generate_series(${from}::timestamptz, ${to}::timestamptz - interval '1 second', interval '1 hour')`
      : sql`generate_series(${from}::timestamptz at time zone ${zone}::text,
          ${to}::timestamptz at time zone ${zone}::text - interval '1 second', interval '1 day')`
  const at = interval === 'hour' ? raw('at') : sql`at at time zone ${zone}::text`
  const rows = await read.database.query<{ at: Date }>(sql`select ${at} as at from ${starts} as at`)
  return rows.map((row) => row.at)
}

const sumOf = (counts: readonly Count[], metric: string, label = ''): number =>
  counts.reduce((sum, one) => (one.metric === metric && one.label === label ? sum + one.count : sum), 0)

/** The path of a list, with its filters. */
const rowsOf = (path: string, filters: Record<string, string>): string => `${path}?${new URLSearchParams(filters)}`

function happenedIn(counts: readonly Count[], { from, to }: Span, place: number) {
  const span = { since: from.toISOString(), until: to.toISOString() }
  const callsOf = (direction: string, status: string) => ({
    value: sumOf(counts, `call.${direction}.${status}`),
    rows: rowsOf('/calls', { direction, status, ...span }),
  })
  const textsOf = (direction: string) => ({
    value: sumOf(counts, `sms.${direction}`),
    rows: rowsOf('/sms', { direction, ...span }),
  })
  const callsAnswered = callsOf('inbound', 'completed')
  return {
    callsAnswered,
    callsMissed: callsOf('inbound', 'missed'),
    callsToVoicemail: callsOf('inbound', 'voicemail'),
    callsMade: callsOf('outbound', 'completed'),
    textsReceived: textsOf('inbound'),
    textsSent: textsOf('outbound'),
    timeToAnswerMs: spreadOf(counts, place, callsAnswered.rows),
  }
}

function spreadOf(counts: readonly Count[], place: number, rows: string) {
  const answers = counts.filter((one) => one.metric === ANSWER && one.place === place)
  const [p50, p90] = ['p50', 'p90'].map((share) => answers.find(({ label }) => label === share)?.value)
  return p50 === undefined || p90 === undefined ? null : { p50: p50 * 1_000, p90: p90 * 1_000, rows }
}

function factsIn(counts: readonly Count[], { from, to }: Span) {
  const keys = new Map<string, number>()
  for (const { metric, label, count } of counts)
    if (metric.startsWith('fact.')) keys.set(label, (keys.get(label) ?? 0) + count)
  const span = { since: from.toISOString(), until: to.toISOString() }
  return [...keys]
    .sort(([a, most], [b, fewer]) => fewer - most || (a < b ? -1 : 1))
    .slice(0, limits.listItems)
    .map(([key]) => ({
      key,
      accepted: {
        value: sumOf(counts, 'fact.accepted', key),
        rows: rowsOf('/facts', { key, status: 'confirmed,promoted', ...span }),
      },
      rejected: {
        value: sumOf(counts, 'fact.rejected', key),
        rows: rowsOf('/facts', { key, status: 'rejected', ...span }),
      },
    }))
}

export const statsEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/stats',
    scope: 'READ',
    operationId: 'getStats',
    summary: 'Numbers of what happened, by the hour or the day',
    description:
      "Intervals are those of the organization's time zone. Each number comes with the list of what was counted.",
    tag: 'Overview',
    query: statsParameters,
    returns: { status: 200, schema: stats },
    handle: countEverything,
  }),
]
