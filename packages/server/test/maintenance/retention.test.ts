// Retention: what is old goes, in bounded batches; what is still needed stays, however old.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/pool.js'
import { compile, sql } from '../../src/database/sql.js'
import type { BackgroundJob } from '../../src/maintenance/background-jobs.js'
import { retentionChores } from '../../src/maintenance/retention.js'
import { newId } from '../../src/store/id.js'
import { tenantOf } from '../support/events.js'
import { type Client, type Service, startService } from '../support/service.js'
import { patiently } from '../support/waiting/patiently.js'

let service: Service
const now = new Date('2027-06-01T00:00:00Z')
const dayMs = 24 * 60 * 60 * 1_000
beforeAll(async () => {
  service = await startService({ PARLEY_ROLE: 'api' })
})
afterAll(() => service.stop())

const chores = (database = service.database): BackgroundJob[] =>
  retentionChores({ database, clock: () => now, days: 90 })
/** All chores until none has more to do; says how many rounds that took. */
async function keepHouse(all = chores()): Promise<number> {
  let rounds = 0
  for (const { run } of all) {
    do rounds++
    while (await patiently(run))
  }
  return rounds
}
const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
const count = async (table: string, where = 'true'): Promise<number> => {
  const rows = await service.database.withClient((client) =>
    client.query(`select count(*)::int as count from ${table} where ${where}`),
  )
  return rows.rows[0].count
}

/** One a millisecond, from `at` on. */
async function addDeliveries(
  tenantId: string,
  subscriptionId: string,
  status: string,
  at: Date,
  number: number,
): Promise<void> {
  await service.database.query(sql`with made as (
      insert into events (tenant_id, id, type, opt_in, occurred_at, body)
      select ${tenantId}::uuid, md5(random()::text || n), 'task.created', false, ${at}::timestamptz + n * interval '1 ms', '{}' from generate_series(1, ${number}::int) n
      returning id, occurred_at as at
    )
    insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, event_type, status, created_at, next_attempt_at)
    select ${tenantId}::uuid, uuid_v7(at), ${subscriptionId}::uuid, id, 'task.created', ${status}, at, at from made`)
}

const subscribe = async (api: Client, status: string): Promise<string> => {
  const { id } = (await api.post('/webhooks', { url: 'https://example.com/' })).body
  if (status === 'revoked') await api.delete(`/webhooks/${id}`)
  else if (status !== 'active') await api.patch(`/webhooks/${id}`, { status })
  return id
}

test('finished deliveries and their events go after the days they are kept, in batches', async () => {
  const { sandbox: api } = await service.organization('Old')
  const tenantId = await tenantOf(service, api)
  const id = await subscribe(api, 'active')
  for (const status of ['SUCCEEDED', 'FAILED', 'DEAD_LETTERED']) {
    await addDeliveries(tenantId, id, status, daysAgo(91), 900)
    await addDeliveries(tenantId, id, status, daysAgo(89), 5)
  }
  const rounds = await keepHouse()
  expect(rounds).toBeGreaterThan(6)
  const mine = `tenant_id = '${tenantId}'`
  expect([await count('all_deliveries', mine), await count('events', mine)]).toEqual([15, 15])
  expect(await keepHouse()).toBe(chores().length)
})

test.each([
  ['active', 10],
  ['paused', 10],
  ['disabled', 0],
  ['revoked', 0],
])(
  'deliveries that wait for a subscription that is %s: %i of 10 are kept, with what they would send',
  async (status, kept) => {
    const { sandbox: api } = await service.organization('Waiting')
    const tenantId = await tenantOf(service, api)
    const id = await subscribe(api, status)
    await addDeliveries(tenantId, id, 'PENDING', daysAgo(200), 5)
    await addDeliveries(tenantId, id, 'RETRYING', daysAgo(200), 5)
    await addDeliveries(tenantId, id, 'SUCCEEDED', daysAgo(200), 5)
    await keepHouse()
    const mine = `tenant_id = '${tenantId}'`
    expect([await count('all_deliveries', mine), await count('events', mine)]).toEqual([kept, kept])
  },
)

test('deleted records go after the same days, idempotency keys after 24 hours, finished replays too', async () => {
  const { sandbox: api } = await service.organization('Records')
  const tenantId = await tenantOf(service, api)
  const mine = `tenant_id = '${tenantId}'`
  await service.database.query(sql`insert into deleted_records (tenant_id, id, entity_type, record_id, deleted_at, record)
    select ${tenantId}::uuid, uuid_v7(at), 'task', gen_random_uuid(), at, '{}' from unnest(${[daysAgo(91), daysAgo(89)]}::timestamptz[]) at`)
  await service.database.query(sql`insert into idempotency_keys (tenant_id, key, fingerprint, status, body, sealed, headers, created_at)
    select ${tenantId}::uuid, at::text, '', 200, '', false, '{}', at from unnest(${[daysAgo(1.01), daysAgo(0.9)]}::timestamptz[]) at`)
  await service.database.query(sql`insert into webhook_replays (tenant_id, id, subscription_id, status, since, until, statuses, event_types, matched, cursor, last)
    select ${tenantId}::uuid, uuid_v7(at), gen_random_uuid(), status, at, at, '{}', '{}', 0, gen_random_uuid(), gen_random_uuid()
    from unnest(${[daysAgo(91), daysAgo(89)]}::timestamptz[]) at, unnest('{running,completed}'::text[]) status`)
  await keepHouse()
  expect([
    await count('deleted_records', mine),
    await count('idempotency_keys', mine),
    await count('webhook_replays', mine),
  ]).toEqual([1, 1, 3])
})

