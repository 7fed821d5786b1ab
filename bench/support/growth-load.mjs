// A history of a given size, made by SQL: events with a finished delivery each over the last ninety days, in partitions
// as a service that ran all the time would have made them, and tenants with a subscription that waits for its retry.
import pg from 'pg'
import { partitionedTables } from '../../packages/server/dist/maintenance/partitioned-tables.js'

const dayMs = 24 * 60 * 60 * 1_000
const days = 90
const chunk = 100_000
const body = JSON.stringify({
  eventId: '01KJQH7VM8T6M3N5P7R9V0XCZ4',
  type: 'task.created',
  data: { note: 'x'.repeat(60) },
})

/** A ULID of a time: ten digits of milliseconds, sixteen at random. */
const digits = [45, 40, 35, 30, 25, 20, 15, 10, 5, 0].map(
  (shift) => `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((ms >> ${shift}) & 31)::int + 1, 1)`,
)
const ulid = `create function pg_temp.ulid(ms bigint) returns text language sql volatile as $$
  select ${digits.join(' || ')} || upper(substr(md5(random()::text), 1, 16)) $$`
const ulidOf = (at) => `pg_temp.ulid(floor(extract(epoch from ${at}) * 1000)::bigint)`

export async function makePastPartitions(client) {
  const now = new Date()
  for (const { name, firstAt, days: width, keptFrom } of partitionedTables(days, now)) {
    const { rows } = await client.query(
      `select min(substring(inhrelid::regclass::text from '_p(\\d{8})_')) as first from pg_inherits
       where inhparent = $1::regclass`,
      [name],
    )
    const [, year, month, day] = /(\d{4})(\d\d)(\d\d)/.exec(rows[0].first)
    let end = new Date(`${year}-${month}-${day}T00:00:00Z`)
    while (end > keptFrom) {
      const from = new Date(end.getTime() - width * dayMs)
      const text = (date) => date.toISOString().slice(0, 10).replaceAll('-', '')
      await client.query(
        `create table ${name}_p${text(from)}_${text(end)} partition of ${name}
         for values from ('${firstAt(from)}') to ('${firstAt(end)}')`,
      )
      end = from
    }
  }
}

/** Tenants with a queue each, and one delivery that is tried again tomorrow. */
export async function addIdleTenants(client, count) {
  await client.query(
    `with made as (
       insert into webhook_queues (tenant_id, subscription_id, version, is_active, is_revoked)
       select gen_random_uuid(), gen_random_uuid(), 1, true, false from generate_series(1, $1::int) returning *
     )
     insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, event_type, status, is_fresh,
       next_attempt_at, created_at)
     select tenant_id, uuid_v7(now()), subscription_id, 'waits', 'task.created', 'RETRYING', false,
       now() + interval '1 day', now() from made`,
    [count],
  )
}

/**
 * In the order of time, by two connections, each chunk under the transaction that its turn has. A tenth is the measured
 * tenant's own, the rest is spread over the others.
 */
export async function addHistory(client, { url, tenantId, subscriptionId, count, onProgress }) {
  await client.query(ulid)
  const rebuild = await dropSlowIndexes(client)
  const chunks = []
  for (let first = 1; first <= count; first += chunk) {
    const { rows } = await client.query('select pg_current_xact_id()::text as xact')
    chunks.push({ first, last: Math.min(first + chunk - 1, count), xact: rows[0].xact })
  }
  let done = 0
  const load = async () => {
    const loader = new pg.Client({ connectionString: url })
    await loader.connect()
    await loader.query(ulid)
    await loader.query(`create temp table owners as select row_number() over () - 1 as place, tenant_id, subscription_id
      from webhook_queues where tenant_id <> '${tenantId}'`)
    const { rows } = await loader.query('select count(*)::int as others from owners')
    for (let one = chunks.shift(); one; one = chunks.shift()) {
      const { first, last, xact } = one
      await loader.query(historyChunk, [tenantId, count, first, last, subscriptionId, rows[0].others, body, xact])
      done += last - first + 1
      onProgress(done)
    }
    await loader.end()
  }
  await Promise.all([load(), load()])
  await rebuild()
}

