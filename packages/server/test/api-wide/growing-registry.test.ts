// An entity that grows: a field, a filter and an enum value are added to a copy of the registry, over records that were
// written before.
import { defaultSettings, equal, nullable, oneOf, type Row, tasks, text, withDefault } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import type { Endpoint } from '../../src/http/endpoint.js'
import { crud } from '../../src/resources/generic/crud.js'
import { invokeEndpoint } from '../../src/resources/generic/invoke-endpoint.js'
import { tableIndexes } from '../../src/store/entity-ddl.js'
import { ListReader } from '../../src/store/list-reader.js'
import { writeShapes } from '../../src/store/record-text.js'
import { committing } from '../support/committing.js'
import { tenantOf } from '../support/events.js'
import { type Service, startService } from '../support/service.js'

const grown = {
  ...tasks,
  fields: {
    ...tasks.fields,
    priority: oneOf(['normal', 'low', 'high', 'urgent', 'someday'], 'normal'),
    mood: withDefault(oneOf(['calm', 'angry']), 'calm'),
    room: nullable(text()),
  },
  filters: {
    ...tasks.filters,
    mood: { ...equal('mood')['mood'], field: 'mood', op: '=' as const, byExpression: true as const },
  },
}
type Grown = Row<typeof grown>
const verbs = crud(grown)

let service: Service
let read: ListReader
let old: { id: string; version: number }
beforeAll(async () => {
  service = await startService()
  old = (await service.api.post('/tasks', { title: 'Older than its fields' })).body
  read = new ListReader(service.database, await tenantOf(service, service.api))
  await service.database.withClient((client) => writeShapes(client, [grown]))
  const index = tableIndexes(grown).find(({ name }) => name === 'tasks_mood')
  await service.database.withClient((client) =>
    client.query(`create index concurrently if not exists ${index?.name} on tasks ${index?.definition}`),
  )
})
afterAll(() => service.stop())

async function write(
  endpoint: Endpoint,
  params: Record<string, string>,
  body: Record<string, unknown>,
): Promise<Grown & { error?: unknown }> {
  const caller = {
    tenantId: read.tenantId,
    organizationId: service.demo.id,
    organizationName: 'Demo',
    environment: 'sandbox' as const,
    scope: 'ADMIN' as const,
    actor: { type: 'system' as const, id: read.tenantId },
    settings: defaultSettings,
  }
  const parts = {
    ...committing(service.database),
    clock: () => new Date(),
    onCommit: () => {},
    services: {} as never,
  }
  const answer = await invokeEndpoint(parts, caller, 'growing', { endpoint, params, body })
  return JSON.parse(answer.body ?? 'null')
}

const complete = { mood: 'calm', room: null }

describe('a record that was written before', () => {
  test('is read with the defaults of its new fields, in every way', async () => {
    expect(await read.get(grown, old.id)).toMatchObject(complete)
    expect(await read.find(grown, { mood: 'calm' })).toMatchObject([{ id: old.id, ...complete }])
    const listed = await read.list(grown, { limit: 10 })
    expect(JSON.parse(listed[0]?.text ?? '')).toMatchObject({ id: old.id, ...complete })
    const joined = await read.joined(grown, { limit: 10 })
    expect(JSON.parse(`[${joined.text}]`)[0]).toMatchObject({ id: old.id, ...complete })
    const found = await read.list(grown, { q: 'older', limit: 10 })
    expect(JSON.parse(found[0]?.text ?? '')).toMatchObject({ id: old.id, ...complete })
    const sorted = await read.list(grown, { order: { field: 'updatedAt', isDescending: false }, limit: 10 })
    expect(JSON.parse(sorted[0]?.text ?? '')).toMatchObject(complete)
  })

  test('is found by a filter on a field that it lacks, from the index', async () => {
    const conditions = [{ field: 'mood', op: '=' as const, value: 'calm' }]
    expect((await read.list(grown, { conditions, limit: 10 })).map(({ id }) => id)).toEqual([old.id])
    expect(
      await read.list(grown, { conditions: [{ field: 'mood', op: '=' as const, value: 'angry' }], limit: 10 }),
    ).toEqual([])
    const [indexes] = await service.database.query<{ count: number }>(
      sql`select count(*)::int as count from pg_indexes where indexname = 'tasks_mood' and indexdef like '%COALESCE%'`,
    )
    expect(indexes?.count).toBe(1)
  })

  test('stays as it is when it is sent back whole, and is stored complete when it is next written', async () => {
    const before = await read.get(grown, old.id)
    expect(await write(verbs.patch, { id: old.id }, { ...before })).toEqual(before)
    expect(await stored()).not.toHaveProperty('mood')
    const after = await write(verbs.patch, { id: old.id }, { priority: 'someday' })
    expect(after).toMatchObject({ ...complete, priority: 'someday', version: 2 })
    expect(await stored()).toMatchObject(complete)
  })

  async function stored(): Promise<unknown> {
    return (await service.database.query<{ record: unknown }>(sql`select record from tasks where id = ${old.id}`))[0]
      ?.record
  }
})

test('the version before lives with records of the new one', async () => {
  const made = await write(verbs.create, {}, { title: 'Newer', mood: 'angry' })
  expect((await service.api.get(`/tasks/${made.id}`)).body).toMatchObject({ title: 'Newer', mood: 'angry' })
  const patched = await service.api.patch(`/tasks/${made.id}`, { title: 'Changed by the old version' })
  expect(patched.status).toBe(200)
  expect(await read.get(grown, made.id)).toMatchObject({
    title: 'Changed by the old version',
    mood: 'angry',
    room: null,
  })
})