test('that a subscription was written is forgotten after a day, unless it is being claimed for', async () => {
  const { sandbox: api } = await service.organization('Written')
  const [old = '', claimed = '', fresh = ''] = await Promise.all([1, 2, 3].map(() => subscribe(api, 'active')))
  await service.database.query(sql`update webhook_queues set changed_at = now() - interval '25 hours'
    where subscription_id = any (${[old, claimed]}::uuid[])`)
  await service.database.query(sql`update webhook_queues set changed_at = now() - interval '23 hours'
    where subscription_id = ${fresh}::uuid`)
  const known = async () =>
    (
      await service.database.query<{ id: string }>(sql`select subscription_id as id from webhook_queues
        where subscription_id = any (${[old, claimed, fresh]}::uuid[]) and changed_at is not null`)
    ).map(({ id }) => id)
  await service.database.withClient(async (client) => {
    await client.query('begin')
    await client.query('select from webhook_queues where subscription_id = $1 for update', [claimed])
    await keepHouse()
    await client.query('rollback')
  })
  expect((await known()).toSorted()).toEqual([claimed, fresh].toSorted())
  await keepHouse()
  expect(await known()).toEqual([fresh])
  expect(await count('webhook_queues', `subscription_id = any ('{${[old, claimed, fresh]}}')`)).toBe(3)
})

describe('however much is held for a paused subscription', () => {
  const heldCount = 10_000
  let tenantId: string
  let mine: string
  beforeAll(async () => {
    const { sandbox: api } = await service.organization('Held')
    tenantId = await tenantOf(service, api)
    mine = `tenant_id = '${tenantId}'`
    const id = await subscribe(api, 'paused')
    // One before, one between and one after all that is held.
    await addDeliveries(tenantId, id, 'SUCCEEDED', daysAgo(201), 1)
    for (let hour = 0; hour < 5; hour++)
      await addDeliveries(tenantId, id, 'PENDING', daysAgo(200 - hour / 24), heldCount / 10)
    await addDeliveries(tenantId, id, 'SUCCEEDED', daysAgo(150), 1)
    for (let hour = 0; hour < 5; hour++)
      await addDeliveries(tenantId, id, 'PENDING', daysAgo(120 - hour / 24), heldCount / 10)
    await addDeliveries(tenantId, id, 'SUCCEEDED', daysAgo(100), 1)
    await service.database.withClient((client) => client.query('analyze webhook_deliveries, events'))
  })

  test('what is finished goes, and no statement reads more than a batch', async () => {
    const noted: number[] = []
    await keepHouse(chores(reading(noted)))
    expect([await count('all_deliveries', mine), await count('events', mine)]).toEqual([heldCount, heldCount])
    expect(Math.max(...noted)).toBeLessThan(5_000)
  })

  test('events that are held are walked over once, and again a day later: then those that are free by now go', async () => {
    let at = now
    const same = retentionChores({ database: service.database, clock: () => at, days: 90 })
    expect(await keepHouse(same)).toBeGreaterThan(heldCount / 500)
    await service.database.query(sql`delete from webhook_deliveries where tenant_id = ${tenantId}`)
    expect(await keepHouse(same)).toBe(same.length)
    expect(await count('events', mine)).toBe(heldCount)
    at = new Date(now.getTime() + dayMs)
    await keepHouse(same)
    expect(await count('events', mine)).toBe(0)
  })
})

