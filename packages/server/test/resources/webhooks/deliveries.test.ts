// The log of deliveries: reading it, replaying one, and replaying many as a job.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import type { Client, Service } from '../../support/service.js'
import { subscriber } from '../../support/webhooks/sending.js'
import type { Answer } from '../../support/webhooks/subscriber.js'
import { afterSweeps } from '../../support/webhooks/sweeps.js'
import {
  deliveriesOf,
  deliveryThat,
  deliveryWith,
  makeTask,
  startSending,
  subscribe,
  until,
} from '../../support/webhooks/webhooks.js'
import { addDeliveries } from '../../support/webhooks/workers.js'

let service: Service
beforeAll(async () => {
  service = await startSending({
    PARLEY_WEBHOOK_TIMEOUT: '20s',
    PARLEY_WEBHOOK_RETRY_DELAYS: '0s,10ms,10ms,10ms,10ms,10ms,10ms,10ms',
  })
})
afterAll(() => service.stop())

const newSide = async (): Promise<Client> => (await service.organization('Replayer')).sandbox
const setStatus = (subscriptionId: string, status: string, error: string | null) =>
  service.database.query(
    sql`update webhook_deliveries set status = ${status}, last_error = ${error}, next_attempt_at = null, claim = null, leased_until = null where subscription_id = ${subscriptionId}`,
  )

/** A subscription whose endpoint answers as told, with deliveries that are already over. */
async function finished(
  count: number,
  status: string,
  answer: Answer = (_request, response) => response.end('thanks'),
) {
  const listening = await subscriber(answer)
  const api = await newSide()
  const { id } = await subscribe(api, listening.url, { status: 'paused' })
  for (let made = 0; made < count; made += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - made) }, () => makeTask(api)))
  await setStatus(id, status, status === 'SUCCEEDED' ? null : 'http_500')
  expect((await api.patch(`/webhooks/${id}`, { status: 'active' })).status).toBe(200)
  return { api, id, ...listening }
}

describe('the log', () => {
  test('pages newest first, filters by status and expands what is asked for', async () => {
    const { api, id } = await finished(7, 'DEAD_LETTERED')
    const all = await deliveriesOf(api, id)
    expect(all).toHaveLength(7)
    expect(all.map((one) => one.id)).toEqual(
      all
        .map((one) => one.id)
        .toSorted()
        .toReversed(),
    )
    expect(Object.keys(all[0] ?? {})).toEqual([
      'id',
      'subscriptionId',
      'eventId',
      'eventType',
      'status',
      'attemptCount',
      'replayCount',
      'nextAttemptAt',
      'lastAttemptAt',
      'lastResponseStatus',
      'lastError',
      'createdAt',
      'deliveredAt',
    ])
    const first = await api.get(`/webhooks/${id}/deliveries?limit=4`)
    const second = await api.get(`/webhooks/${id}/deliveries?limit=4&cursor=${first.body.pagination.nextCursor}`)
    expect([...first.body.data, ...second.body.data]).toEqual(all)
    expect(second.body.pagination.nextCursor).toBeNull()
    expect(await deliveriesOf(api, id, '?status=dead_lettered')).toHaveLength(7)
    expect(await deliveriesOf(api, id, '?status=FAILED,DEAD_LETTERED')).toHaveLength(7)
    expect(await deliveriesOf(api, id, '?status=SUCCEEDED,PENDING')).toEqual([])
    const [expanded] = await deliveriesOf(api, id, '?expand=payload,attempts')
    expect(expanded).toMatchObject({ payload: { eventId: expanded?.eventId, type: 'task.created' }, attempts: [] })
    for (const wrong of ['?status=LOST', '?expand=secrets', '?limit=0', '?cursor=abc', '?colour=red'])
      expect((await api.get(`/webhooks/${id}/deliveries${wrong}`)).status).toBe(400)
  })

  test('one delivery is found under its own subscription only', async () => {
    const { api, id } = await finished(1, 'FAILED')
    const [delivery] = await deliveriesOf(api, id)
    expect((await api.get(`/webhooks/${id}/deliveries/${delivery?.id}`)).body).toEqual(delivery)
    const other = await subscribe(api, 'https://example.com/')
    expect((await api.get(`/webhooks/${other.id}/deliveries/${delivery?.id}`)).status).toBe(404)
    expect((await api.get(`/webhooks/${id}/deliveries/${id}`)).status).toBe(404)
    expect((await api.get(`/webhooks/${id}/deliveries/nothing`)).status).toBe(404)
  })
})

