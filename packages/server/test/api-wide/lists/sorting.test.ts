// Lists by time: in the order that is asked for, narrowed to a span, page after page without skipping or repeating a
// row.
import { beforeParameter, type Entity, entities, fieldsOf, fromParameter, takes, timeFields } from '@parley/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../../support/every-endpoint.js'
import { dereferenced, type Json } from '../../support/openapi-document.js'
import { plantOneOfEach } from '../../support/planted-records.js'
import { type Answer, type Client, type Service, startService } from '../../support/service.js'
import { until } from '../../support/until.js'

interface Task {
  id: string
  title: string
  dueAt: string | null
  updatedAt: string
}

let now = new Date('2026-05-01T12:00:00.000Z')
let service: Service
beforeAll(async () => {
  service = await startService({}, { clock: () => now })
})
afterAll(() => service.stop())

const day = (number: number, hour = 9) => new Date(Date.UTC(2026, 5, number, hour)).toISOString()
const makeTask = async (client: Client, values: object): Promise<Task> =>
  (await client.post('/tasks', { title: 'Ring back', ...values })).body

async function readAll<T = Task>(
  client: Client,
  path: string,
  limit: number,
  between: (page: number) => Promise<unknown> = async () => undefined,
): Promise<T[]> {
  const seen: T[] = []
  for (let page = 0, cursor = ''; ; page++) {
    const { status, body }: Answer = await client.get(`${path}&limit=${limit}${cursor}`)
    expect(status).toBe(200)
    seen.push(...body.data)
    if (body.pagination.nextCursor === null) return seen
    expect(body.data).toHaveLength(limit)
    cursor = `&cursor=${body.pagination.nextCursor}`
    await between(page)
  }
}

/** What `sort` promises, said once more in JavaScript: by value, then by id, and what has none comes last. */
function sorted<T extends { id: string }>(rows: readonly T[], field: keyof T, isDescending: boolean): T[] {
  const sign = isDescending ? -1 : 1
  return rows.toSorted((a, b) => {
    const [left, right] = [a[field], b[field]]
    if (left !== right && (left === null || right === null)) return left === null ? 1 : -1
    return sign * (left === right ? (a.id < b.id ? -1 : 1) : left < right ? -1 : 1)
  })
}

