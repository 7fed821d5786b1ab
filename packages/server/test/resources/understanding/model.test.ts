// The organization's own model as the extractor, against a server that speaks its protocol, well and badly.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { type Client, type Service, startService } from '../../support/service.js'
import {
  answering,
  type Behaviour,
  type ModelServer,
  refusing,
  silent,
  startModelServer,
} from '../../support/understanding/model-server.js'
import { until } from '../../support/until.js'

let model: ModelServer
let service: Service
let api: Client
let connectionId: string
const OTHER = 'https://models.example.com/v1'
/** As long as a busy machine may need; who waits for a model that is silent waits less. */
const PATIENT_MS = 30_000
beforeAll(async () => {
  model = await startModelServer()
  service = await startService({ PARLEY_MODEL_URLS: `${model.baseUrl},${OTHER}` }, { isUnderstanding: true })
  api = service.api
  await api.patch('/organization', { settings: { extractor: 'model' } })
  await api.post('/fact-definitions', { key: 'dogs', valueType: 'number', subjectScope: 'person' })
  const made = await connect({ baseUrl: model.baseUrl, model: 'test-model', timeoutMs: PATIENT_MS })
  expect(made.status).toBe(201)
  connectionId = made.body.id
})
afterAll(async () => {
  await service.stop()
  await model.stop()
})

const connect = (config: object, credentials: object | undefined = { apiKey: 'sk-test' }) =>
  api.post('/integration-connections', {
    provider: 'openai_compatible',
    name: 'Model',
    status: 'active',
    config,
    credentials,
  })

let calls = 0
/** A call that ends with these words, and the draft that is made of it. */
async function draftOf(text: string, how: Behaviour): Promise<any> {
  model.behave(how)
  const from = `+1555030${1000 + ++calls}`
  const call = (await api.post('/calls', { direction: 'inbound', from, to: '+15550109999', status: 'in_progress' }))
    .body
  await api.post(`/calls/${call.id}/end`, { transcript: [{ sequence: 0, speaker: 'caller', text, startMs: 0 }] })
  const [draft] = await until(
    async () => (await api.get(`/drafts?callSessionId=${call.id}`)).body.data,
    (drafts: any[]) => drafts.length > 0,
  )
  return draft
}

const words = 'We have three dogs and my name is Maria Lopez. My card is 4111 1111 1111 1111.'
const good = answering({
  facts: { dogs: { value: 3, quote: 'three dogs', line: 0, confidence: 0.85 } },
  signals: [],
  canonicalKind: null,
  title: 'Three dogs',
  summary: 'Maria has three dogs.',
})

const lastCall = async () =>
  (
    await service.database.query(
      sql`select prompt_tokens, completion_tokens, cost, failure, dropped_quotes, dropped_types, dropped_keys from model_calls order by id desc limit 1`,
    )
  )[0]

test('what the model says is proposed, with tokens and cost kept and card numbers masked', async () => {
  const draft = await draftOf(words, good)
  expect(draft).toMatchObject({
    title: 'Three dogs',
    summary: 'Maria has three dogs.',
    extraction: { extractor: 'model:test-model', fallbackReason: null, fields: [{ key: 'dogs', value: 3 }] },
  })
  const facts = (await api.get(`/facts?sourceCallSessionId=${draft.callSessionId}`)).body.data
  expect(facts).toMatchObject([{ key: 'dogs', value: 3, confidence: 0.85, extractor: 'model:test-model' }])
  expect(await lastCall()).toMatchObject({ prompt_tokens: 120, completion_tokens: 30, cost: 0.002, failure: null })
  const { headers, body } = model.requests.at(-1) ?? {}
  expect(headers?.authorization).toBe('Bearer sk-test')
  expect(body.model).toBe('test-model')
  expect(JSON.stringify(body)).not.toContain('4111')
})

test('the same words are not read twice', async () => {
  const draft = await draftOf(words, good)
  const asked = model.requests.length
  const customer = (await api.post('/customers', { displayName: 'Someone' })).body
  await api.patch(`/calls/${draft.callSessionId}`, { customerId: customer.id })
  const jobs = sql`select 1 from understanding_jobs where subject_id = ${draft.callSessionId}`
  await until(
    async () => (await service.database.query(jobs)).length,
    (count) => count === 0,
  )
  expect(model.requests).toHaveLength(asked)
  expect((await api.get(`/facts?sourceCallSessionId=${draft.callSessionId}`)).body.data).toHaveLength(1)
})

test('inventions are dropped and counted', async () => {
  const lying = answering({
    facts: {
      dogs: { value: 'many', quote: 'three dogs', line: 0, confidence: 1 },
      primary_email: { value: 'a@example.com', quote: 'write to a@example.com', line: 0, confidence: 1 },
      shoe_size: { value: 9, quote: 'three dogs', line: 0, confidence: 1 },
    },
    signals: [],
    canonicalKind: null,
    title: null,
    summary: null,
  })
  const draft = await draftOf(words, lying)
  expect(draft.extraction).toMatchObject({ extractor: 'model:test-model', fields: [] })
  expect(await lastCall()).toMatchObject({ dropped_quotes: 1, dropped_types: 1, dropped_keys: 1, failure: null })
  expect((await api.get('/fact-definitions')).body.data).toHaveLength(1)
})

