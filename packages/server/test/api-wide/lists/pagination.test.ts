// Pages: their order, their limits, and cursors that work for the one list they were made for and for no other.
import { entities, takes } from '@parley/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../../src/resources/index.js'
import { makeCursor, readCursor } from '../../../src/store/cursor.js'
import { createSealer } from '../../../src/store/secret-box.js'
import { nobodysId } from '../../support/endpoint-requests.js'
import { expectOfEach, expectRefusal } from '../../support/every-endpoint.js'
import { type Answer, type Client, type Service, startService } from '../../support/service.js'

/** The clock stands still, so that all records have the same time and only their ids tell them apart. */
const standing = new Date('2026-05-01T12:00:00.000Z')
let now = standing
let service: Service
beforeAll(async () => {
  service = await startService({}, { clock: () => now })
})
afterAll(() => service.stop())

const makeTask = async (client: Client, title = 'x') => (await client.post('/tasks', { title })).body.id as string

async function readAll(
  client: Client,
  path: string,
  limit: number,
  between: (page: number) => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | null = null
  for (let page = 0; ; page++) {
    const join = path.includes('?') ? '&' : '?'
    const { body }: Answer = await client.get(
      `${path}${join}limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`,
    )
    expect(body.data.length).toBeLessThanOrEqual(limit)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.pagination.nextCursor
    if (cursor === null) return seen
    expect(body.data).toHaveLength(limit)
    await between(page)
  }
}

