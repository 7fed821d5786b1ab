// Finished deliveries lie in a table of their own, which leaves by time, so that the queue stays small whatever the
// history. A delivery moves there when it is settled, and back when it is replayed.
import { raw, type Sql, sql } from '../../database/sql.js'

/** The words of the partial index on those that are finished and have not moved; the same everywhere. */
export const isFinished = raw(`d.status in ('SUCCEEDED', 'FAILED', 'DEAD_LETTERED')`)

const columnNames =
  'tenant_id, id, subscription_id, event_id, event_type, status, attempt_count, replay_count, next_attempt_at, ' +
  'last_attempt_at, last_response_status, last_error, created_at, delivered_at, is_fresh, attempts_before, claim, ' +
  'leased_until, body, attempts, event_tenant_id'

const columns = columnNames.split(', ')

/** Into the finished ones, from a CTE whose rows are deliveries; `changed` says what is not as it is there. */
export const insertFinished = (from: Sql, changed: Readonly<Record<string, Sql>> = {}): Sql =>
  insertInto(raw('finished_deliveries'), from, changed)

function insertInto(table: Sql, from: Sql, changed: Readonly<Record<string, Sql>>): Sql {
  const values = columns.map((name) => changed[name] ?? raw(`d.${name}`))
  const list = values.reduce((whole, value) => sql`${whole}, ${value}`)
  return sql`insert into ${table} (${raw(columnNames)}) select ${list} from ${from}`
}

/** Puts deliveries back into the queue with a new cycle of attempts. `attempt_count` goes on counting. */
const requeuedValues = (now: Sql): Record<string, Sql> => ({
  status: raw(`'PENDING'`),
  is_fresh: raw('false'),
  attempts_before: raw('d.attempt_count'),
  replay_count: raw('d.replay_count + 1'),
  next_attempt_at: now,
  delivered_at: raw('null'),
  claim: raw('null'),
  leased_until: raw('null'),
})

/** Of those that have not moved. */
export const requeued = (now: Sql): Sql =>
  Object.entries(requeuedValues(now))
    .map(([name, value]) => sql`${raw(name)} = ${value}`)
    .reduce((whole, one) => sql`${whole}, ${one}`)

/** Of those that have: `from` is a CTE of the rows that were taken out, called `d`. */
export const insertRequeued = (from: Sql, now: Sql): Sql =>
  insertInto(raw('webhook_deliveries'), from, requeuedValues(now))

const moveMax = 1_000

/**
 * Moves a batch of what was finished where it lay: by a revocation, by an older version, or before there was a table
 * for it. What is older than it is kept only goes. A replay that runs looks at rows once, so its own stay.
 */
export const moveFinished = (keptFrom: string): Sql =>
  sql`with gone as (
      delete from webhook_deliveries d where ctid = any (array(
        select d.ctid from webhook_deliveries d where ${isFinished} and not exists (
          select from webhook_replays r where r.tenant_id = d.tenant_id and r.subscription_id = d.subscription_id
            and r.status = 'running'
        ) order by d.id limit ${raw(String(moveMax))}
      )) and ${isFinished} returning *
    ),
    moved as (${insertFinished(sql`gone d where d.id >= ${keptFrom}::uuid`)})
    select count(*)::int as removed from gone`
