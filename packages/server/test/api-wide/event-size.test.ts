// Every event has a bound. One that would be larger is still told: without its largest parts, which it names, in the
// shape that its type promises.
import { randomUUID } from 'node:crypto'
import {
  annotationsOf,
  type EventType,
  eventBody,
  events,
  eventTypes,
  isNullable,
  limits,
  sampleEvent,
  typeOf,
} from '@parley/contract'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EventHead, eventText, eventWriter } from '../../src/store/event-text.js'
import '../../src/http/wire-formats.js'
import { propertiesOf } from '../support/endpoint-requests.js'
import { eventsOf } from '../support/events.js'
import type { Service } from '../support/service.js'
import { ok, subscriber } from '../support/webhooks/sending.js'
import { startSending, subscribe, until } from '../support/webhooks/webhooks.js'

let service: Service
beforeAll(async () => {
  service = await startSending()
})
afterAll(() => service.stop())

const KiB = 1_024

/**
 * The largest value that a field may have, or nearly: text that takes six bytes a character, free-form objects as large
 * as they may be.
 */
function inflated(schema: TSchema, sample: unknown): unknown {
  const { 'x-free-form': isFree, enum: values, format } = annotationsOf(schema)
  const {
    maxLength = 255,
    pattern,
    items = {},
    maxItems = 100,
  } = schema as { maxLength?: number; pattern?: string; items?: TSchema; maxItems?: number }
  if (isFree) return { text: 'x'.repeat(limits.freeFormBytes - 20) }
  if (values || format || (pattern !== undefined && pattern !== '\\S')) return sample
  if (typeOf(schema) === 'string') return '\u0001'.repeat(maxLength)
  if (typeOf(schema) === 'array')
    return Array.from({ length: Math.min(maxItems, 2) }, () =>
      inflated(items, (sample as unknown[])?.[0] ?? fallback(items)),
    )
  if (typeOf(schema) !== 'object') return sample
  const known = (sample ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(propertiesOf(schema)).map(([name, one]) => [name, inflated(one, known[name] ?? fallback(one))]),
  )
}

/** For what a sample leaves open. */
function fallback(schema: TSchema): unknown {
  const { enum: values, format } = annotationsOf(schema)
  if (isNullable(schema)) return null
  if (values) return values[0]
  if (format === 'uuid') return '01890a5d-ac96-774b-bcce-b302099a8057'
  if (format === 'date-time') return '2026-01-31T09:30:00.000Z'
  if (format === 'uri') return 'https://example.com/picture'
  if (format === 'phone') return '+15550100200'
  return { integer: 1, number: 1, boolean: false }[typeOf(schema) ?? '']
}

function headOf(type: EventType): EventHead {
  const { data: _, ...head } = sampleEvent(type)
  return head as unknown as EventHead
}

test.each(eventTypes)('%s fits, however large what it tells of', (type) => {
  const { data } = sampleEvent(type)
  const text = eventText(headOf(type), inflated(events[type].data, data) as object, limits.eventBytes)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.eventBytes)
  expect(Compile(eventBody(events[type].data)).Errors(JSON.parse(text))).toEqual([])
  const small = eventText(headOf(type), data as object, limits.eventBytes)
  expect(JSON.parse(small)).toEqual(sampleEvent(type))
})

test('only as much is left out as it takes, the largest first', () => {
  const { data } = sampleEvent('work_record.created') as { data: { workRecord: object } }
  const [description, structuredFieldsJson] = ['d'.repeat(20_000), { text: 'x'.repeat(50_000) }]
  const large = { ...data, workRecord: { ...data.workRecord, description, structuredFieldsJson } }
  const told = JSON.parse(eventText(headOf('work_record.created'), large, 40 * KiB))
  expect(told.omitted).toEqual(['workRecord.structuredFieldsJson'])
  expect(told.data).toEqual({ ...large, workRecord: { ...large.workRecord, structuredFieldsJson: {} } })
})

test('a commit of many large events stays within bounds as well', () => {
  const write = eventWriter()
  const data = inflated(events['fact.superseded'].data, sampleEvent('fact.superseded')['data']) as object
  const texts = Array.from({ length: 100 }, () => write(headOf('fact.superseded'), data))
  expect(texts.reduce((bytes, text) => bytes + text.length, 0)).toBeLessThan(4 * limits.bodyBytes + 100 * 16 * KiB)
  for (const text of texts) expect(JSON.parse(text).data.fact.id).toEqual(expect.any(String))
})

test('an event that was too large reaches its subscriber, without the parts that it names', async () => {
  const { api } = service
  const { url, received } = await subscriber(ok)
  await subscribe(api, url, { eventTypes: ['fact.proposed'] })
  const evidence = Array.from({ length: 50 }, (_, index) => ({ quote: `${index} ${'x'.repeat(7_900)}` }))
  const { body: call } = await api.post('/calls', { direction: 'inbound', from: '+15550100200', to: '+15559999999' })
  const about = { subjectType: 'person', subjectId: randomUUID(), sourceCallSessionId: call.id }
  const { body: fact } = await api.post('/facts', { ...about, key: 'story', value: 'long', evidence })
  await until(() => received.length > 0)
  const text = received[0]?.body.toString() ?? ''
  expect(text.length).toBeLessThanOrEqual(limits.eventBytes)
  const event = JSON.parse(text)
  expect(event).toMatchObject({
    type: 'fact.proposed',
    omitted: ['fact.evidence'],
    data: { factId: fact.id, value: 'long' },
  })
  expect(event.data.fact).toEqual({ ...fact, evidence: [] })
  expect((await api.get(`/events/${event.eventId}`)).text).toBe(text)
  expect((await api.get(`/facts/${fact.id}`)).body.evidence).toHaveLength(50)
  expect((await eventsOf(service, api)).at(-1)).toEqual(event)
  const { body: surface } = await api.get(`/calls/${call.id}/surface`)
  expect(surface.events.at(-1)).toMatchObject({ id: event.eventId, data: event.data, omitted: ['fact.evidence'] })
  const { limits: shown } = (await api.get('/schema')).body
  expect(shown).toMatchObject({ eventBytes: limits.eventBytes, historyValueBytes: limits.historyValueBytes })
})
