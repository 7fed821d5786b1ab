// The n8n package in clients/n8n against the real server: the nodes as they are bundled, in the place that n8n gives
// them. Its types and n8n's own rules are checked by `npm run check` there.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventTypes } from '@parley/contract'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Service } from '../support/service.js'
import { ok, subscriber } from '../support/webhooks/sending.js'
import type { Received } from '../support/webhooks/subscriber.js'
import { deliveryWith, startSending } from '../support/webhooks/webhooks.js'

/** What the nodes take of n8n besides its types. */
const standIn = `
exports.NodeConnectionTypes = { Main: 'main' }
exports.NodeApiError = class extends Error {
  constructor(node, error, { message, description, httpCode } = {}) {
    super(message ?? error.message)
    if (error instanceof exports.NodeApiError) return error
    Object.assign(this, { description, httpCode })
  }
}
exports.NodeOperationError = class extends Error { constructor(node, error) { super(error.message ?? error) } }`

let service: Service
let folder: string
let parley: any
let trigger: any

beforeAll(async () => {
  service = await startSending()
  folder = await mkdtemp(join(tmpdir(), 'parley-n8n-'))
  const stand = join(folder, 'n8n-workflow.cjs')
  await writeFile(stand, standIn)
  const at = (name: string) => fileURLToPath(new URL(`../../../../clients/n8n/nodes/${name}`, import.meta.url))
  const entryPoints = [at('Parley/Parley.node.ts'), at('ParleyTrigger/ParleyTrigger.node.ts')]
  const bundling = { bundle: true, platform: 'node', format: 'cjs', outdir: folder, entryNames: '[name]' } as const
  await build({ entryPoints, ...bundling, outExtension: { '.js': '.cjs' }, alias: { 'n8n-workflow': stand } })
  const load = createRequire(import.meta.url)
  parley = new (load(join(folder, 'Parley.node.cjs')).Parley)()
  trigger = new (load(join(folder, 'ParleyTrigger.node.cjs')).ParleyTrigger)()
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** What n8n lends a node: its parameters, its memory, and requests with its credentials. */
const lent = (parameters: Record<string, unknown>, kept: object = {}, webhookUrl = '', executionId = '1') => ({
  getNodeParameter: (name: string, ...[, fallback]: unknown[]) => parameters[name] ?? fallback,
  getWorkflowStaticData: () => kept,
  getNodeWebhookUrl: () => webhookUrl,
  getWorkflow: () => ({ id: '1', name: 'Follow up' }),
  getNode: () => ({ id: 'node', name: 'Parley' }),
  getInputData: () => [{ json: {} }],
  getExecutionId: () => executionId,
  continueOnFail: () => false,
  getCredentials: async () => ({ baseUrl: `${service.url}/`, apiKey: service.api.key }),
  helpers: { httpRequestWithAuthentication },
})

/** As n8n's own: it throws what the library throws, with the answer in it. */
async function httpRequestWithAuthentication(_name: string, asked: any): Promise<unknown> {
  const response = await fetch(`${asked.url}?${new URLSearchParams(asked.qs)}`, {
    method: asked.method,
    headers: {
      authorization: `Bearer ${service.api.key}`,
      ...(asked.body && { 'content-type': 'application/json' }),
      ...asked.headers,
    },
    ...(asked.body && { body: JSON.stringify(asked.body) }),
  })
  const text = await response.text()
  const data = text === '' ? undefined : JSON.parse(text)
  if (!response.ok) throw Object.assign(new Error('Request failed'), { response: { status: response.status, data } })
  return data
}

const hear = async (received: Received, kept: object) => {
  const answered: unknown[] = []
  const response = { status: (code: number) => ({ json: () => answered.push(code) }) }
  const request = { rawBody: received.body, headers: received.headers }
  const context = { ...lent({}, kept), getRequestObject: () => request, getResponseObject: () => response }
  return { ...(await trigger.webhook.call(context)), answered }
}

test('the trigger subscribes, is known, believes signed events alone, and unsubscribes', async () => {
  const { checkExists, create, delete: remove } = trigger.webhookMethods.default
  const { url, received } = await subscriber(ok)
  const kept: { webhookId?: string; secret?: string } = {}
  const context = lent({ events: ['task.created'] }, kept, url)
  expect(await checkExists.call(context)).toBe(false)
  expect(await create.call(context)).toBe(true)
  expect(await checkExists.call(context)).toBe(true)
  const id = kept.webhookId ?? ''
  expect((await service.api.get(`/webhooks/${id}`)).body).toMatchObject({ url, name: 'n8n: Follow up' })
  await service.api.post('/tasks', { title: 'Ring back' })
  await deliveryWith(service.api, id, 'SUCCEEDED')
  const delivered = received[0] as Received
  const heard = await hear(delivered, kept)
  expect(heard.workflowData[0][0].json).toMatchObject({ type: 'task.created', data: { task: { title: 'Ring back' } } })
  const forged = { ...delivered, body: Buffer.from(delivered.body.toString().replace('Ring back', 'Ring home')) }
  expect(await hear(forged, kept)).toEqual({ noWebhookResponse: true, answered: [401] })
  expect(await hear(delivered, {})).toEqual({ noWebhookResponse: true, answered: [401] })
  const stale = { ...delivered, headers: { ...delivered.headers, 'x-service-signature': 't=1,v1=00' } }
  expect(await hear(stale, kept)).toEqual({ noWebhookResponse: true, answered: [401] })
  const wider = lent({ events: ['task.created', 'note.added'] }, kept, url)
  expect(await checkExists.call(wider)).toBe(false)
  await create.call(wider)
  expect((await service.api.get(`/webhooks/${id}`)).body.revokedAt).toEqual(expect.any(String))
  const { webhookId } = kept
  expect(webhookId).not.toBe(id)
  expect(await remove.call(wider)).toBe(true)
  expect(kept).toEqual({})
  expect((await service.api.get(`/webhooks/${webhookId}`)).body.revokedAt).toEqual(expect.any(String))
  expect(await remove.call(wider)).toBe(true)
  const gone = lent({ events: ['task.created'] }, { webhookId, secret: 'whsec_x' }, url)
  expect(await checkExists.call(gone)).toBe(false)
})

test('the trigger offers every event type', async () => {
  const options = await trigger.methods.loadOptions.getEventTypes.call(lent({}))
  expect(options.map((one: any) => one.value)).toEqual([...eventTypes].sort())
  expect(options).toContainEqual({ name: 'SMS Received', value: 'sms.received' })
})

test('the node creates once, reads, lists page by page, updates, acts and deletes', async () => {
  const run = async (parameters: Record<string, unknown>, executionId?: string) =>
    (await parley.execute.call(lent(parameters, {}, '', executionId)))[0].map((one: any) => one.json)
  const person = {
    resource: 'person',
    operation: 'create',
    firstName: 'Ann',
    moreFields: '{"customFields":{"vip":true}}',
  }
  const [made] = await run(person)
  expect(made).toMatchObject({ displayName: 'Ann', customFields: { vip: true } })
  expect((await run(person))[0].id).toBe(made.id)
  const upsert = { resource: 'person', operation: 'upsert', primaryPhone: '+15550100300', firstName: 'Bo' }
  expect((await run(upsert, '2'))[0]).toMatchObject({ primaryPhone: '+15550100300' })
  const titles = Array.from({ length: 103 }, (_, count) => `Task ${count}`)
  await Promise.all(titles.map((title) => service.api.post('/tasks', { title, priority: 'low' })))
  const many = { resource: 'task', operation: 'getAll', filters: '{"priority":"low"}' }
  expect(await run({ ...many, returnAll: true })).toHaveLength(103)
  expect(await run({ ...many, limit: 2, q: 'task' })).toHaveLength(2)
  const one = { resource: 'person', id: made.id }
  expect((await run({ ...one, operation: 'update', lastName: 'Lee' }, '3'))[0].displayName).toBe('Ann Lee')
  expect((await run({ ...one, operation: 'get' }))[0].lastName).toBe('Lee')
  expect(await run({ ...one, operation: 'delete' })).toEqual([{ id: made.id, deleted: true }])
  const call = { direction: 'inbound', from: '+15550100300', to: '+15550100999', status: 'in_progress' }
  const { body: rung } = await service.api.post('/calls', call)
  await service.api.post(`/calls/${rung.id}/end`, { draft: { title: 'Fix sink', canonicalKind: 'job' } })
  const [draft] = (await service.api.get(`/drafts?callSessionId=${rung.id}`)).body.data
  const [approved] = await run({ resource: 'draft', operation: 'approve', id: draft.id }, '4')
  expect(approved.status).toBe('approved')
  await expect(run({ resource: 'task', operation: 'create' }, '5')).rejects.toMatchObject({
    message: 'title is required',
    httpCode: '400',
  })
  await expect(run({ ...many, filters: '[' })).rejects.toThrow('filters must be a JSON object')
})
