// Pages of large records end before they are large themselves, whatever the list; with the cursor, everything comes
// once and in order.
import { limits } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, type Service, startService } from '../../support/service.js'
import { until } from '../../support/until.js'

const NOTES = 90
let service: Service
let personId: string
beforeAll(async () => {
  service = await startService()
  const { api } = service
  personId = (await api.post('/people', { firstName: 'Ada' })).body.id
  const note = { body: `needle ${'語'.repeat(19_000)}`, subjectType: 'person', subjectId: personId }
  for (let made = 0; made < NOTES; made += 10)
    await Promise.all(Array.from({ length: 10 }, () => api.post('/notes', note)))
  // The log shows an event once no open transaction of the whole server could still come before it.
  const logged = async () => (await api.get('/events?type=note.added&limit=1&count=true')).body.pagination.count
  await until(logged, (count) => count === NOTES)
})
afterAll(() => service.stop())

const idOf = (item: any): string => item.id ?? item.eventId

/** Every page of a list; each but the last is shorter than asked for, or full. */
async function pagesOf(path: string): Promise<{ ids: string[]; bytes: number }[]> {
  const pages: { ids: string[]; bytes: number }[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body, text }: Answer = await service.api.get(`${path}limit=100${cursor && `&cursor=${cursor}`}`)
    expect(status).toBe(200)
    expect(body.data.length).toBeGreaterThan(0)
    pages.push({ ids: body.data.map(idOf), bytes: Buffer.byteLength(text) })
    cursor = body.pagination.nextCursor
  }
  return pages
}

const oneRecord = 100_000

test.each([
  ['a plain list', async () => '/notes?'],
  ['a filtered list', async () => `/notes?subjectId=${personId}&`],
  ['a search', async () => '/notes?q=needle&'],
  ['events, newest first', async () => '/events?type=note.added&'],
  [
    'events past another, oldest first',
    async () => `/events?after=${(await service.api.get('/events?type=person.created')).body.data[0].eventId}&`,
  ],
])('%s', async (_, pathOf) => {
  const path = await pathOf()
  const pages = await pagesOf(path)
  const ids = pages.flatMap((page) => page.ids)
  expect(pages.length).toBeGreaterThanOrEqual(2)
  for (const { bytes } of pages) expect(bytes).toBeLessThan(limits.pageBytes + oneRecord)
  expect(pages[0]?.bytes).toBeGreaterThan(limits.pageBytes - oneRecord)
  expect([ids.length, new Set(ids).size]).toEqual([NOTES, NOTES])
  if (path.startsWith('/notes')) expect(ids).toEqual([...ids].sort().reverse())
})

test.each(['/people', '/notes?limit=1', '/notes?limit=3'])(
  '%s, asked for by many at once, goes to each with its own request id',
  async (path) => {
    const { data } = (await service.api.get(path)).body
    const ids = Array.from({ length: 6 }, (_, index) => `at-once-${index}`)
    const ask = (id: string, index: number) =>
      service.api.get(path, { 'x-request-id': id, 'accept-encoding': index % 2 === 0 ? 'identity' : 'gzip' })
    const answers = await Promise.all(ids.map(ask))
    expect(answers.map(({ body }) => body.meta.requestId)).toEqual(ids)
    for (const { text, body, headers } of answers) {
      expect(body.data).toEqual(data)
      expect(headers.get('content-length') ?? String(Buffer.byteLength(text))).toBe(String(Buffer.byteLength(text)))
    }
  },
)

test('deliveries with their payloads', async () => {
  const { api } = service
  const { body: webhook } = await api.post('/webhooks', {
    name: 'Nobody',
    url: 'https://example.com/hook',
    eventTypes: ['note.added'],
  })
  const note = { body: '語'.repeat(19_000), subjectType: 'person', subjectId: personId }
  for (let made = 0; made < NOTES; made += 10)
    await Promise.all(Array.from({ length: 10 }, () => api.post('/notes', note)))
  const pages = await pagesOf(`/webhooks/${webhook.id}/deliveries?expand=payload,attempts&`)
  expect(pages.length).toBeGreaterThanOrEqual(2)
  for (const { bytes } of pages) expect(bytes).toBeLessThan(limits.pageBytes + oneRecord)
  const ids = pages.flatMap((page) => page.ids)
  expect([ids.length, new Set(ids).size]).toEqual([NOTES, NOTES])
  const [first] = (await api.get(`/webhooks/${webhook.id}/deliveries?expand=payload&limit=1`)).body.data
  expect(first.payload.data.note.body).toBe(note.body)
  expect((await api.get(`/webhooks/${webhook.id}/deliveries?limit=100`)).body.data).toHaveLength(NOTES)
})