test('where the deliveries cannot be removed, events that nobody waits for go all the same', async () => {
  const { sandbox: api } = await service.organization('Troubled')
  const tenantId = await tenantOf(service, api)
  const id = await subscribe(api, 'active')
  await addDeliveries(tenantId, id, 'SUCCEEDED', daysAgo(91), 1)
  await service.database.query(sql`insert into events (tenant_id, id, type, opt_in, occurred_at, body)
    values (${tenantId}::uuid, 'alone', 'task.created', false, ${daysAgo(91)}::timestamptz, '{}')`)
  const run = (statement: string) => service.database.withClient((client) => client.query(statement))
  await run(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`)
  await run('create trigger refuse before delete on webhook_deliveries for each row execute function refuse()')
  const outcomes = await Promise.allSettled(chores().map((chore) => keepHouse([chore])))
  await run('drop trigger refuse on webhook_deliveries')
  expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
  expect(await count('events', `tenant_id = '${tenantId}'`)).toBe(1)
  await keepHouse()
  expect(await count('events', `tenant_id = '${tenantId}'`)).toBe(0)
})

/**
 * The same database, which also notes how many rows of events and deliveries each statement reads, by running it once
 * more with its plan and undoing that.
 */
function reading(noted: number[]): Database {
  const rowsOf = ({ Plans = [], ...node }: Plan): number => {
    const own = /^(webhook_deliveries|finished_deliveries|events)/.test(node['Relation Name'] ?? '')
      ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      : 0
    return Plans.reduce((sum, plan) => sum + rowsOf(plan), own)
  }
  const note = (text: string, values: unknown[]) =>
    service.database.withClient(async (client) => {
      await client.query('begin')
      await client.query('set local enable_seqscan = off')
      const { rows } = await client.query(`explain (analyze, timing off, format json) ${text}`, values)
      await client.query('rollback')
      noted.push(rowsOf(rows[0]['QUERY PLAN'][0].Plan))
    })
  return {
    ...service.database,
    async query(statement, options) {
      const { text, values } = compile(statement)
      await note(text, values)
      return service.database.query(statement, options)
    },
    withClient: (use) =>
      service.database.withClient((client) => {
        const query = client.query.bind(client)
        return use(
          Object.assign(client, {
            async query(text: string, values?: unknown[]) {
              if (/ as removed/.test(text)) await note(text, values ?? [])
              return query(text, values)
            },
          }),
        )
      }),
  }
}

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

test('sessions that are over, links long expired and old attempts to sign in go; the others stay', async () => {
  const userId = newId(daysAgo(200))
  await service.database.query(sql`insert into users (id, name, created_at) values (${userId}, 'Someone', now())`)
  const later = new Date(now.getTime() + dayMs)
  for (const [at, days] of [
    [later, 0],
    [daysAgo(1), 100],
  ] as const) {
    await service.database.query(sql`insert into user_sessions
        (hash, id, user_id, created_at, last_used_at, expires_at)
      values (${Buffer.from(String(days))}, ${newId(at)}, ${userId}, ${at}, ${at}, ${at})`)
    await service.database.query(sql`insert into one_time_links (id, hash, purpose, user_id, created_at, expires_at)
      values (${newId(at)}, ${Buffer.from(String(days))}, 'sign_in', ${userId}, ${at}, ${daysAgo(days)})`)
    await service.database.query(sql`insert into sign_in_attempts (subject, attempts, began_at)
      values (${Buffer.from(String(days))}, 1, ${daysAgo(days)})`)
  }
  await keepHouse()
  expect(
    await Promise.all(['user_sessions', 'one_time_links', 'sign_in_attempts'].map((table) => count(table))),
  ).toEqual([1, 1, 1])
})

test('what providers sent goes after the same days, in batches; what is still to be worked on stays', async () => {
  const { sandbox: api } = await service.organization('Called')
  const tenantId = await tenantOf(service, api)
  const made = await api.post('/integration-connections', {
    provider: 'vapi',
    name: 'Riley',
    credentials: { serverSecret: 'secret' },
  })
  const log = (at: Date, status: string, number: number) =>
    service.database.query(sql`insert into inbound_requests
        (tenant_id, id, connection_id, kind, received_at, provider_ids, conversation, url, headers, body, status)
      select ${tenantId}::uuid, uuid_v7(${at}::timestamptz + n * interval '1 ms'), ${made.body.id}::uuid, 'server',
        ${at}::timestamptz + n * interval '1 ms', '{}', 'call', '', '{}', '', ${status}
      from generate_series(1, ${number}::int) n`)
  for (const status of ['pending', 'processed', 'ignored', 'failed']) {
    await log(daysAgo(91), status, 700)
    await log(daysAgo(89), status, 2)
  }
  const [chore] = chores().filter(({ name }) => name === 'retention of inbound requests')
  expect(await keepHouse(chore ? [chore] : [])).toBeGreaterThan(2)
  const left = async (status: string, old: boolean) =>
    count(
      'inbound_requests',
      `tenant_id = '${tenantId}' and status = '${status}'
        and received_at ${old ? '<' : '>='} '${daysAgo(90).toISOString()}'`,
    )
  expect(await Promise.all(['pending', 'processed', 'ignored', 'failed'].map((status) => left(status, true)))).toEqual([
    700, 0, 0, 0,
  ])
  expect(await Promise.all(['pending', 'processed', 'ignored', 'failed'].map((status) => left(status, false)))).toEqual(
    [2, 2, 2, 2],
  )
  const shown = await api.get(`/integration-connections/${made.body.id}/inbound?status=failed`)
  expect(shown.body.data).toHaveLength(2)
})
