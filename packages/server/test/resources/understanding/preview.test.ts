// POST /extractions/preview: what the extractor would make of a conversation, over HTTP.
import { limits } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, type Service, startService } from '../../support/service.js'
import { talk } from '../../support/understanding/talk.js'

let service: Service
let reader: Client
beforeAll(async () => {
  service = await startService()
  reader = await service.keyOf(service.demo.id, 'sandbox', 'READ')
})
afterAll(() => service.stop())

const preview = (body: object, client = reader) => client.post('/extractions/preview', body)

test('shows mentions, facts, signals, the draft and a summary by the organization’s definitions', async () => {
  const { sandbox } = await service.organization('Tuned')
  await sandbox.post('/fact-definitions', {
    key: 'roof_age',
    valueType: 'number',
    subjectScope: 'work_record',
    hints: ['age of the roof', 'years old'],
  })
  await sandbox.post('/signal-definitions', { key: 'urgent', phrases: ['right away', 'emergency'] })
  const answer = await preview(
    {
      startedAt: '2026-03-02T15:00:00Z',
      timeZone: 'America/New_York',
      segments: talk(`
        A: How can I help?
        C: I need a roofer right away. The roof is 12 years old, can you come next Tuesday at 4:15 pm?`),
    },
    sandbox,
  )
  expect(answer.status).toBe(200)
  const { mentions, facts, signals, draft, summary } = answer.body
  expect(mentions).toContainEqual(
    expect.objectContaining({ kind: 'time', segmentIndex: 1, value: '16:15', quote: '4:15 pm' }),
  )
  const quoted = mentions.map(({ segmentIndex, start, end, quote }: never) => [segmentIndex, start, end, quote])
  for (const [, start, end, quote] of quoted)
    expect(
      'I need a roofer right away. The roof is 12 years old, can you come next Tuesday at 4:15 pm?'.slice(start, end),
    ).toBe(quote)
  expect(facts.map(({ key, value }: never) => [key, value])).toEqual(
    expect.arrayContaining([
      ['roof_age', 12],
      ['preferred_time', '16:15'],
    ]),
  )
  expect(signals).toEqual([
    expect.objectContaining({ kind: 'urgent', evidence: [expect.objectContaining({ quote: 'right away' })] }),
  ])
  expect(draft).toMatchObject({ canonicalKind: null, isComplete: true, missingFields: [] })
  expect(draft.title).toBe('A roofer right away')
  expect(summary).toBe(draft.summary)
})

test('stores nothing and tells nobody', async () => {
  const counts = async () => {
    const paths = ['facts', 'drafts', 'signals', 'signal-events', 'fact-definitions', 'calls', 'people', 'events']
    const lists = await Promise.all(paths.map((path) => service.api.get(`/${path}`)))
    return lists.map(({ body }) => body.data.length)
  }
  const before = await counts()
  await preview({ segments: talk('C: My name is Maria Lopez, I am at 18 Quay Street.') })
  expect(await counts()).toEqual(before)
})

test('reads national numbers by defaultCountry, else by the country of the organization’s numbers, else as US', async () => {
  const { sandbox } = await service.organization('Abroad')
  const phone = async (text: string) =>
    (await preview({ segments: [{ speaker: 'caller', text }] }, sandbox)).body.mentions[0]?.value
  expect(await phone('My number is 212-555-0142.')).toBe('+12125550142')
  await sandbox.post('/phone-numbers', { e164: '+493012345678' })
  expect(await phone('My number is 030 901820.')).toBe('+4930901820')
  await sandbox.patch('/organization', { settings: { defaultCountry: 'GB' } })
  expect(await phone('My number is 020 7946 0958.')).toBe('+442079460958')
})

test('days are reckoned in the time zone that is given, else in the organization’s', async () => {
  const day = async (body: object) =>
    (await preview({ ...body, segments: talk('C: Tomorrow please.') })).body.mentions[0].value
  const startedAt = '2026-03-02T23:30:00Z'
  expect(await day({ startedAt })).toBe('2026-03-03')
  expect(await day({ startedAt, timeZone: 'Europe/Berlin' })).toBe('2026-03-04')
})

test('refuses what is too much or makes no sense, naming it', async () => {
  const refused = async (body: object) => {
    const answer = await preview(body)
    expect(answer.status).toBe(400)
    return answer.body.error.details[0].path
  }
  const segment = { speaker: 'caller', text: 'hello' }
  expect(await refused({})).toBe('segments')
  expect(await refused({ segments: [{ speaker: 'caller' }] })).toBe('segments[0].text')
  expect(await refused({ segments: Array(limits.previewSegments + 1).fill(segment) })).toBe('segments')
  expect(await refused({ segments: Array(20).fill({ ...segment, text: 'x'.repeat(8_000) }) })).toBe('segments')
  expect(await refused({ segments: [segment], timeZone: 'Mars/Olympus' })).toBe('timeZone')
  expect(await refused({ segments: [segment], startedAt: 'yesterday' })).toBe('startedAt')
})

test('another tenant’s definitions are not used', async () => {
  const { sandbox } = await service.organization('Another')
  await sandbox.post('/fact-definitions', { key: 'secret_word', valueType: 'string', subjectScope: 'person' })
  const { body } = await preview({ segments: talk('C: The secret word is swordfish.') })
  expect(body.facts).toEqual([])
})