describe('sort', () => {
  test('by due date has what is due first in front, what is not due last in both directions, and ids between equals', async () => {
    const { sandbox } = await service.organization('Sorting')
    const all = await Promise.all(
      Array.from({ length: 23 }, (_, at) =>
        makeTask(sandbox, { dueAt: at % 4 === 0 ? null : day(1 + (at % 3)), priority: at % 2 ? 'high' : 'low' }),
      ),
    )
    for (const [sort, isDescending] of [
      ['dueAt', false],
      ['-dueAt', true],
    ] as const) {
      const expected = sorted(all, 'dueAt', isDescending).map(({ id }) => id)
      for (const limit of [1, 4, 5, 17, 100]) {
        expect((await readAll(sandbox, `/tasks?sort=${sort}`, limit)).map(({ id }) => id)).toEqual(expected)
        expect((await readAll(sandbox, `/tasks?sort=${sort}&q=ring`, limit)).map(({ id }) => id)).toEqual(expected)
        expect((await readAll(sandbox, `/tasks?sort=${sort}&status=open`, limit)).map(({ id }) => id)).toEqual(expected)
      }
      const dueSoon = sorted(
        all.filter(({ dueAt }) => dueAt !== null && dueAt >= day(2) && dueAt < day(3)),
        'dueAt',
        isDescending,
      )
      expect(await readAll(sandbox, `/tasks?sort=${sort}&dueAtFrom=${day(2)}&dueAtBefore=${day(3)}`, 2)).toEqual(
        dueSoon,
      )
      expect(await readAll(sandbox, `/tasks?sort=${sort}&dueAtFrom=${day(2)}&dueAtBefore=${day(3)}&q=ring`, 2)).toEqual(
        dueSoon,
      )
    }
  })

  test('visits each row exactly once, whatever is made, deleted and changed meanwhile', async () => {
    const { sandbox } = await service.organization('Busy sorting')
    const dueDays = fc.option(fc.integer({ min: 1, max: 4 }), { freq: 3 })
    const scripts = fc.record({
      rows: fc.array(dueDays, { maxLength: 20 }),
      limit: fc.integer({ min: 1, max: 6 }),
      late: fc.array(dueDays, { maxLength: 5 }),
      doomed: fc.array(fc.nat(), { maxLength: 4 }),
      touched: fc.array(fc.nat(), { maxLength: 4 }),
      sort: fc.constantFrom('dueAt', '-dueAt', 'createdAt', '-createdAt'),
      filter: fc.constantFrom(
        '',
        '&q=busy',
        '&status=open',
        '&q=busy&priority=normal',
        '&createdAtFrom=2020-01-01T00:00:00Z',
      ),
    })
    const due = (at: number | null) => ({ title: 'Busy', dueAt: at === null ? null : day(at) })
    await fc.assert(
      fc.asyncProperty(scripts, async ({ rows, limit, late, doomed, touched, sort, filter }) => {
        const steady = new Map(
          (await Promise.all(rows.map((at) => makeTask(sandbox, due(at))))).map((task) => [task.id, task]),
        )
        const ids = [...steady.keys()]
        const others: string[] = []
        const seen = await readAll(sandbox, `/tasks?sort=${sort}${filter}`, limit, async (page) => {
          const added = late[page]
          if (added !== undefined) others.push((await makeTask(sandbox, due(added))).id)
          const [gone, changed] = [doomed[page], touched[page]].map((at) =>
            at === undefined ? undefined : ids[at % ids.length],
          )
          if (gone && steady.delete(gone)) await sandbox.delete(`/tasks/${gone}`)
          // A change of anything but the field that the list is sorted by does not move a row.
          if (changed && steady.has(changed)) await sandbox.patch(`/tasks/${changed}`, { description: `page ${page}` })
        })
        const seenIds = seen.map(({ id }) => id)
        expect(new Set(seenIds).size).toBe(seenIds.length)
        expect([...steady.keys()].filter((id) => !seenIds.includes(id))).toEqual([])
        const field = sort.endsWith('dueAt') ? 'dueAt' : 'id'
        expect(seenIds).toEqual(sorted(seen, field, sort.startsWith('-')).map(({ id }) => id))
        await Promise.all([...steady.keys(), ...others].map((id) => sandbox.delete(`/tasks/${id}`)))
      }),
      { numRuns: 25 },
    )
  })

  test('reads on by index for common words, and takes rare ones from the index of words, with the same result', async () => {
    const { sandbox } = await service.organization('Rare words')
    const common = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        makeTask(sandbox, { title: `Common ${at}`, dueAt: at < 6 ? day(at + 1) : null }),
      ),
    )
    const rare = await Promise.all(
      [3, null, 1].map((at) => makeTask(sandbox, { title: 'Common rare', dueAt: at === null ? null : day(at) })),
    )
    expect(await readAll(sandbox, '/tasks?q=rare&sort=dueAt', 1)).toEqual(sorted(rare, 'dueAt', false))
    expect(await readAll(sandbox, '/tasks?q=rare&sort=-dueAt', 2)).toEqual(sorted(rare, 'dueAt', true))
    expect(await readAll(sandbox, '/tasks?q=common&sort=-dueAt', 4)).toEqual(
      sorted([...common, ...rare], 'dueAt', true),
    )
    expect(await readAll(sandbox, '/tasks?q=rare&sort=createdAt', 1)).toEqual(sorted(rare, 'id', false))
  })

  test('by updatedAt tells what changed since, oldest change first', async () => {
    const { sandbox } = await service.organization('Changed since')
    const before = now
    const tasks: Task[] = []
    for (let at = 0; at < 4; at++) tasks.push(await makeTask(sandbox, { title: `${at}` }))
    now = new Date(before.getTime() + 60_000)
    await sandbox.patch(`/tasks/${tasks[2]?.id}`, { title: 'later' })
    now = new Date(before.getTime() + 120_000)
    await sandbox.patch(`/tasks/${tasks[0]?.id}`, { title: 'last' })
    const changed = await readAll(
      sandbox,
      `/tasks?sort=updatedAt&updatedAtFrom=${new Date(before.getTime() + 60_000).toISOString()}`,
      1,
    )
    expect(changed.map(({ title }) => title)).toEqual(['later', 'last'])
    const all = await readAll(sandbox, '/tasks?sort=-updatedAt', 2)
    expect(all).toEqual(sorted(all, 'updatedAt', true))
    expect(all).toHaveLength(4)
    now = before
  })

  test('by occurredAt orders events by their times, also when the clock was set back', async () => {
    const { sandbox } = await service.organization('Events by time')
    const before = now
    for (const minutes of [0, 20, -20, 5]) {
      now = new Date(before.getTime() + minutes * 60_000)
      await makeTask(sandbox, { title: `${minutes}` })
    }
    now = new Date(before.getTime() + 30 * 60_000)
    await makeTask(sandbox, { title: 'last' })
    type Logged = { eventId: string; occurredAt: string }
    // An event is shown once no open transaction of the whole server could still come before it.
    const upward = await until(
      () => readAll<Logged>(sandbox, '/events?sort=occurredAt', 2),
      (events) => events.length === 5,
    )
    expect(upward.map(({ occurredAt }) => occurredAt)).toEqual(upward.map(({ occurredAt }) => occurredAt).toSorted())
    expect(await readAll(sandbox, '/events?sort=-occurredAt', 2)).toEqual(upward.toReversed())
    const cut = upward[4]?.occurredAt ?? ''
    expect(await readAll(sandbox, `/events?sort=occurredAt&occurredAtBefore=${cut}`, 3)).toEqual(upward.slice(0, 4))
    expect(await readAll(sandbox, `/events?occurredAtFrom=${cut}`, 3)).toEqual(upward.slice(4))
    expectRefusal(await sandbox.get(`/events?sort=occurredAt&after=${upward[0]?.eventId}`), 400, 'bad_request')
    now = before
  })

  test('keeps the tenants apart', async () => {
    const [one, other] = [await service.organization('One'), await service.organization('Other')]
    const mine = await makeTask(one.sandbox, { dueAt: day(1) })
    await makeTask(one.live, { dueAt: day(1) })
    await makeTask(other.sandbox, { dueAt: day(1) })
    for (const query of ['sort=dueAt', 'sort=-dueAt&q=ring', `dueAtFrom=${day(1)}`, 'sort=createdAt'])
      expect((await one.sandbox.get(`/tasks?${query}`)).body.data).toEqual([mine])
  })
})

