import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atOnce, rowCounts } from '../../support/captured.js'
import { eventsOf } from '../../support/events.js'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

const newKind = () => `kind_${randomUUID()}`
const define = async (values: object) => (await api.post('/signal-definitions', values)).body
const detect = async (values: object) => (await api.post('/signal-events', values)).body
const signalsOf = async (kind: string, client = api) => (await client.get(`/signals?kind=${kind}`)).body.data
const firedOf = async (kind: string, client = api) =>
  (await eventsOf(service, client)).filter(({ type, data }) => type === 'signal.fired' && data.kind === kind)

test('a detection that is sure enough makes a signal and fires it', async () => {
  const kind = newKind()
  const definition = await define({ key: kind, severity: 'critical', fireThreshold: 0.6 })
  const [callSessionId, workRecordId, personId] = [randomUUID(), randomUUID(), randomUUID()]
  const about = {
    callSessionId,
    workRecordId,
    personId,
    details: { words: ['lawyer'] },
    evidence: [{ quote: 'I will call my lawyer', speaker: 'caller' }],
  }
  const made = await api.post('/signal-events', { kind, confidence: 0.6, detectedAt: '2026-01-01T00:00:00Z', ...about })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({
    kind,
    confidence: 0.6,
    signalDefinitionId: definition.id,
    detectedAt: '2026-01-01T00:00:00.000Z',
    ...about,
  })
  const [signal] = await signalsOf(kind)
  expect(signal).toMatchObject({ kind, signalKey: kind, confidence: 0.6, severity: 'critical', ...about })
  expect((await api.get(`/signals/${signal.id}`)).body).toEqual(signal)
  const [event] = await firedOf(kind)
  expect(event?.data).toEqual({
    signalId: signal.id,
    kind,
    confidence: 0.6,
    severity: 'critical',
    callSessionId,
    workRecordId,
    firedAt: signal.firedAt,
    details: about.details,
    signal,
  })
})

describe('below the threshold a detection is kept, and nothing fires', () => {
  test('of its definition', async () => {
    const kind = newKind()
    await define({ key: kind, fireThreshold: 0.95 })
    await detect({ kind, confidence: 0.94 })
    expect([await signalsOf(kind), await firedOf(kind)]).toEqual([[], []])
    expect((await api.get(`/signal-events?kind=${kind}`)).body.data).toHaveLength(1)
  })

  test('of the side, which is 0.8 until someone changes it', async () => {
    const { sandbox } = await service.organization('Sides')
    await sandbox.post('/signal-events', { kind: 'upsell', confidence: 0.79 })
    expect(await signalsOf('upsell', sandbox)).toHaveLength(0)
    await sandbox.post('/signal-events', { kind: 'upsell', confidence: 0.8 })
    expect(await signalsOf('upsell', sandbox)).toMatchObject([{ severity: 'info', confidence: 0.8 }])
    await sandbox.patch('/organization', { settings: { signalFireThreshold: 0.3 } })
    await sandbox.post('/signal-events', { kind: 'upsell', confidence: 0.3 })
    expect(await firedOf('upsell', sandbox)).toHaveLength(2)
  })
})

test('a disabled definition keeps detections and fires nothing', async () => {
  const kind = newKind()
  const { id } = await define({ key: kind, enabled: false })
  await detect({ kind, confidence: 1 })
  expect([await signalsOf(kind), await firedOf(kind)]).toEqual([[], []])
  await api.patch(`/signal-definitions/${id}`, { enabled: true })
  await detect({ kind, confidence: 1 })
  expect(await firedOf(kind)).toHaveLength(1)
})

test('a detection sent again under its external reference fires when it has become sure, once', async () => {
  const kind = newKind()
  const externalRefs = [{ system: 'detector', externalId: randomUUID() }]
  const send = (confidence: number) => api.post('/signal-events', { kind, confidence, externalRefs })
  expect([
    (await send(0.5)).status,
    (await send(0.9)).status,
    (await send(0.9)).status,
    (await send(0.95)).status,
  ]).toEqual([201, 200, 200, 200])
  expect(await firedOf(kind)).toHaveLength(1)
})