describe('replaying one', () => {
  const replay = (api: Client, id: string, deliveryId: string, body?: object) =>
    api.post(`/webhooks/${id}/deliveries/${deliveryId}/replay`, body)

  test.each(['FAILED', 'DEAD_LETTERED'])(
    '%s is sent again with the same bytes, and a new cycle of eight',
    async (status) => {
      let answers = 0
      const { api, id, received } = await finished(1, status, (_request, response) =>
        response.writeHead(++answers <= 7 ? 500 : 200).end(),
      )
      await service.database.query(sql`update webhook_deliveries set attempt_count = 8 where subscription_id = ${id}`)
      const [before] = await deliveriesOf(api, id, '?expand=payload')
      const answer = await replay(api, id, before?.id ?? '')
      expect(answer.status).toBe(202)
      expect(answer.body).toMatchObject({
        id: before?.id,
        status: 'PENDING',
        attemptCount: 8,
        replayCount: 1,
        nextAttemptAt: expect.any(String),
      })
      const after = await deliveryWith(api, id, 'SUCCEEDED')
      expect(after).toMatchObject({ attemptCount: 16, replayCount: 1 })
      expect(received).toHaveLength(8)
      for (const { body, headers } of received) {
        expect(JSON.parse(body.toString())).toEqual(before?.payload)
        expect(headers['x-service-delivery-id']).toBe(before?.id)
      }
      const { attempts } = (await api.get(`/webhooks/${id}/deliveries/${before?.id}?expand=attempts`)).body
      expect(attempts.map((one: { number: number }) => one.number)).toEqual([9, 10, 11, 12, 13, 14, 15, 16])
      expect(attempts.map((one: { trigger: string }) => one.trigger)).toEqual([
        'replay',
        ...Array.from({ length: 7 }, () => 'retry'),
      ])
    },
  )

  test('of many attempts, the last hundred are kept', async () => {
    const { api, id } = await finished(1, 'FAILED')
    await service.database.query(
      sql`update webhook_deliveries set attempt_count = 100, attempts = array(select json_build_object('number', n) from generate_series(1, 100) n) where subscription_id = ${id}`,
    )
    const [before] = await deliveriesOf(api, id)
    await replay(api, id, before?.id ?? '')
    await deliveryWith(api, id, 'SUCCEEDED')
    const { attempts } = (await api.get(`/webhooks/${id}/deliveries/${before?.id}?expand=attempts`)).body
    expect(attempts.map((one: { number: number }) => one.number)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 2),
    )
    expect(attempts.at(-1)).toMatchObject({
      responseStatus: 200,
      responseBody: 'thanks',
      error: null,
      trigger: 'replay',
    })
  })

  test('a replay that fails eight times is dead again', async () => {
    const { api, id, received } = await finished(1, 'DEAD_LETTERED', (_request, response) =>
      response.writeHead(500).end(),
    )
    const [before] = await deliveriesOf(api, id)
    expect((await replay(api, id, before?.id ?? '')).status).toBe(202)
    await deliveryThat(api, id, ({ status, attemptCount }) => status === 'DEAD_LETTERED' && attemptCount === 8)
    expect(received).toHaveLength(8)
  })

  test('SUCCEEDED needs force', async () => {
    const { api, id, received } = await finished(1, 'SUCCEEDED')
    const [before] = await deliveriesOf(api, id)
    for (const body of [undefined, {}, { force: false }]) {
      expect(await replay(api, id, before?.id ?? '', body)).toMatchObject({
        status: 409,
        body: { error: { code: 'conflict', details: { reason: 'state', from: 'SUCCEEDED' } } },
      })
    }
    expect((await replay(api, id, before?.id ?? '', { force: true })).status).toBe(202)
    await deliveryThat(api, id, ({ status, replayCount }) => status === 'SUCCEEDED' && replayCount === 1)
    expect(received).toHaveLength(1)
  })

  test.each(['PENDING', 'RETRYING'])('%s is queued already', async (status) => {
    const { api, id } = await finished(1, 'FAILED')
    await service.database.query(
      sql`update webhook_deliveries set status = ${status}, next_attempt_at = now() + interval '1 hour' where subscription_id = ${id}`,
    )
    const [delivery] = await deliveriesOf(api, id)
    for (const body of [undefined, { force: true }])
      expect((await replay(api, id, delivery?.id ?? '', body)).status).toBe(409)
  })

  test('two at once: one is queued, the other refused, one request is sent', async () => {
    const { api, id, received } = await finished(
      1,
      'FAILED',
      (_request, response) => void setTimeout(() => response.end(), 100),
    )
    const [delivery] = await deliveriesOf(api, id)
    const answers = await Promise.all(Array.from({ length: 6 }, () => replay(api, id, delivery?.id ?? '')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409, 409, 409])
    await deliveryThat(api, id, ({ status, replayCount }) => status === 'SUCCEEDED' && replayCount === 1)
    expect(received).toHaveLength(1)
  })

  test('on a paused subscription it is held, on a disabled or revoked one refused', async () => {
    const { api, id, received } = await finished(1, 'FAILED')
    const [delivery] = await deliveriesOf(api, id)
    await api.patch(`/webhooks/${id}`, { status: 'disabled' })
    expect(await replay(api, id, delivery?.id ?? '')).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'disabled' } } },
    })
    await api.patch(`/webhooks/${id}`, { status: 'active' })
    await api.patch(`/webhooks/${id}`, { status: 'paused' })
    expect(await replay(api, id, delivery?.id ?? '')).toMatchObject({
      status: 202,
      body: { status: 'PENDING', nextAttemptAt: null },
    })
    await afterSweeps(service)
    expect(received).toHaveLength(0)
    await api.patch(`/webhooks/${id}`, { status: 'active' })
    await until(() => received.length === 1)
    await api.delete(`/webhooks/${id}`)
    expect(await replay(api, id, delivery?.id ?? '', { force: true })).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'revoked' } } },
    })
  })
})