test('a page ends where its last record does, whatever letters it is written in', async () => {
  const client = (await service.organization('Letters')).sandbox
  const titles = ['plain', 'größer', '語を書く', 'a fox 🦊', '🦊🦊', 'plain again']
  for (const title of titles) await makeTask(client, title)
  for (const limit of [1, 2, 4, 5]) {
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: Answer = await client.get(`/tasks?limit=${limit}${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.data.map(({ title }: { title: string }) => title))
      cursor = body.pagination.nextCursor
    }
    expect(seen).toEqual(titles.toReversed())
  }
})

describe('a page', () => {
  test('of every list has the one envelope, and its limit from 1 to 100, 50 by default', async () => {
    const paged = endpoints.filter(
      ({ method, query }) => method === 'GET' && query !== undefined && 'cursor' in query && 'limit' in query,
    )
    expect(paged.length).toBeGreaterThanOrEqual(entities.filter((entity) => takes(entity, 'list')).length - 1)
    await expectOfEach(
      paged.filter(({ path }) => !path.includes('{') && path !== '/search'),
      async ({ path }) => {
        // What was asked here fills the log of requests, a moment later.
        const isFull = path === '/request-log'
        if (isFull)
          await expect.poll(async () => (await service.api.get(path)).body.pagination.nextCursor).not.toBeNull()
        const { status, body, headers } = await service.api.get(path)
        expect([status, Object.keys(body)]).toEqual([200, ['data', 'pagination', 'meta']])
        expect(body.pagination).toEqual({ limit: 50, nextCursor: isFull ? expect.any(String) : null })
        expect(body.meta).toEqual({ requestId: headers.get('x-request-id') })
        expect((await service.api.get(`${path}?limit=100`)).body.pagination.limit).toBe(100)
        expect((await service.api.get(`${path}?limit=1`)).body.data.length).toBeLessThanOrEqual(1)
        for (const limit of ['0', '101', '-1', '1.5', '', 'ten', '1e1', '0x10', ' 5', '5 ', '٣', '1&limit=2']) {
          const answer = await service.api.get(`${path}?limit=${encodeURI(limit)}`)
          expectRefusal(answer, 400, 'bad_request')
          expect(answer.body.error.details[0].path).toBe('limit')
        }
      },
    )
  })

  test('begins with the newest; the last one has no cursor, even when it is full', async () => {
    const { sandbox } = await service.organization('Ordered')
    expect((await sandbox.get('/tasks')).body).toMatchObject({ data: [], pagination: { limit: 50, nextCursor: null } })
    const ids = []
    for (let row = 0; row < 6; row++) ids.push(await makeTask(sandbox))
    expect(await readAll(sandbox, '/tasks', 3)).toEqual(ids.toReversed())
    expect(await readAll(sandbox, '/tasks', 4)).toEqual(ids.toReversed())
    expect((await sandbox.get('/tasks?limit=6')).body.pagination.nextCursor).toBeNull()
    const { data } = (await sandbox.get('/tasks')).body
    expect(new Set(data.map(({ createdAt }: { createdAt: string }) => createdAt))).toEqual(
      new Set([standing.toISOString()]),
    )
  })
})

test('paging visits each row exactly once, whatever is made and deleted meanwhile, with all times equal', async () => {
  const { sandbox } = await service.organization('Busy')
  const scripts = fc.record({
    rows: fc.integer({ min: 0, max: 25 }),
    limit: fc.integer({ min: 1, max: 7 }),
    inserts: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 6 }),
    deletes: fc.array(fc.nat(), { maxLength: 6 }),
    filter: fc.constantFrom(
      '',
      '?status=open',
      '?q=busy',
      '?createdSince=2020-01-01T00:00:00Z',
      '?q=busy&priority=normal',
    ),
  })
  await fc.assert(
    fc.asyncProperty(scripts, async ({ rows, limit, inserts, deletes, filter }) => {
      const steady = new Set(await Promise.all(Array.from({ length: rows }, () => makeTask(sandbox, 'Busy'))))
      const all = [...steady]
      const late: string[] = []
      const seen = await readAll(sandbox, `/tasks${filter}`, limit, async (page) => {
        const doomed = all[(deletes[page] ?? 0) % Math.max(1, all.length)]
        await Promise.all([
          ...Array.from({ length: inserts[page] ?? 0 }, async () => late.push(await makeTask(sandbox, 'Busy'))),
          deletes[page] !== undefined && doomed !== undefined && steady.delete(doomed)
            ? sandbox.delete(`/tasks/${doomed}`)
            : undefined,
        ])
      })
      expect(new Set(seen).size).toBe(seen.length)
      expect([...steady].filter((id) => !seen.includes(id))).toEqual([])
      expect(seen).toEqual(seen.toSorted().toReversed())
      await Promise.all([...steady, ...late].map((id) => sandbox.delete(`/tasks/${id}`)))
    }),
    { numRuns: 15 },
  )
})

describe('a cursor', () => {
  const sealer = createSealer('a secret of sixteen and more')
  const lists = fc.string({ unit: 'binary', maxLength: 60 })
  const instants = fc
    .date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') })
    .map((date) => date.toISOString())
  const places = fc.record({ id: fc.uuid(), value: fc.option(instants) })

  test('gives back the place it was made of, for its own list, and only the one spelling of it', () => {
    fc.assert(
      fc.property(lists, places, (list, place) => {
        const cursor = makeCursor(sealer, list, place)
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(readCursor(sealer, list, cursor)).toEqual(place)
        for (const other of [
          `${cursor}=`,
          `${cursor}A`,
          cursor.slice(0, -1),
          ` ${cursor}`,
          cursor.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
        ]) {
          expect(readCursor(sealer, list, other)).toBeUndefined()
        }
      }),
    )
  })

  test('is refused for another list, by another secret, and with any bit changed', () => {
    const other = createSealer('another secret of sixteen')
    fc.assert(
      fc.property(lists, lists, places, fc.nat({ max: 56 * 8 - 1 }), (list, foreign, place, bit) => {
        const cursor = makeCursor(sealer, list, place)
        if (foreign !== list) expect(readCursor(sealer, foreign, cursor)).toBeUndefined()
        expect(readCursor(other, list, cursor)).toBeUndefined()
        const bytes = Buffer.from(cursor, 'base64url')
        const at = (bit >> 3) % bytes.length
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (bit & 7)), at)
        expect(readCursor(sealer, list, bytes.toString('base64url'))).toBeUndefined()
      }),
    )
  })

  test('of any text that we did not make is refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.base64String(), fc.uuid()),
        (text) => readCursor(sealer, 'list', text) === undefined,
      ),
    )
  })

  test('over HTTP is good for one tenant, one path and one set of filters; the limit may change', async () => {
    const { sandbox, live } = await service.organization('Foreign cursors')
    for (const client of [sandbox, live]) for (let row = 0; row < 3; row++) await makeTask(client)
    for (let row = 0; row < 3; row++)
      await sandbox.post('/notes', { body: 'x', subjectType: 'person', subjectId: nobodysId })
    const cursorOf = async (path: string) => (await sandbox.get(path)).body.pagination.nextCursor as string
    const cursor = await cursorOf('/tasks?limit=1')
    expect((await sandbox.get(`/tasks?limit=2&cursor=${cursor}`)).body.data).toHaveLength(2)
    for (const answer of [
      await sandbox.get(`/notes?cursor=${cursor}`),
      await sandbox.get(`/deleted-records?cursor=${cursor}`),
      await sandbox.get(`/tasks?status=open&cursor=${cursor}`),
      await sandbox.get(`/tasks?q=x&cursor=${cursor}`),
      await sandbox.get(`/tasks?createdSince=2020-01-01T00:00:00Z&cursor=${cursor}`),
      await sandbox.get(`/tasks?status=done&cursor=${await cursorOf('/tasks?limit=1&status=open')}`),
      await live.get(`/tasks?cursor=${cursor}`),
      await service.api.get(`/tasks?cursor=${cursor}`),
      await sandbox.get('/tasks?cursor='),
      await sandbox.get('/tasks?cursor=null'),
      await sandbox.get(`/tasks?cursor=${cursor}&cursor=${cursor}`),
      await sandbox.get(`/tasks?cursor=${'A'.repeat(5_000)}`),
    ]) {
      expectRefusal(answer, 400, 'bad_request')
      expect(answer.body.error.details[0].path).toBe('cursor')
    }
  })

  test('outlives the row it points to', async () => {
    const { sandbox } = await service.organization('Gone rows')
    const ids = []
    for (let row = 0; row < 4; row++) ids.push(await makeTask(sandbox))
    const first = (await sandbox.get('/tasks?limit=2')).body
    await sandbox.delete(`/tasks/${ids[2]}`)
    expect(
      (await sandbox.get(`/tasks?limit=2&cursor=${first.pagination.nextCursor}`)).body.data.map(
        ({ id }: { id: string }) => id,
      ),
    ).toEqual([ids[1], ids[0]])
  })
})

test('a clock that is set back does not split the order of ids and times', async () => {
  const { sandbox } = await service.organization('Set back')
  const made = []
  for (const minutes of [0, -30, -45, 5, -10]) {
    now = new Date(standing.getTime() + minutes * 60_000)
    made.push((await sandbox.post('/tasks', { title: 'x' })).body)
  }
  now = standing
  const { data } = (await sandbox.get('/tasks')).body
  expect(data).toEqual(made.toReversed())
  for (const { id, createdAt, updatedAt } of made) {
    expect(createdAt).toBe(new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString())
    expect(updatedAt >= createdAt).toBe(true)
  }
  const { body: changed } = await sandbox.patch(`/tasks/${made[3].id}`, { title: 'y' })
  expect(changed.updatedAt >= changed.createdAt).toBe(true)
})

describe('search', () => {
  test('finds every word as a prefix, whatever the case, accents and marks between', async () => {
    const { sandbox } = await service.organization('Searching')
    const titles = [
      'Ring Mrs. O’Brien about the Façade',
      'WR-000123 boiler',
      'Call +1 (555) 010-0200',
      'Łódź über straße',
      '東京都の件',
    ]
    const ids = new Map<string, string>()
    for (const title of titles) ids.set(title, await makeTask(sandbox, title))
    const found = async (q: string) =>
      (await sandbox.get(`/tasks?q=${encodeURIComponent(q)}`)).body.data.map(
        ({ id }: { id: string }) => titles[[...ids.values()].indexOf(id)],
      )
    expect(await found("o'brien FACADE")).toEqual([titles[0]])
    expect(await found('facadé bri rin')).toEqual([titles[0]])
    expect(await found('wr-000123')).toEqual([titles[1]])
    expect(await found('+1 (555) 010')).toEqual([titles[2]])
    expect(await found('lodz UBER strasse')).toEqual([titles[3]])
    expect(await found('京都')).toEqual([titles[4]])
    expect(await found('brien boiler')).toEqual([])
    expect(await found('rien')).toEqual([])
    expect(await found("';--")).toEqual([])
    expect(await found('   ')).toHaveLength(titles.length)
    expect(await found('')).toHaveLength(titles.length)
    expect((await sandbox.get(`/tasks?q=${'x'.repeat(200)}`)).status).toBe(200)
    expect((await sandbox.get(`/tasks?q=${encodeURIComponent('😀'.repeat(200))}`)).status).toBe(200)
    expectRefusal(await sandbox.get(`/tasks?q=${'x'.repeat(201)}`), 400, 'bad_request')
  })

  test('follows a change and a deletion', async () => {
    const { sandbox } = await service.organization('Changing')
    const id = await makeTask(sandbox, 'Before')
    await sandbox.patch(`/tasks/${id}`, { title: 'After' })
    expect((await sandbox.get('/tasks?q=before')).body.data).toEqual([])
    expect((await sandbox.get('/tasks?q=after')).body.data).toHaveLength(1)
    await sandbox.delete(`/tasks/${id}`)
    expect((await sandbox.get('/tasks?q=after')).body.data).toEqual([])
  })
})
