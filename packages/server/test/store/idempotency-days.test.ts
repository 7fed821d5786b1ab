// Idempotency keys leave by day, and are alone for 24 hours all the same: across midnight, also for twins that are under
// way at once, and beside a node of the version before, which keeps them elsewhere.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { keepPartitions } from '../../src/database/partitions.js'
import { sql } from '../../src/database/sql.js'
import { partitionedTables } from '../../src/maintenance/partitioned-tables.js'
import { claimParts } from '../../src/store/idempotency.js'
import { noContent } from '../../src/store/response.js'
import { createSealer } from '../../src/store/secret-box.js'
import { tenantOf } from '../support/events.js'
import { type Client, type Service, startService } from '../support/service.js'
import { patiently } from '../support/waiting/patiently.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService({ PARLEY_ROLE: 'api' })
  api = service.api
})
afterAll(() => service.stop())

const midnight = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000)
const fromMidnight = (seconds: number) => new Date(midnight.getTime() + seconds * 1_000).toISOString()
const run = (text: string) => service.database.withClient((client) => client.query(text))
/** Sets the clock by which keys have their day. */
const setKeyClock = (at: string) =>
  run(`create or replace function key_clock() returns timestamptz language sql stable as
    $$ select '${at}'::timestamptz $$`)
const send = (key: string, title = 'Once') => api.post('/tasks', { title }, { 'idempotency-key': key })
const isReplay = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed') === 'true'
const daysOf = async (key: string) =>
  (await service.database.query(sql`select day from answered_keys where key = ${key}`)).length

test.each([
  ['a second before and a second after', -1, 1],
  ['just before, and when the day is no longer young', -1, 600],
  ['in the first minutes, and when they are over', 200, 400],
  ['in the evening, and in the evening of the next day', -7_200, 80_000],
])('a key is known across midnight: %s', async (_, first, second) => {
  const key = randomUUID()
  await setKeyClock(fromMidnight(first))
  const made = await send(key)
  expect([made.status, isReplay(made)]).toEqual([201, false])
  await setKeyClock(fromMidnight(second))
  const again = await send(key)
  expect([again.text, isReplay(again)]).toEqual([made.text, true])
  expect((await send(key, 'Other')).status).toBe(422)
})