describe('a cursor of a sorted list', () => {
  test('is good for its own order and span alone', async () => {
    const { sandbox } = await service.organization('Sorted cursors')
    for (let at = 1; at <= 3; at++) await makeTask(sandbox, { dueAt: day(at) })
    const next = async (query: string) =>
      (await sandbox.get(`/tasks?limit=1${query}`)).body.pagination.nextCursor as string
    const [plain, byDue] = [await next(''), await next('&sort=dueAt')]
    for (const [query, cursor] of [
      ['&sort=dueAt', plain],
      ['', byDue],
      ['&sort=-dueAt', byDue],
      ['&sort=createdAt', byDue],
      [`&sort=dueAt&dueAtFrom=${day(1)}`, byDue],
    ]) {
      const answer = await sandbox.get(`/tasks?limit=1${query}&cursor=${cursor}`)
      expectRefusal(answer, 400, 'bad_request')
      expect(answer.body.error.details[0].path).toBe('cursor')
    }
    // Counting is no other list, and neither is a longer page.
    expect((await sandbox.get(`/tasks?limit=2&sort=dueAt&count=true&cursor=${byDue}`)).body).toMatchObject({
      data: [{}, {}],
      pagination: { count: 3 },
    })
  })
})

describe('every entity', () => {
  const listed = entities.filter((entity) => takes(entity, 'list'))

  test('names its fields of time in /schema, and says them in OpenAPI', async () => {
    const { body: schema } = await service.api.get('/schema')
    const { body: openapi } = await service.api.get('/openapi.json')
    for (const entity of listed) {
      const fields = timeFields(entity)
      const described = schema.entities.find(({ slug }: { slug: string }) => slug === entity.slug)
      expect([entity.slug, described.sortFields, described.rangeFields]).toEqual([entity.slug, fields, fields])
      const parameters = (openapi.paths[`/${entity.slug}`].get.parameters as Json[]).map((one) =>
        dereferenced(openapi, one),
      )
      const byName = new Map(parameters.map(({ name, schema }) => [name, dereferenced(openapi, schema)]))
      expect(byName.get('sort')).toMatchObject({
        type: 'string',
        enum: [...fields, ...fields.map((field) => `-${field}`)],
      })
      for (const name of fields.flatMap((field) => [fromParameter(field), beforeParameter(field)]))
        expect([name, byName.get(name)]).toEqual([name, expect.objectContaining({ format: 'date-time' })])
    }
    expect(schema.entities.find(({ slug }: { slug: string }) => slug === 'work-records').sortFields).toEqual([
      'dueAt',
      'scheduledStart',
      'createdAt',
      'updatedAt',
    ])
  })

  test('is sorted and narrowed by each of them, and refuses others by name', async () => {
    const { sandbox } = await service.organization('Every entity')
    await plantOneOfEach(service, sandbox)
    const faults: string[] = []
    const check = async (entity: Entity, query: string, rows: (count: number) => boolean) => {
      const { status, body } = await sandbox.get(`/${entity.slug}?${query}`)
      if (status !== 200 || !rows(body.data.length))
        faults.push(`/${entity.slug}?${query}: ${status} with ${body.data?.length ?? JSON.stringify(body)}`)
    }
    for (const entity of listed) {
      for (const field of timeFields(entity)) {
        await check(entity, `sort=${field}`, (count) => count > 0)
        await check(entity, `sort=-${field}&q=zzzz`, (count) => count === 0)
        await check(entity, `sort=-${field}&${fromParameter(field)}=2999-01-01T00:00:00Z`, (count) => count === 0)
        await check(entity, `${beforeParameter(field)}=2001-01-01T00:00:00%2B02:00`, (count) => count === 0)
      }
      const answer = await sandbox.get(`/${entity.slug}?sort=title`)
      expectRefusal(answer, 400, 'bad_request')
      expect(answer.body.error.details[0]).toMatchObject({
        path: 'sort',
        message: expect.stringContaining('createdAt, updatedAt'),
      })
    }
    expect(faults).toEqual([])
    for (const [query, path] of [
      ['dueAtFrom=tomorrow', 'dueAtFrom'],
      ['startAtFrom=2026-01-01T00:00:00Z', 'startAtFrom'],
      ['sort=', 'sort'],
      ['sort=dueAt,createdAt', 'sort'],
      ['sort=--dueAt', 'sort'],
      ['sort=dueAt&sort=dueAt', 'sort'],
    ]) {
      const answer = await sandbox.get(`/tasks?${query}`)
      expectRefusal(answer, 400, 'bad_request')
      expect(answer.body.error.details[0].path).toBe(path)
    }
  })

  test('and what is no entity is sorted where it has records', async () => {
    const { sandbox } = await service.organization('Hooks')
    const made = []
    for (const path of ['one', 'two'])
      made.push((await sandbox.post('/webhooks', { url: `https://example.com/${path}` })).body.id)
    const ids = async (query: string) => (await sandbox.get(query)).body.data.map(({ id }: { id: string }) => id)
    expect(await ids('/webhooks?sort=createdAt')).toEqual(made)
    expect(await ids('/webhooks?sort=-updatedAt&includeRevoked=true')).toEqual(made.toReversed())
    expect(await ids('/webhooks?updatedAtBefore=2001-01-01T00:00:00Z')).toEqual([])
    expect(
      (await sandbox.get('/voicemails?source=calls&sort=createdAt&updatedAtFrom=2001-01-01T00:00:00Z')).status,
    ).toBe(200)
  })

  test('stores instants in the one form that sorts as text, whatever was sent', async () => {
    const { sandbox } = await service.organization('Normal times')
    const forms = [
      '2026-06-03T01:00:00+02:00',
      '2026-06-02t22:59:59.9999Z',
      '2026-06-02T22:00:00Z',
      '0001-01-02T00:00:00Z',
      '9999-12-30T23:00:00-00:30',
    ]
    await Promise.all(forms.map((dueAt) => makeTask(sandbox, { dueAt })))
    const { data } = (await sandbox.get('/tasks?sort=dueAt')).body as { data: Task[] }
    expect(data.map(({ dueAt }) => dueAt)).toEqual(
      forms.map((form) => new Date(form.toUpperCase()).toISOString()).toSorted(),
    )
    const instants = listed.flatMap((entity) =>
      entity.times.map((field) => (fieldsOf(entity)[field] as { format?: string }).format),
    )
    expect(new Set(instants)).toEqual(new Set(['date-time']))
  })
})
