// Workers that read conversations are killed at any moment, and several share the work: everything is proposed, once.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { programFile } from '../../support/run/bundled-programs.js'
import { type Service, secret, startService } from '../../support/service.js'
import { until } from '../../support/until.js'

// The node serves the API only; the test runs the workers it needs.
let service: Service
beforeAll(async () => {
  service = await startService({ PARLEY_ROLE: 'api' }, { isUnderstanding: true })
})
afterAll(() => service.stop())

const CALLS = 10
const KILLS = 2

async function startWorker() {
  const script = await programFile('understanding-worker')
  const env = { ...process.env, DATABASE_URL: service.databaseUrl }
  const child = spawn(process.execPath, [script, secret], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

const waiting = async (): Promise<number> =>
  (await service.database.read<[number]>(sql`select count(*)::int from understanding_jobs`))[0]?.[0] ?? 0

/** What a dead worker held is free at once, instead of when its lease lapses. */
const endLeases = () =>
  service.database.query(sql`update understanding_jobs set due_at = now() where claim is not null`)

async function makeWork(): Promise<string[]> {
  const { api } = service
  await api.post('/signal-definitions', { key: 'urgent', phrases: ['emergency'] })
  const ids: string[] = []
  for (let index = 0; index < CALLS; index++) {
    const from = `+1555020${1000 + index}`
    const call = (await api.post('/calls', { direction: 'inbound', from, to: '+15550109999', status: 'in_progress' }))
      .body
    const text = 'My name is Maria Lopez, this is an emergency, come tomorrow at 4:15 pm.'
    await api.post(`/calls/${call.id}/segments`, { segments: [{ sequence: 0, speaker: 'caller', text, startMs: 0 }] })
    if (index % 2 === 0) await api.post(`/calls/${call.id}/end`)
    await api.post('/sms/inbound', { from, to: '+15550109999', body: 'My email is maria@example.com' })
    ids.push(call.id)
  }
  return ids
}

test('kill -9 loses nothing and doubles nothing', async () => {
  const ids = await makeWork()
  for (let kill = 0; kill < KILLS; kill++) {
    const left = await waiting()
    const worker = await startWorker()
    // In the middle of its work, if there is any left.
    await until(waiting, (now) => now < left || now === 0, 200_000)
    worker.kill('SIGKILL')
    await once(worker, 'close')
    await endLeases()
  }
  const workers = await Promise.all([startWorker(), startWorker()])
  const unread = sql`select count(*)::int from call_activity where segments_revision > understood_revision`
  await until(
    async () => [await waiting(), (await service.database.read<[number]>(unread))[0]?.[0]],
    ([jobs, calls]) => jobs === 0 && calls === 0,
    200_000,
  )
  for (const worker of workers) worker.kill('SIGKILL')
  for (const id of ids) {
    const { body: shown } = await service.api.get(`/calls/${id}/surface`)
    expect(shown.facts.map(({ key }: any) => key).toSorted()).toEqual([
      'display_name',
      'preferred_date',
      'preferred_time',
    ])
    expect(shown.signals).toHaveLength(1)
    expect((await service.api.get(`/drafts?callSessionId=${id}`)).body.data).toHaveLength(1)
  }
  const emails = (await service.api.get('/facts?key=primary_email&limit=100')).body.data
  expect(emails).toHaveLength(CALLS)
  expect((await service.api.get('/signal-events?limit=100')).body.data).toHaveLength(CALLS)
})
