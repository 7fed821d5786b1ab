// Merges that meet: each other, writes of the old id, writes that began before, another node, and the end of a process.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { retentionChores } from '../../../src/maintenance/retention.js'
import type { Server } from '../../../src/server/server.js'
import { newId } from '../../../src/store/id.js'
import { eventsOf, tenantOf } from '../../support/events.js'
import { endPrograms, serveProgram } from '../../support/program.js'
import { type Client, clientOf, type Service, secret, startService } from '../../support/service.js'
import { until } from '../../support/until.js'

let service: Service
let api: Client
/** The same key at another node. */
let other: Client
let tenantId: string
let worker: Server
/** Some five batches. */
const TASKS = 1_000
beforeAll(async () => {
  service = await startService({ PARLEY_ROLE: 'api' })
  api = service.api
  tenantId = await tenantOf(service, api)
})
afterAll(async () => {
  await endPrograms()
  await service.stop()
})

const person = async (displayName: string): Promise<string> => (await api.post('/people', { displayName })).body.id
const ownersOf = async (ids: readonly string[]): Promise<(string | null)[]> =>
  (
    await service.database.query<{ owner: string | null }>(
      sql`select person_id as owner from tasks where tenant_id = ${tenantId} and id = any (${ids}::uuid[])`,
    )
  ).map(({ owner }) => owner)
const mergeOf = async (id: string): Promise<{ status: string; moved: number }> => {
  const [row] = await service.database.query<{ status: string; moved: number }>(
    sql`select status, moved from merges where merged_id = ${id} order by id desc limit 1`,
  )
  return row ?? { status: 'none', moved: 0 }
}

/** Tasks of a person, straight in their table. */
async function plantTasks(personId: string, count: number): Promise<string[]> {
  const now = new Date()
  const [template] = await service.database.query<{ text: string }>(
    sql`select record::text as text from tasks where id = ${(await api.post('/tasks', { title: 'Planted', personId })).body.id}`,
  )
  const ids = Array.from({ length: count }, () => newId(now))
  const records = ids.map((id) => JSON.stringify({ ...JSON.parse(template?.text ?? '{}'), id }))
  await service.database.query(sql`insert into tasks (tenant_id, id, version, updated_at, record)
    select ${tenantId}, r.id, 1, ${now}, r.record::json
      from unnest(${ids}::uuid[], ${records}::text[]) r (id, record)`)
  return ids
}

test('a call is not read anew because its caller was merged', async () => {
  const [a, b] = [await person('A'), await person('B')]
  const call = (
    await api.post('/calls', { direction: 'inbound', from: '+15550109001', to: '+15550100000', personId: a })
  ).body
  const jobs = () =>
    service.database.query(sql`select generation from understanding_jobs where subject_id = ${call.id}`)
  await api.post(`/people/${a}/merge`, { intoId: b })
  expect((await api.get(`/calls/${call.id}`)).body.personId).toBe(b)
  await api.post(`/people/${a}/unmerge`)
  expect((await api.get(`/calls/${call.id}`)).body.personId).toBe(a)
  expect(await jobs()).toEqual([])
  // As it is when somebody else turns out to be the caller.
  await api.patch(`/calls/${call.id}`, { personId: b })
  expect(await jobs()).toEqual([{ generation: 1 }])
})

