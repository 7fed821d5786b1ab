// Search over everything: what is found, how a hit shows why, and that nothing of others is.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { bestSnippet } from '../../../src/resources/overview/snippet.js'
import { expectRefusal } from '../../support/every-endpoint.js'
import { type Answer, type Client, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

interface Hit {
  readonly entityType: string
  readonly id: string
  readonly title: string
  readonly snippet: { text: string; marks: [number, number][] }
}

const make = async (path: string, body: object): Promise<any> => {
  const answer = await api.post(path, body)
  expect([200, 201], answer.text).toContain(answer.status)
  return answer.body
}
const hits = async (q: string, more = '', client = api): Promise<Hit[]> =>
  (await client.get(`/search?q=${encodeURIComponent(q)}${more}`)).body.data
const marked = ({ snippet: { text, marks } }: Hit) => marks.map(([start, end]) => text.slice(start, end))

test('finds people, customers, work, calls, messages and facts, each with a title and what was found', async () => {
  const person = await make('/people', { displayName: 'Zoë Quetzal', primaryPhone: '+15550109001' })
  const customer = await make('/customers', { displayName: 'Quetzal Brothers' })
  const work = await make('/work-records', { title: 'Quetzal cage', canonicalKind: 'job', customerId: customer.id })
  const call = await make('/calls', { direction: 'inbound', from: '+15550109001', to: '+15550100100' })
  await make(`/calls/${call.id}/end`, { summary: 'A quetzal has escaped through the window', duration: 5 })
  const text = await make('/sms/inbound', { from: '+15550109001', to: '+15550100100', body: 'The quetzal is back' })
  const fact = await make('/facts', { subjectType: 'person', subjectId: person.id, key: 'bird', value: 'a quetzal' })
  const found = await hits('quetz')
  const message = (await api.get(`/messages?q=quetzal&channel=sms`)).body.data[0]
  expect(found.map(({ entityType, id }) => `${entityType} ${id}`)).toEqual([
    `person ${person.id}`,
    `customer ${customer.id}`,
    `work_record ${work.id}`,
    `call ${call.id}`,
    `message ${message.id}`,
    `fact ${fact.id}`,
  ])
  for (const hit of found)
    expect(
      marked(hit).map((word) => word.toLowerCase()),
      hit.entityType,
    ).toContain('quetzal')
  expect(found.map(({ title }) => title)).toEqual([
    'Zoë Quetzal',
    'Quetzal Brothers',
    `${work.number} Quetzal cage`,
    '+15550109001',
    '+15550109001',
    'Bird',
  ])
  expect(text.body).toBe('The quetzal is back')
  expect((await hits('zoe QUET')).map(({ id }) => id)).toContain(person.id)
  expect(await hits('quetzal nosuchword')).toEqual([])
  expect(await hits('!!!')).toEqual([])
  expect(await hits('  ')).toEqual([])
  expectRefusal(await api.get('/search'), 400, 'bad_request')
  expectRefusal(await api.get('/search?q=a&types=dog'), 400, 'bad_request')
})

test('finds a call by what was said in it, a few seconds later, also by what is said on', async () => {
  const call = await make('/calls', { direction: 'inbound', from: '+15550109002', to: '+15550100100' })
  const say = (sequence: number, words: string) =>
    api.post(`/calls/${call.id}/segments`, {
      segments: [{ sequence, speaker: 'caller', text: words, startMs: sequence * 1_000 }],
    })
  await say(0, 'Good morning')
  await say(1, 'My axolotl has turned green')
  const ids = async (q: string) => (await hits(q)).map(({ id }) => id)
  await expect.poll(() => ids('axolotl')).toEqual([call.id])
  const [hit] = await hits('axolotl green')
  expect(hit?.snippet.text).toBe('My axolotl has turned green')
  expect(marked(hit as Hit)).toEqual(['axolotl', 'green'])
  await say(2, 'and eats nothing but marzipan')
  await expect.poll(() => ids('marzipan')).toEqual([call.id])
  expect(await ids('axolotl marzipan')).toEqual([call.id])
  const due = () => service.database.query(sql`select count(*)::int as calls from transcripts_due`)
  await expect.poll(due).toEqual([{ calls: 0 }])
})

test('gives five of a type, and one type alone in pages that neither skip nor repeat', async () => {
  for (let count = 0; count < 12; count++) await make('/tasks', { title: 'x' })
  const made: string[] = []
  for (let count = 0; count < 12; count++) made.unshift((await make('/people', { displayName: `Ocelot ${count}` })).id)
  expect((await hits('ocelot')).map(({ id }) => id)).toEqual(made.slice(0, 5))
  const paged: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: Answer = await api.get(`/search?q=ocelot&types=person&limit=5${cursor && `&cursor=${cursor}`}`)
    paged.push(...body.data.map(({ id }: Hit) => id))
    cursor = body.pagination.nextCursor
  }
  expect(paged).toEqual(made)
})

test('shows nothing of another tenant, nor what was deleted', async () => {
  const person = await make('/people', { displayName: 'Pangolin' })
  expect(await hits('pangolin', '', service.demo.live)).toEqual([])
  expect(await hits('pangolin', '', (await service.organization('Other')).sandbox)).toEqual([])
  expect(await hits('pangolin')).toHaveLength(1)
  await api.delete(`/people/${person.id}`)
  expect(await hits('pangolin')).toEqual([])
})

test('a snippet is plain text around the first word, with marks that fit it', () => {
  const long = `${'before '.repeat(60)}the <b>Näedle</b>\nin a haystack ${'after '.repeat(60)}`
  const { text, marks } = bestSnippet([null, 'nothing here', long], ['naedle'])
  expect(text.length).toBeLessThanOrEqual(160)
  expect(text).not.toMatch(/\n/)
  expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['Näedle'])
  expect(bestSnippet([], ['x'])).toEqual({ text: '', marks: [] })
  expect(bestSnippet(['short'], ['x'])).toEqual({ text: 'short', marks: [] })
  const emoji = bestSnippet([`${'😀'.repeat(200)} needle`], ['needle'])
  expect(emoji.text.isWellFormed()).toBe(true)
  expect(emoji.marks.map(([start, end]) => emoji.text.slice(start, end))).toEqual(['needle'])
})