describe('replaying many', () => {
  const since = '2020-01-01T00:00:00Z'
  const jobDone = async (api: Client, id: string, jobId: string) => {
    await until(async () => (await api.get(`/webhooks/${id}/replays/${jobId}`)).body.status === 'completed')
    return (await api.get(`/webhooks/${id}/replays/${jobId}`)).body
  }

  test('250 failures are exactly 250 sends', async () => {
    const { api, id, received } = await finished(250, 'FAILED')
    const job = await api.post(`/webhooks/${id}/replay`, { since })
    expect(job.status).toBe(202)
    expect(job.body).toMatchObject({
      id: expect.any(String),
      subscriptionId: id,
      status: 'running',
      matched: 250,
      queued: 0,
      statuses: ['FAILED', 'DEAD_LETTERED'],
      eventTypes: [],
    })
    expect(await jobDone(api, id, job.body.id)).toMatchObject({
      status: 'completed',
      matched: 250,
      queued: 250,
      finishedAt: expect.any(String),
    })
    await until(async () => (await countWith(id, 'SUCCEEDED')) === 250)
    expect(received).toHaveLength(250)
    expect(new Set(received.map(({ headers }) => headers['x-service-delivery-id'])).size).toBe(250)
    // Nothing is left that fits, so a second one finds nothing.
    const again = await api.post(`/webhooks/${id}/replay`, { since })
    expect(again.body).toMatchObject({ matched: 0 })
    expect(await jobDone(api, id, again.body.id)).toMatchObject({ queued: 0 })
    expect(received).toHaveLength(250)
  })

  test('several at once never queue a delivery twice', async () => {
    const { api, id, received } = await finished(
      120,
      'DEAD_LETTERED',
      (_request, response) => void setTimeout(() => response.end(), 20),
    )
    const jobs = await Promise.all(Array.from({ length: 4 }, () => api.post(`/webhooks/${id}/replay`, { since })))
    const done = await Promise.all(jobs.map(({ body }) => jobDone(api, id, body.id)))
    expect(done.reduce((sum, { queued }) => sum + queued, 0)).toBe(120)
    await until(async () => (await countWith(id, 'SUCCEEDED')) === 120)
    expect(received).toHaveLength(120)
  })

  test('what fails again while the job runs is not queued again by it', async () => {
    const api = await newSide()
    const { id } = await subscribe(api, 'https://example.com/', { status: 'paused' })
    // More than two batches, to an address that fails at once and for good.
    const count = 1_300
    await addDeliveries(service.database, id, count)
    await setStatus(id, 'FAILED', 'http_500')
    await service.database.query(
      sql`update webhook_subscriptions set record = jsonb_set(record::jsonb, '{url}', '"https://10.0.0.1/"')::json where id = ${id}`,
    )
    expect((await api.patch(`/webhooks/${id}`, { status: 'active' })).status).toBe(200)
    const job = await api.post(`/webhooks/${id}/replay`, { since })
    expect(await jobDone(api, id, job.body.id)).toMatchObject({ matched: count, queued: count })
    await until(
      async () => (await countWith(id, 'FAILED')) === count,
      () => 'some are still queued',
      200_000,
    )
    const [row] = await service.database.query<{ most: number; failed: number }>(
      sql`select max(replay_count)::int as most, count(*) filter (where last_error = 'blocked_address')::int as failed from all_deliveries where subscription_id = ${id}`,
    )
    expect(row).toEqual({ most: 1, failed: count })
  })

  test('the span, the statuses and the types narrow it', async () => {
    const { api, id, received } = await finished(6, 'SUCCEEDED')
    const all = (await deliveriesOf(api, id)).toReversed()
    const matched = async (body: object) => (await api.post(`/webhooks/${id}/replay`, body)).body.matched
    expect(await matched({ since })).toBe(0)
    expect(await matched({ since, statuses: ['SUCCEEDED'], until: since })).toBe(0)
    expect(await matched({ since, statuses: ['SUCCEEDED'], eventTypes: ['note.added'] })).toBe(0)
    const until3 = String(all[2]?.createdAt)
    const expected = all.filter(({ createdAt }) => String(createdAt) <= until3).length
    expect(await matched({ since, until: until3, statuses: ['SUCCEEDED'], eventTypes: ['task.created'] })).toBe(
      expected,
    )
    await until(() => received.length === expected)
    for (const body of [
      {},
      { since: 'yesterday' },
      { since, until: '2019-01-01T00:00:00Z' },
      { since, statuses: ['PENDING'] },
      { since, eventTypes: ['nothing'] },
    ]) {
      expect((await api.post(`/webhooks/${id}/replay`, body)).status).toBe(400)
    }
  })

  test('a batch that is cut off is undone as a whole, and the job goes on where it was', async () => {
    const api = await newSide()
    const { id } = await subscribe(api, 'https://example.com/', { status: 'paused' })
    const [tenant] = await service.database.query<{ tenant_id: string }>(
      sql`select tenant_id from webhook_queues where subscription_id = ${id}`,
    )
    await service.database.query(sql`insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, event_type, status, created_at)
      select ${tenant?.tenant_id}::uuid, uuid_v7(now() - n * interval '1 ms'), ${id}::uuid, 'E' || n, 'task.created', 'FAILED', now() from generate_series(1, 1200) n`)
    const job = (await api.post(`/webhooks/${id}/replay`, { since })).body
    expect(job.matched).toBe(1_200)
    // What a worker leaves behind that dies in the middle of a batch: its connection is cut before the statement is
    // through.
    for (let cut = 0; cut < 5; cut++) {
      await service.database.query(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%job as materialized%' and pid <> pg_backend_pid()`,
      )
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(await jobDone(api, id, job.id)).toMatchObject({ matched: 1_200, queued: 1_200 })
    expect(await countWith(id, 'PENDING')).toBe(1_200)
    const [counts] = await service.database.query<{ most: number }>(
      sql`select max(replay_count)::int as most from all_deliveries where subscription_id = ${id}`,
    )
    expect(counts?.most).toBe(1)
  })
})

async function countWith(subscriptionId: string, status: string): Promise<number> {
  const [row] = await service.database.query<{ count: number }>(
    sql`select count(*)::int as count from all_deliveries where subscription_id = ${subscriptionId} and status = ${status}`,
  )
  return row?.count ?? 0
}
