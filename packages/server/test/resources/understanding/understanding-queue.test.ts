// Who is read when: turns among tenants, calls of before the upgrade, words that come late, and work that fails.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { claimJobs, finishJob, queueTalkedOn } from '../../../src/resources/understanding/understanding-queue.js'
import { tenantOf } from '../../support/events.js'
import { type Client, type Service, startService } from '../../support/service.js'
import { until } from '../../support/until.js'

// No worker of its own: the test claims.
let service: Service
beforeAll(async () => {
  service = await startService({ PARLEY_ROLE: 'api' }, { isUnderstanding: true })
})
afterAll(() => service.stop())

const sms = (client: Client, body: string) =>
  client.post('/sms/inbound', { from: '+15550100201', to: '+15550109999', body })

test('one tenant’s flood leaves room for the others', async () => {
  const [flooding, other] = [await service.organization('Flood'), await service.organization('Other')]
  for (let index = 0; index < 30; index++) await sms(flooding.sandbox, `Come tomorrow, ${index}`)
  await sms(other.sandbox, 'Come tomorrow')
  const claim = (room: number, underWay = new Map<string, number>()) =>
    claimJobs(service.database, { leaseMs: 60_000, room, perTenant: 2, underWay })
  const first = await claim(4)
  const [busy, quiet] = [await tenantOf(service, flooding.sandbox), await tenantOf(service, other.sandbox)]
  expect(first.map(({ tenantId }) => tenantId).toSorted()).toEqual([busy, busy, quiet].toSorted())
  // While two of its own are under way, the flooding tenant gets no third.
  expect(await claim(4, new Map([[busy, 2]]))).toEqual([])
  expect(await claim(4, new Map([[busy, 1]]))).toHaveLength(1)
})

test('what comes while a job is done is done after it', async () => {
  const { sandbox } = await service.organization('Talking')
  const call = (
    await sandbox.post('/calls', {
      direction: 'inbound',
      from: '+15550100301',
      to: '+15550109999',
      status: 'in_progress',
    })
  ).body
  const add = (sequence: number) =>
    sandbox.post(`/calls/${call.id}/segments`, {
      segments: [{ sequence, speaker: 'caller', text: 'Tomorrow', startMs: 0 }],
    })
  await add(0)
  await queueTalkedOn(service.database)
  const mine = async () =>
    (await claimJobs(service.database, { leaseMs: 60_000, room: 100, perTenant: 100, underWay: new Map() })).filter(
      ({ subjectId }) => subjectId === call.id,
    )
  const [job] = await mine()
  expect(job).toMatchObject({ kind: 'call', generation: 1 })
  await sandbox.post(`/calls/${call.id}/end`)
  expect(await mine()).toEqual([])
  await finishJob(service.database, job as never)
  const [again] = await mine()
  expect(again).toMatchObject({ generation: 2 })
  await finishJob(service.database, again as never)
  await add(1)
  expect(await mine()).toHaveLength(1)
})

test('calls of before the upgrade are left alone', async () => {
  const { sandbox } = await service.organization('Older')
  const call = (
    await sandbox.post('/calls', {
      direction: 'inbound',
      from: '+15550100401',
      to: '+15550109999',
      status: 'in_progress',
    })
  ).body
  await service.database.query(sql`update call_activity set understood_revision = null where call_id = ${call.id}`)
  await sandbox.post(`/calls/${call.id}/segments`, {
    segments: [{ sequence: 0, speaker: 'caller', text: 'Come tomorrow', startMs: 0 }],
  })
  await sandbox.post('/voicemails', {
    callerNumber: '+15550100401',
    callSessionId: call.id,
    transcript: 'Come tomorrow',
  })
  await sandbox.post(`/calls/${call.id}/end`)
  await sandbox.post(`/calls/${call.id}/segments`, {
    segments: [{ sequence: 1, speaker: 'caller', text: 'Late', startMs: 0 }],
  })
  await queueTalkedOn(service.database)
  const [row] = await service.database.query(
    sql`select count(*)::int as count from understanding_jobs where subject_id = ${call.id}`,
  )
  expect(row).toEqual({ count: 0 })
})

test('work that fails is kept with its reason and does not stop the rest', async () => {
  const { sandbox } = await service.organization('Failing')
  await sms(sandbox, 'My email is maria@example.com')
  const tenantId = await tenantOf(service, sandbox)
  await service.database.query(sql`update tenants set settings = '{"timezone": "Mars/Olympus"}' where id = ${tenantId}`)
  await service.node({ PARLEY_ROLE: 'worker' })
  const job = async () =>
    (
      await service.database.query<{ error: string | null; later: boolean }>(
        sql`select error, due_at > now() as later from understanding_jobs where tenant_id = ${tenantId}`,
      )
    )[0]
  const failed = await until(job, (seen) => seen?.error !== null && seen?.error !== undefined)
  expect(failed).toMatchObject({ error: expect.stringContaining('Mars/Olympus'), later: true })
  await service.database.query(sql`update tenants set settings = '{}' where id = ${tenantId}`)
  await service.database.query(sql`update understanding_jobs set due_at = now() where tenant_id = ${tenantId}`)
  await until(job, (seen) => seen === undefined)
  expect((await sandbox.get('/facts')).body.data).toMatchObject([{ key: 'primary_email' }])
})