const historyChunk = `with due as (
    select n, now() - interval '${days - 1} days' * (1 - n::float8 / $2) as at from generate_series($3::int, $4::int) n
  ),
  owned as (
    select d.at, coalesce(o.tenant_id, $1::uuid) as tenant_id, coalesce(o.subscription_id, $5::uuid) as subscription_id
    from due d left join owners o on d.n % 10 <> 0 and o.place = d.n % greatest(1, $6::int)
  ),
  made as (
    insert into events (tenant_id, id, type, opt_in, occurred_at, subject_id, body, search, xact)
    select tenant_id, ${ulidOf('at')}, 'task.created', false, at, gen_random_uuid(), $7, 'created task', $8::xid8
    from owned returning tenant_id, id, occurred_at
  ),
  placed as (select *, row_number() over () as n from made),
  queues as (select *, row_number() over () as n from owned)
  insert into finished_deliveries (tenant_id, id, subscription_id, event_id, event_type, status, attempt_count,
    created_at, delivered_at, is_fresh)
  select p.tenant_id, uuid_v7(p.occurred_at), q.subscription_id, p.id, 'task.created', 'SUCCEEDED', 1,
    p.occurred_at, p.occurred_at, false from placed p join queues q using (n)`

/** Indexes that no list or feed measured here goes by are built at the end: the history is there in half the time. */
async function dropSlowIndexes(client) {
  const { rows } = await client.query(`select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as text
    from pg_index where indrelid in ('events'::regclass, 'finished_deliveries'::regclass) and not indisunique
      and indexrelid not in ('events_order'::regclass, 'events_feed'::regclass)`)
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return async () => {
    await client.query("set maintenance_work_mem = '512MB'")
    for (const { text } of rows) await client.query(text.replace(' ON ONLY ', ' ON '))
  }
}

/** Deliveries of the measured subscription that are due now, each of an event of its own, a millisecond apart. */
export const addDue = (client, { tenantId, subscriptionId, count }) =>
  client.query(
    `with due as (select now() - ($3::int - n) * interval '1 ms' as at from generate_series(1, $3::int) n),
     made as (
       insert into events (tenant_id, id, type, opt_in, occurred_at, subject_id, body, search)
       select $1, ${ulidOf('at')}, 'task.created', false, at, gen_random_uuid(), $4, 'created task' from due
       returning id, occurred_at
     )
     insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, event_type, next_attempt_at, created_at)
     select $1, uuid_v7(occurred_at), $2, id, 'task.created', occurred_at, occurred_at from made`,
    [tenantId, subscriptionId, count, body],
  )

const largeBytes = 1_700
const largeChunk = 20_000

/** Events of one tenant whose rows are as many megabytes, each with a body that packs badly, as those of calls do. */
export async function addEvents(client, tenantId, megabytes, onProgress) {
  await client.query(ulid)
  const rebuild = await dropSlowIndexes(client)
  const count = Math.ceil((megabytes * 2 ** 20) / largeBytes)
  const words = `(select string_agg(md5(n::text || w), '') from generate_series(1, ${Math.floor((largeBytes - 150) / 32)}) w)`
  for (let done = 0; done < count; done += largeChunk) {
    await client.query(
      `insert into events (tenant_id, id, type, opt_in, occurred_at, subject_id, body, search)
       select $1, ${ulidOf('at')}, 'task.created', false, at, gen_random_uuid(),
         json_build_object('type', 'task.created', 'note', ${words})::text, 'created task'
       from (select n, now() - interval '20 days' * (1 - n::float8 / $4) as at from generate_series($2::int, $3::int) n) due`,
      [tenantId, done + 1, Math.min(done + largeChunk, count), count],
    )
    onProgress(Math.round((done * largeBytes) / 2 ** 20))
  }
  await rebuild()
  const { rows } = await client.query(
    'select count(*)::int as rows, round(sum(pg_column_size(e.*)) / 1048576)::int as megabytes from events e where tenant_id = $1',
    [tenantId],
  )
  return rows[0]
}