test('signals are listed by kind under both names, by call, work record and confidence, and are only read', async () => {
  const { sandbox } = await service.organization('Lists')
  const [callSessionId, workRecordId] = [randomUUID(), randomUUID()]
  for (const one of [
    { kind: 'complaint', confidence: 0.85, callSessionId },
    { kind: 'complaint', confidence: 0.99, workRecordId },
    { kind: 'upsell', confidence: 0.9, callSessionId },
  ]) {
    await sandbox.post('/signal-events', one)
  }
  const found = async (query: string) =>
    (await sandbox.get(`/signals?${query}`)).body.data.map((signal: any) => signal.confidence)
  expect(await found('kind=complaint')).toEqual([0.99, 0.85])
  expect(await found('signalKey=complaint')).toEqual([0.99, 0.85])
  expect(await found('signalKey=upsell&kind=upsell')).toEqual([0.9])
  expect(await found('minConfidence=0.9')).toEqual([0.9, 0.99])
  expect(await found('minConfidence=0.9&kind=complaint')).toEqual([0.99])
  expect(await found(`callSessionId=${callSessionId}`)).toEqual([0.9, 0.85])
  expect(await found(`workRecordId=${workRecordId}`)).toEqual([0.99])
  expect(await found('q=compl')).toEqual([0.99, 0.85])
  expect((await sandbox.post('/signals', { kind: 'x', confidence: 1 })).status).toBe(405)
})

describe('signal definitions', () => {
  test('are known by their key: sent again, they are updated', async () => {
    const key = newKind()
    const made = await api.post('/signal-definitions', { key, severity: 'warning' })
    expect(made).toMatchObject({ status: 201, body: { key, severity: 'warning', enabled: true, fireThreshold: null } })
    const again = await api.post('/signal-definitions', { key, label: 'Angry' })
    expect(again).toMatchObject({
      status: 200,
      body: { id: made.body.id, label: 'Angry', severity: 'warning', version: 2 },
    })
    const answers = await atOnce(10, () => api.post('/signal-definitions', { key: 'raced' }))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
    expect((await api.delete(`/signal-definitions/${made.body.id}`)).status).toBe(204)
  })

  test('another kind’s definition does not fit a detection', async () => {
    const { id } = await define({ key: newKind() })
    const refused = await api.post('/signal-events', { kind: newKind(), confidence: 1, signalDefinitionId: id })
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'signalDefinitionId'])
  })
})

describe('what is wrong is refused by name, and nothing is written', () => {
  const cases: [string, string, object, string][] = [
    ['no kind', '/signal-events', { confidence: 1 }, 'kind'],
    ['a blank kind', '/signal-events', { kind: ' ', confidence: 1 }, 'kind'],
    ['no confidence', '/signal-events', { kind: 'x' }, 'confidence'],
    ['a confidence of 1.01', '/signal-events', { kind: 'x', confidence: 1.01 }, 'confidence'],
    ['a negative confidence', '/signal-events', { kind: 'x', confidence: -1 }, 'confidence'],
    ['no confidence at all', '/signal-events', { kind: 'x', confidence: null }, 'confidence'],
    ['a call that is no UUID', '/signal-events', { kind: 'x', confidence: 1, callSessionId: 'c' }, 'callSessionId'],
    ['details that are a list', '/signal-events', { kind: 'x', confidence: 1, details: [] }, 'details'],
    ['evidence without a quote', '/signal-events', { kind: 'x', confidence: 1, evidence: [{}] }, 'evidence[0].quote'],
    ['no key', '/signal-definitions', {}, 'key'],
    ['an unknown severity', '/signal-definitions', { key: 'x', severity: 'mild' }, 'severity'],
    ['a threshold of 2', '/signal-definitions', { key: 'x', fireThreshold: 2 }, 'fireThreshold'],
    ['an unknown field', '/signal-definitions', { key: 'x', colour: 'red' }, 'colour'],
  ]
  test.each(cases)('%s', async (_, path, body, field) => {
    const before = await rowCounts(service)
    const refused = await api.post(path, body)
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, field])
    expect(await rowCounts(service)).toEqual(before)
  })
})