test.each([
  [-1, 1, 1],
  [-302, -299, 1],
  [299, 301, 2],
  [600, 601, 1],
])('twins under way at once, %i and %i seconds from midnight, have one effect', async (first, second, days) => {
  const key = randomUUID()
  await run(`create or replace function hold() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(77); return new; end $$;
    create or replace trigger hold before insert on tasks for each row execute function hold()`)
  const title = `Twins ${first}`
  await service.database.withClient(async (holder) => {
    await holder.query('select pg_advisory_lock(77)')
    await setKeyClock(fromMidnight(first))
    const early = send(key, title)
    await waiting(1)
    await setKeyClock(fromMidnight(second))
    const late = send(key, title)
    await waiting(2)
    await holder.query('select pg_advisory_unlock(77)')
    const answers = await Promise.all([early, late])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(isReplay)).toHaveLength(1)
  })
  await run('drop trigger hold on tasks')
  expect(await daysOf(key)).toBe(days)
  const made = await service.database.query(sql`select 1 from tasks where record ->> 'title' = ${title}`)
  expect(made).toHaveLength(1)

  /** Until this many statements wait for a lock: for the one that is held, or for each other. */
  async function waiting(count: number): Promise<void> {
    await expect
      .poll(async () => {
        const [row] = await service.database.query<{ count: number }>(sql`select count(*)::int as count
          from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
        return row?.count
      })
      .toBe(count)
  }
})

test('a key of yesterday is known today, until 24 hours have passed', async () => {
  const key = randomUUID()
  await setKeyClock(new Date(Date.now() - 86_400_000).toISOString())
  const made = await send(key)
  await setKeyClock(new Date().toISOString())
  const again = await send(key)
  expect([again.text, isReplay(again)]).toEqual([made.text, true])
  expect((await send(key, 'Other')).status).toBe(422)
  const before = sql`update answered_keys set created_at = now() - interval '24 hours 1 second' where key = ${key}`
  await service.database.query(before)
  const other = await send(key, 'Other')
  expect([other.status, isReplay(other), await daysOf(key)]).toEqual([201, false, 2])
})

test('a key is claimed for one day while that is settled, and otherwise as of any hour', () => {
  const partsOf = (time: string, atAnyHour = false) => {
    const now = new Date(`2026-01-02T${time}Z`)
    const context = { tenantId: randomUUID(), organizationId: randomUUID(), environment: 'sandbox', now }
    const claim = { key: 'k', fingerprint: Buffer.alloc(32), refusal: () => noContent, atAnyHour }
    return claimParts(createSealer('a secret of this test'), context, claim, noContent).map(({ name }) => name)
  }
  expect(partsOf('00:05:00')).toEqual(['not_a_replay'])
  expect(partsOf('23:59:59')).toEqual(['not_a_replay'])
  expect(partsOf('00:04:59')).toEqual(['claimed_key', 'not_a_replay'])
  expect(partsOf('12:00:00', true)).toEqual(['claimed_key', 'not_a_replay'])
})

test('who brings a new key does not look for it before, and who brings a used one does after', async () => {
  await setKeyClock(new Date().toISOString())
  const reads = vi.spyOn(service.database, 'read')
  const waits = async (path: string, body: object, key: string) => {
    reads.mockClear()
    const answer = await api.post(path, body, { 'idempotency-key': key })
    return [
      answer.status,
      isReplay(answer),
      reads.mock.calls.filter(([one]) => one.parts.join().includes('_keys')).length,
    ]
  }
  const key = randomUUID()
  expect(await waits('/tasks', { title: 'New' }, key)).toEqual([201, false, 0])
  expect(await waits('/tasks', { title: 'New' }, key)).toEqual([201, true, 1])
  reads.mockRestore()
})

test('a replay takes no number', async () => {
  const customerId = (await api.post('/customers', { displayName: 'Numbered' })).body.id
  const key = randomUUID()
  const create = (one: string) =>
    api.post('/work-records', { canonicalKind: 'job', title: 'Numbered', customerId }, { 'idempotency-key': one })
  const first = await create(key)
  expect([first.status, isReplay(await create(key))]).toEqual([201, true])
  const numberOf = ({ body }: { body: { number: string } }) => Number(body.number.slice(3))
  expect(numberOf(await create(randomUUID()))).toBe(numberOf(first) + 1)
})

test('a node of the version before finds what was answered here, and is found', async () => {
  await setKeyClock(new Date().toISOString())
  const tenantId = await tenantOf(service, api)
  const key = randomUUID()
  const made = await send(key)
  // As that version claims.
  const claim = (claimed: string) =>
    service.database.query(sql`insert into idempotency_keys
        (tenant_id, key, fingerprint, status, body, sealed, headers, created_at)
      values (${tenantId}::uuid, ${claimed}, 'x', 201, '{"of":"before"}', false, '{}', now())
      on conflict (tenant_id, key) do update set body = excluded.body
        where idempotency_keys.created_at < excluded.created_at - interval '24 hours' returning 1`)
  expect(await claim(key)).toEqual([])
  const [found] = await service.database.query<{ body: Buffer }>(
    sql`select body from idempotency_keys where key = ${key}`,
  )
  expect(found?.body.toString()).toBe(made.text)

  const theirs = randomUUID()
  expect(await claim(theirs)).toHaveLength(1)
  expect((await send(theirs)).status).toBe(422)
})

test('a day of keys is dropped when 24 hours have passed since its end', async () => {
  await setKeyClock(fromMidnight(-3_600))
  const key = randomUUID()
  await send(key)
  const keep = (hours: number) => {
    const at = new Date(midnight.getTime() + hours * 3_600_000)
    return patiently(() => keepPartitions(service.database, partitionedTables(90, at), at))
  }
  await keep(24)
  expect(await daysOf(key)).toBeGreaterThan(0)
  await keep(25)
  expect(await daysOf(key)).toBe(0)
})