describe('with a node beside it, which moves what is much', () => {
  beforeAll(async () => {
    worker = await service.node({ PARLEY_ROLE: 'all' })
    other = clientOf(worker.url, api.key)
  })

  test('of two that are merged into each other at once, on two nodes, one stays', async () => {
    for (let round = 0; round < 4; round++) {
      const [a, b] = [await person('A'), await person('B')]
      const answers = await Promise.all([
        api.post(`/people/${a}/merge`, { intoId: b }),
        other.post(`/people/${b}/merge`, { intoId: a }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      const [survivor] = answers.flatMap(({ status, body }) => (status === 200 ? [body.id] : []))
      expect([(await api.get(`/people/${a}`)).body.id, (await api.get(`/people/${b}`)).body.id]).toEqual([
        survivor,
        survivor,
      ])
    }
  })

  test('the twin of a merge is answered alike, and it happens once', async () => {
    const [a, b] = [await person('A'), await person('B')]
    const twins = await Promise.all(
      [api, other, api, other].map((one) => one.post(`/people/${a}/merge`, { intoId: b })),
    )
    expect(twins.map(({ status, body }) => [status, body.id, body.version])).toEqual(Array(4).fill([200, b, 2]))
    const undone = await Promise.all([api, other].map((one) => one.post(`/people/${a}/unmerge`)))
    expect(undone.map(({ status, body }) => [status, body.id])).toEqual(Array(2).fill([200, a]))
    const told = (await eventsOf(service, api)).filter(({ data }) => [a, b].includes(data.personId))
    expect(told.map(({ type }) => type).filter((type) => type.includes('merged'))).toEqual([
      'person.merged',
      'person.unmerged',
    ])
  })

  test('writes of the old id during a merge, on two nodes, all come to the one that stays', async () => {
    const [a, b] = [await person('A'), await person('B')]
    const kept = (await api.post('/tasks', { title: 'Kept', personId: a })).body
    const writes = Array.from({ length: 24 }, (_, index) =>
      (index % 2 === 0 ? api : other).post('/tasks', { title: `Task ${index}`, personId: a }),
    )
    const changes = Array.from({ length: 6 }, (_, index) =>
      other.patch(`/tasks/${kept.id}`, { title: `Said ${index}` }),
    )
    const renamed = other.patch(`/people/${a}`, { legalName: 'Said to the old one' })
    const merged = await api.post(`/people/${a}/merge`, { intoId: b })
    expect(merged.status, merged.text).toBe(200)
    const made = await Promise.all(writes)
    expect(made.map(({ status }) => status)).toEqual(Array(24).fill(201))
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect((await renamed).status).toBe(200)
    const ids = [kept.id, ...made.map(({ body }) => body.id)]
    await until(
      () => ownersOf(ids),
      (owners) => owners.every((owner) => owner === b),
    )
    expect((await api.get(`/people/${b}`)).body.legalName).toBe('Said to the old one')
  })

  test('a write that began before the merge and ends after it is found, and goes back with the rest', async () => {
    const [a, b] = [await person('A'), await person('B')]
    const [planted = ''] = await plantTasks(a, 1)
    await service.database.withClient(async (client) => {
      await client.query('begin')
      const late = newId(new Date())
      await client.query(
        `insert into tasks (tenant_id, id, version, updated_at, record) select tenant_id, $2, 1, updated_at,
         (record::jsonb || jsonb_build_object('id', $3::text))::json from tasks where id = $1`,
        [planted, late, late],
      )
      expect((await api.post(`/people/${a}/merge`, { intoId: b })).status).toBe(200)
      // However often the merge is looked at, it is not done before whoever cannot know of it.
      await until(
        () =>
          service.database.query(sql`select status from merges where merged_id = ${a}
        and due_at between merged_at + interval '1 second' and now() + interval '5 seconds'`),
        (looked) => looked.length > 0,
      )
      expect((await mergeOf(a)).status).toBe('settling')
      await client.query('commit')
      await until(
        () => ownersOf([planted, late]),
        (owners) => owners.every((owner) => owner === b),
      )
      await until(
        () => mergeOf(a),
        ({ status }) => status === 'done',
      )
      expect((await api.post(`/people/${a}/unmerge`)).status).toBe(200)
      expect(await ownersOf([planted, late])).toEqual([a, a])
    })
  })

  test('a large merge goes on where a killed process stopped, and so does its undoing', async () => {
    const [a, b] = [await person('A'), await person('B')]
    const tasks = await plantTasks(a, TASKS)
    await worker.stop()
    const program = await serveProgram({ DATABASE_URL: service.databaseUrl, PARLEY_SECRET: secret })
    const job = await service.database.withClient(async (holder) => {
      // A task in the middle waits until the process is gone, so that it cannot come to the end before.
      await holder.query(`create function wait_in_line() returns trigger language plpgsql as
        $$ begin if new.id = '${tasks[TASKS / 2]}' then perform pg_advisory_xact_lock(77); end if; return new; end $$;
        create trigger wait_in_line before update on tasks for each row execute function wait_in_line();
        select pg_advisory_lock(77)`)
      const asked = await api.post(`/people/${a}/merge`, { intoId: b })
      expect([asked.status, asked.body]).toMatchObject([202, { status: 'moving', mergedId: a, intoId: b }])
      // The id leads on at once, whatever has moved by now.
      expect((await api.get(`/people/${a}`)).body.id).toBe(b)
      expect((await api.post(`/people/${a}/merge`, { intoId: b })).status).toBe(202)
      await until(
        () => mergeOf(a),
        ({ moved }) => moved > 0,
      )
      program.signal('SIGKILL')
      await program.finished
      const { status, moved } = await mergeOf(a)
      expect(status).toBe('moving')
      expect(moved).toBeLessThan(TASKS)
      await holder.query('select pg_advisory_unlock(77)')
      return asked
    })
    // Its lease lapses.
    await service.database.query(sql`update merges set due_at = now()`)
    worker = await service.node({ PARLEY_ROLE: 'all' })
    await until(
      () => mergeOf(a),
      (merge) => merge.status === 'done',
    )
    expect(new Set(await ownersOf(tasks))).toEqual(new Set([b]))
    const path = `/people/${b}/merges/${job.body.id}`
    expect((await api.get(path)).body).toMatchObject({ status: 'done', moved: TASKS + 1 })

    const [changed = '', late] = [tasks[0], (await api.post('/tasks', { title: 'Late', personId: a })).body.id]
    const third = await person('Third')
    await api.patch(`/tasks/${changed}`, { personId: third })
    const undoing = await api.post(`/people/${a}/unmerge`)
    expect([undoing.status, undoing.body.status]).toEqual([202, 'moving_back'])
    expect((await api.get(`/people/${a}`)).body.id).toBe(a)
    expect((await api.post(`/people/${a}/merge`, { intoId: b })).body.error.details.reason).toBe('unmerge_under_way')
    await until(
      () => mergeOf(a),
      (merge) => merge.status === 'undone',
    )
    expect(new Set(await ownersOf(tasks.slice(1)))).toEqual(new Set([a]))
    expect(await ownersOf([changed, late])).toEqual([third, b])
  })

  test('a chain that is made while its first link still moves comes apart again link by link', async () => {
    const [a, b, c] = [await person('A'), await person('B'), await person('C')]
    const tasks = await plantTasks(a, 450)
    const ownedBy = (id: string) =>
      until(
        () => ownersOf(tasks),
        (owners) => owners.every((owner) => owner === id),
      )
    const settled = async (id: string, end: string) =>
      void (await until(
        () => mergeOf(id),
        ({ status }) => status === end,
      ))
    expect((await api.post(`/people/${a}/merge`, { intoId: b })).status).toBe(202)
    expect((await api.post(`/people/${b}/merge`, { intoId: c })).status).toBeOneOf([200, 202])
    await ownedBy(c)
    await Promise.all([settled(a, 'done'), settled(b, 'done')])
    await api.post(`/people/${b}/unmerge`)
    await settled(b, 'undone')
    await ownedBy(b)
    await api.post(`/people/${a}/unmerge`)
    await settled(a, 'undone')
    await ownedBy(a)
  })

  test('what it takes to undo goes when it is too late, and the old id still leads on', async () => {
    const [a, b] = [await person('A'), await person('B')]
    await plantTasks(a, 3)
    await api.post(`/people/${a}/merge`, { intoId: b })
    await until(
      () => mergeOf(a),
      ({ status }) => status === 'done',
    )
    const inAMonth = () => new Date(Date.now() + 31 * 24 * 60 * 60 * 1_000)
    const chores = retentionChores({ database: service.database, clock: inAMonth, days: 90 })
    const chore = chores.find(({ name }) => name === 'retention of merges')
    // Also of merges that were made before, once nobody who does not know of them is left.
    await until(
      async () => {
        for (let round = 0; round < 3; round++) await chore?.run()
        return service.database.query(sql`select 1 from moved_references`)
      },
      (left) => left.length === 0,
    )
    expect((await api.post(`/people/${a}/unmerge`)).body.error.details.reason).toBe('unmerge_too_late')
    expect((await api.get(`/people/${a}`)).body.id).toBe(b)
  })
})