describe('the rules stand in, and say why, for a model that', () => {
  test.each([
    ['is slow', silent, 'did not answer within 500 ms'],
    ['is busy', refusing(429, { 'retry-after': '60' }), 'answered 429'],
    ['is broken', refusing(500), 'answered 500'],
    ['sends elsewhere', refusing(307, { location: 'http://127.0.0.1:1/v1/chat/completions' }), 'redirect'],
    ['talks', answering('Sure! Here is the JSON you asked for.'), 'not JSON'],
    ['answers something else', answering({ colour: 'red' }), 'not of the shape'],
  ])('%s', async (_, how, reason) => {
    const waitAtMost = (timeoutMs: number) =>
      api.patch(`/integration-connections/${connectionId}`, { config: { timeoutMs } })
    await waitAtMost(how === silent ? 500 : PATIENT_MS)
    const { extraction } = await draftOf(words, how)
    await waitAtMost(PATIENT_MS)
    expect(extraction).toMatchObject({ extractor: 'rules', fallbackReason: expect.stringContaining(reason) })
    expect(extraction.fields.map(({ key }: any) => key)).toContain('display_name')
    expect(await lastCall()).toMatchObject({ failure: expect.stringContaining(reason) })
  })

  test('has spent its budget', async () => {
    await api.patch(`/integration-connections/${connectionId}`, { config: { monthlyTokenBudget: 10 } })
    const asked = model.requests.length
    const { extraction } = await draftOf(words, good)
    expect(extraction.fallbackReason).toContain('budget')
    expect(model.requests).toHaveLength(asked)
    await api.patch(`/integration-connections/${connectionId}`, { config: { monthlyTokenBudget: null } })
  })

  test('is not there', async () => {
    await api.patch(`/integration-connections/${connectionId}`, { status: 'paused' })
    expect((await draftOf(words, good)).extraction.fallbackReason).toContain('no connection')
    await api.patch(`/integration-connections/${connectionId}`, { status: 'active' })
  })
})

describe('what was asked of models', () => {
  const listed = async (query = '') => (await api.get(`/extractions/model-calls${query}`)).body

  test('is listed with tokens, cost, failure and what was dropped, newest first', async () => {
    const first = await draftOf(words, good)
    const second = await draftOf(words, refusing(503))
    const { data, pagination } = await listed('?limit=2&count=true')
    expect(data).toEqual([
      expect.objectContaining({
        subject: { entityType: 'call', id: second.callSessionId },
        promptTokens: null,
        completionTokens: null,
        cost: null,
        failure: expect.stringContaining('503'),
      }),
      {
        id: expect.any(String),
        connectionId,
        model: 'test-model',
        source: 'call',
        subject: { entityType: 'call', id: first.callSessionId },
        promptTokens: 120,
        completionTokens: 30,
        cost: 0.002,
        durationMs: expect.any(Number),
        failure: null,
        dropped: { quotes: 0, types: 0, keys: 0 },
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ])
    expect(pagination.count).toBeGreaterThanOrEqual(2)
    const next = await listed(`?limit=1&cursor=${encodeURIComponent(pagination.nextCursor)}`)
    expect(next.data[0].id < data[1].id).toBe(true)
    expect((await listed('?q=503')).data.map(({ id }: any) => id)).toEqual([data[0].id])
  })

  test('is shown to ADMIN keys alone, and of nobody else', async () => {
    const { id, sandbox } = await service.organization('Others')
    const writer = await service.keyOf(id, 'sandbox', 'WRITE')
    expect((await writer.get('/extractions/model-calls')).status).toBe(403)
    expect((await sandbox.get('/extractions/model-calls')).body.data).toEqual([])
  })

  test('is kept whatever the endpoint counts', async () => {
    const usage = { prompt_tokens: 12.5, completion_tokens: 1e15, cost: -1 }
    await draftOf(words, answering({ facts: {}, signals: [], canonicalKind: null, title: null, summary: null }, usage))
    expect((await listed('?limit=1')).data[0]).toMatchObject({
      promptTokens: 13,
      completionTokens: 2_147_483_647,
      cost: null,
    })
  })
})

describe('the address of a model', () => {
  test('must be one that the operator allows', async () => {
    for (const baseUrl of ['https://evil.example.com/v1', `${OTHER}/more`, 'http://models.example.com/v1']) {
      const answer = await connect({ baseUrl, model: 'm' })
      expect(answer.status).toBe(422)
      expect(answer.body.error.details).toMatchObject({ reason: 'model_url', field: 'config.baseUrl' })
    }
  })

  test('changes only together with the key', async () => {
    const path = `/integration-connections/${connectionId}`
    const moved = await api.patch(path, { config: { baseUrl: OTHER } })
    expect(moved.status).toBe(422)
    expect(moved.body.error.details).toMatchObject({ reason: 'model_key', field: 'credentials.apiKey' })
    expect((await api.patch(path, { config: { baseUrl: OTHER }, credentials: { apiKey: 'sk-test' } })).status).toBe(200)
    expect(
      (await api.patch(path, { config: { baseUrl: model.baseUrl }, credentials: { apiKey: 'sk-test' } })).status,
    ).toBe(200)
  })
})
