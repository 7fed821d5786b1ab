import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, test } from 'vitest'
import { sql } from '../src/database/sql.js'
import { aFact } from './support/captured.js'
import { tenantOf } from './support/events.js'
import { type Client, type Service, startService } from './support/service.js'
let service: Service
let api: Client
beforeAll(async () => { service = await startService(); api = service.api }, 300000)
afterAll(() => service.stop())
async function time(name: string, n: number, work: (i: number) => Promise<any>) {
  const times: number[] = []
  for (let i = 0; i < n; i++) { const t = performance.now(); const r = await work(i); times.push(performance.now() - t); if (r.status >= 400) console.log(r.status, r.text) }
  times.sort((a, b) => a - b)
  console.log(name, 'p50', times[n >> 1]!.toFixed(2), 'p99', times[Math.floor(n * 0.99)]!.toFixed(2))
}
test('bench', async () => {
  const tenant = await tenantOf(service, api)
  await time('task', 200, (i) => api.post('/tasks', { title: `t${i}` }))
  const { body } = await api.post('/facts', aFact({ key: 'k0' }))
  for (let b = 0; b < 100; b++) {
    await service.database.query(sql`insert into facts (tenant_id, id, version, updated_at, record)
      select ${tenant}, x.id, 1, now(), (${JSON.stringify(body)}::jsonb || jsonb_build_object('id', x.id, 'subjectId', md5((g/10 + ${b}::int*100)::text)::uuid, 'key', 'k' || (g % 50), 'value', 'v' || g, 'sourceCallSessionId', gen_random_uuid()))::json from (select g, gen_random_uuid() as id from generate_series(1, 1000) g offset 0) x`)
  }
  await service.database.withClient(async (c) => { await c.query('set statement_timeout = 0'); await c.query('analyze facts'); await c.query('set statement_timeout = 2000') })
  const [{ n }] = await service.database.query<any>(sql`select count(*)::int as n from facts`) as any
  console.log('facts', n)
  const subject = async (i: number) => (await service.database.query<any>(sql`select subject_id from facts offset ${i * 37} limit 1`))[0].subject_id
  const subjects: any[] = []; for (let i = 0; i < 300; i++) subjects.push(await subject(i))
  await time('proposed, call, inferred', 300, (i) => api.post('/facts', aFact({ subjectId: subjects[i], key: 'k1', value: `x${i}`, sourceCallSessionId: randomUUID() })))
  await time('confirmed', 300, (i) => api.post('/facts', aFact({ subjectId: subjects[i], key: 'k1', value: `y${i}`, sourceCallSessionId: randomUUID(), status: 'confirmed' })))
  await time('list by subject', 300, (i) => api.get(`/facts?subjectId=${subjects[i]}`))
  await time('list by status', 100, (i) => api.get(`/facts?status=proposed,confirmed&key=k${i % 50}`))
  await time('list minConfidence', 100, () => api.get(`/facts?minConfidence=0.5`))
  const t = performance.now()
  const lanes = Array.from({ length: 32 }, async (_, lane) => { for (let i = 0; i < 20; i++) await api.post('/facts', aFact({ key: `k${(lane + i) % 50}`, value: `z${i}`, sourceCallSessionId: randomUUID() })) })
  await Promise.all(lanes)
  console.log('32 lanes', (640 / (performance.now() - t) * 1000).toFixed(0), 'facts/s')
  const t2 = performance.now()
  await Promise.all(Array.from({ length: 32 }, async (_, lane) => { for (let i = 0; i < 20; i++) await api.post('/tasks', { title: `l${lane}` }) }))
  console.log('32 lanes tasks', (640 / (performance.now() - t2) * 1000).toFixed(0), '/s')
}, 300000)
