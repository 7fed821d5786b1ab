// Batches of segments that go on where the transcript ends, as nearly all do. Those of one moment, of whatever calls,
// share a statement and its commit. docs/decisions/0012-appending-together.md says why.
import type { Database } from '../../database/pool.js'
import { arrayLiteral, planForFewRows, raw, type Sql, sql } from '../../database/sql.js'
import { type Segment, segmentColumns, toUnderstand } from './segments.js'

/** Some segments of one call, in the order of their numbers. */
export interface Batch {
  readonly tenantId: string
  readonly callId: string
  readonly segments: readonly Segment[]
  readonly now: Date
}

interface Waiting extends Batch {
  readonly settle: (isAppended: boolean) => void
}

/**
 * What one statement takes, unless a single batch is larger. Each of its segments is compared with each of its batches.
 */
const batchesMax = 10
const segmentsMax = 500
/** While so many statements are on their way, what comes meanwhile gathers for the next. */
const statementsMax = 4

export interface Appender {
  /**
   * True when the batch is written; false when it must be written some other way, because it does not come last, its
   * call is unknown, or something went wrong.
   */
  append(batch: Batch): Promise<boolean>
  /** Tells whoever works on what was said that there is more. */
  onAppended(listener: () => void): void
}

const appenders = new WeakMap<Database, Appender>()

/** All requests of a node share one. */
export function appenderOf(database: Database): Appender {
  const known = appenders.get(database)
  if (known) return known
  const made = createAppender(database)
  appenders.set(database, made)
  return made
}

function createAppender(database: Database): Appender {
  let waiting: Waiting[] = []
  let underWay = 0
  let isWoken = false
  let tell: () => void = () => undefined

  function wake(): void {
    if (isWoken) return
    isWoken = true
    // Whoever comes in the same turn of the event loop is served by the same statement.
    setImmediate(() => {
      isWoken = false
      while (waiting.length > 0 && underWay < statementsMax) void run(take())
    })
  }

  /** A second batch of the same call is left for another statement, because one statement writes a row once. */
  function take(): Waiting[] {
    const taken = new Map<string, Waiting>()
    const left: Waiting[] = []
    let segments = 0
    for (const batch of waiting) {
      const isTooMuch = taken.size > 0 && (taken.size >= batchesMax || segments + batch.segments.length > segmentsMax)
      if (isTooMuch || taken.has(batch.callId)) left.push(batch)
      else {
        taken.set(batch.callId, batch)
        segments += batch.segments.length
      }
    }
    waiting = left
    return [...taken.values()]
  }

  async function run(batches: readonly Waiting[]): Promise<void> {
    underWay++
    // Whatever went wrong, each batch meets it again by itself, and its caller is told there.
    const appended = await appendAll(database, batches).catch(() => new Set<number>())
    underWay--
    batches.forEach(({ settle }, index) => settle(appended.has(index)))
    if (appended.size > 0) tell()
    if (waiting.length > 0) wake()
  }

  return {
    onAppended(listener) {
      tell = listener
    },
    append: (batch) =>
      new Promise((settle) => {
        waiting.push({ ...batch, settle })
        wake()
      }),
  }
}

/**
 * Writes the batches whose first number lies past the last one of their call, and says which those were. The row of the
 * call's activity decides, under its lock: a batch that was overtaken sees what overtook it. Rows are locked in the
 * order of their keys, so that two statements do not wait for each other.
 */
async function appendAll(database: Database, batches: readonly Batch[]): Promise<ReadonlySet<number>> {
  const column = (value: (batch: Batch) => string | number) => arrayLiteral(batches.map(value))
  const [row] = await database.query<{ appended: number[] | null }>(
    sql`with sent as materialized (
      select * from unnest(${column(({ tenantId }) => tenantId)}::uuid[], ${column(({ callId }) => callId)}::uuid[],
        ${column(({ segments }) => segments[0]?.sequence ?? 0)}::int[],
        ${column(({ segments }) => segments.at(-1)?.sequence ?? 0)}::int[],
          ${column(({ segments }) => segments.length)}::int[], ${column(({ now }) => now.toISOString())}::timestamptz[])
        with ordinality as b (tenant_id, call_id, first, last, count, at, place)
      where ${planForFewRows(raw('b.count'))} order by tenant_id, call_id
    ),
    numbered as (
      update call_activity a set revision = a.revision + 1, segments_revision = a.revision + 1,
        segment_count = a.segment_count + b.count, last_sequence = b.last,
        reported_at = greatest(a.reported_at, b.at)
      from sent b where a.tenant_id = b.tenant_id and a.call_id = b.call_id
        and coalesce(a.last_sequence < b.first, true)
      returning a.tenant_id, a.call_id, a.revision, b.place,
        not a.is_live and a.understood_revision is not null as is_late
    ),
    late as (${toUnderstand(raw('numbered where is_late'))}),
    added as (
      insert into call_segments (tenant_id, call_id, sequence, id, speaker, text, start_ms, end_ms, confidence,
        is_final, revision)
      select n.tenant_id, n.call_id, r.sequence, r.id, r.speaker, r.text, r.start_ms, r.end_ms, r.confidence,
        r.is_final, n.revision
      from ${rowsOf(batches)} join numbered n using (place)
    )
    select array_agg(place::int) as appended from numbered`,
    { prepared: true },
  )
  return new Set(row?.appended?.map((place) => place - 1))
}

function rowsOf(batches: readonly Batch[]): Sql {
  const places = batches.flatMap(({ segments }, index) => segments.map(() => index + 1))
  return sql`unnest(${arrayLiteral(places)}::int[], ${segmentColumns(batches.flatMap(({ segments }) => segments))})
    as r (place, sequence, id, speaker, text, start_ms, end_ms, confidence, is_final)`
}
