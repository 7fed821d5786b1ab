// Every method of the client once, against the real service, and the proof that no endpoint was left out.
import {
  createBody,
  type Entity,
  entities,
  sampleBody,
  sampleId,
  takes,
  workRecords,
  workTypeDefinitions,
} from '@parley/contract'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { makeSignInLink } from '../../server/src/program/operator-sign-in.js'
import { endpoints } from '../../server/src/resources/index.js'
import type { Service } from '../../server/test/support/service.js'
import { tokenOf } from '../../server/test/support/sign-in/browser.js'
import { subscriber } from '../../server/test/support/webhooks/sending.js'
import { deliveryWith, startSending } from '../../server/test/support/webhooks/webhooks.js'
import {
  type AnyRecord,
  type AnyVerbs,
  BadRequestError,
  type Call,
  ConflictError,
  type Listing,
  NotFoundError,
  Parley,
  type Task,
  type TaskCreate,
  type TaskQuery,
  verifyWebhook,
  WebhookVerificationError,
  type WorkRecord,
} from '../src/index.js'
import { matches, recordingFetch } from './support/recording-fetch.js'
import { until } from './support/until.js'

const recorded = recordingFetch()
let service: Service
let parley: Parley

beforeAll(async () => {
  service = await startSending({
    PARLEY_WEBHOOK_RETRY_DELAYS: '0s,50ms,50ms,50ms,50ms,50ms,50ms,50ms',
    // Nobody is there.
    PARLEY_TWILIO_URL: 'http://127.0.0.1:9',
  })
  parley = new Parley({ apiKey: service.api.key, baseUrl: service.url, fetch: recorded.fetch })
})
afterAll(() => service?.stop())

const ours = '+12025550100'
const theirs = '+12025550143'

test('discovery and the organization', async () => {
  const schema = await parley.schema()
  expect(schema.entities.map(({ slug }) => slug)).toEqual(entities.map(({ slug }) => slug))
  expect((await parley.openapi())['openapi']).toMatch(/^3\.1/)
  expect((await parley.openapi({ version: '3.0' }))['openapi']).toMatch(/^3\.0/)
  const organization = await parley.organization.get()
  expect(organization).toMatchObject({ id: service.demo.id, environment: 'sandbox' })
  const changed = await parley.organization.update({ settings: { timezone: 'Europe/Berlin' } })
  expect(changed.settings).toEqual({ ...organization.settings, timezone: 'Europe/Berlin' })
})

test('keys: mint, use, rotate, revoke', async () => {
  const minted = await parley.apiKeys.create({ name: 'ci', scope: 'READ' })
  expect(await parley.apiKeys.get(minted.id)).not.toHaveProperty('key')
  const client = new Parley({ apiKey: minted.key, baseUrl: service.url })
  expect((await client.schema()).key.scope).toBe('READ')
  const rotated = await parley.apiKeys.rotate(minted.id, { gracePeriodSeconds: 60 })
  expect((await parley.apiKeys.list()).data.map(({ id }) => id)).toEqual(
    expect.arrayContaining([minted.id, rotated.id]),
  )
  await parley.apiKeys.revoke(rotated.id)
  await expect(new Parley({ apiKey: rotated.key, baseUrl: service.url }).schema()).rejects.toMatchObject({
    status: 401,
  })
})

test('people: upsert, look up, and the six verbs', async () => {
  const person = await parley.people.upsert({ displayName: 'Dana Reyes', primaryPhone: theirs })
  expect((await parley.people.upsert({ primaryPhone: theirs, primaryEmail: 'dana@example.com' })).id).toBe(person.id)
  expect((await parley.people.byPhone(theirs))?.primaryEmail).toBe('dana@example.com')
  expect(await parley.people.byPhone('+19995550000')).toBeNull()
})

test('work records: create, find, change with If-Match', async () => {
  const customer = await parley.customers.create({ displayName: 'Reyes household' })
  const record = await parley.workRecords.create({
    title: 'Boiler leaks',
    canonicalKind: 'job',
    customerId: customer.id,
  })
  expectTypeOf(record).toEqualTypeOf<WorkRecord>()
  const found = await parley.workRecords.search({ q: 'boiler' })
  expect(found.data.map(({ id }) => id)).toEqual([record.id])
  expect(found).toMatchObject({ hasMore: false, nextCursor: null })
  expect(await found.nextPage()).toBeNull()
  const changed = await parley.workRecords.update(record.id, { recordState: 'completed' }, { ifMatch: record.version })
  expect(changed.recordState).toBe('completed')
  await expect(
    parley.workRecords.update(record.id, { title: 'x' }, { ifMatch: record.version }),
  ).rejects.toBeInstanceOf(ConflictError)
  await expect(
    parley.workRecords.create({ title: 'x', canonicalKind: 'quest', customerId: customer.id }),
  ).rejects.toBeInstanceOf(BadRequestError)
})

test('texts: send, receive, report', async () => {
  const sent = await parley.sms.send({ to: theirs, body: 'On our way' })
  expect(sent.direction).toBe('outbound')
  const reported = await parley.sms.report(sent.id, { status: 'delivered' })
  expect(reported.status).toBe('delivered')
  const received = await parley.sms.receive({ from: theirs, to: ours, body: 'Thanks', providerMessageId: 'm-1' })
  expect((await parley.sms.receive({ from: theirs, to: ours, body: 'Thanks', providerMessageId: 'm-1' })).id).toBe(
    received.id,
  )
  expect((await parley.sms.get(received.id)).body).toBe('Thanks')
  expect((await parley.sms.list({ direction: 'inbound', since: new Date(Date.now() - 3_600_000) })).data).toHaveLength(
    1,
  )
})

test('a call from ring to booked work', async () => {
  const call = await parley.calls.create({ direction: 'inbound', from: theirs, to: ours, status: 'in_progress' })
  const segments = await parley.calls.addSegments(call.id, [
    { sequence: 0, speaker: 'caller', text: 'My boiler leaks', startMs: 0 },
  ])
  expect(segments).toEqual([expect.objectContaining({ text: 'My boiler leaks', isFinal: true })])
  const [fact] = await parley.calls.addFacts(call.id, [{ key: 'boiler_model', value: 'VX-20', confidence: 0.9 }])
  expect(fact).toMatchObject({ key: 'boiler_model', status: 'proposed', sourceCallSessionId: call.id })
  expect((await parley.calls.update(call.id, { language: 'en' })).language).toBe('en')
  const ended = await parley.calls.end(call.id, {
    summary: 'Boiler leaks.',
    draft: { title: 'Fix boiler', canonicalKind: 'job' },
  })
  expect(ended.status).toBe('completed')
  expect((await parley.calls.transcript(call.id)).map(({ text }) => text)).toEqual(['My boiler leaks'])
  expect(await parley.calls.transcript(call.id, { afterSequence: 0 })).toEqual([])
  expect(await parley.calls.transcriptText(call.id)).toContain('My boiler leaks')
  expect(await parley.calls.transcriptText(call.id, 'vtt')).toMatch(/^WEBVTT/)
  const surface = await parley.calls.surface(call.id)
  expect(surface).toMatchObject({ callId: call.id, live: false, draft: { title: 'Fix boiler' } })
  for await (const { event, data } of parley.calls.stream(call.id)) {
    expect({ event, data }).toMatchObject({ event: 'surface', data: { callId: call.id } })
    break
  }
  const [draft] = (await parley.drafts.list({ callSessionId: call.id })).data
  const approved = await parley.drafts.approve(draft?.id ?? '', { acceptFactIds: [fact?.id ?? ''] })
  expect(approved).toMatchObject({ status: 'approved', workRecordId: expect.any(String) })
  expect((await parley.drafts.synced(approved.id, { externalRefs: [{ system: 'crm', externalId: '1' }] })).status).toBe(
    'synced',
  )
  expect((await parley.facts.get(fact?.id ?? '')).status).toBe('confirmed')
})

test('drafts: make, submit, reject, reopen', async () => {
  const call = await parley.calls.create({ direction: 'inbound', from: theirs, to: ours })
  const draft = await parley.drafts.create({ callSessionId: call.id, title: 'Later' })
  expect((await parley.drafts.update(draft.id, { summary: 'More' })).summary).toBe('More')
  expect((await parley.drafts.submit(draft.id)).status).toBe('pending_review')
  expect((await parley.drafts.reject(draft.id, { reason: 'Wrong number' })).rejectedReason).toBe('Wrong number')
  expect((await parley.drafts.reopen(draft.id)).status).toBe('pending_review')
})

test('facts: capture, confirm, reject, promote', async () => {
  const person = await parley.people.create({ displayName: 'Kim' })
  const capture = (key: string, value: unknown) =>
    parley.facts.create({ subjectType: 'person', subjectId: person.id, key, value })
  expect((await parley.facts.confirm((await capture('pet', 'cat')).id)).status).toBe('confirmed')
  expect((await parley.facts.reject((await capture('car', 'none')).id)).status).toBe('rejected')
  const promoted = await parley.facts.promote((await parley.facts.confirm((await capture('shoe_size', 42)).id)).id, {
    targetSubjectType: 'person',
    targetSubjectId: person.id,
  })
  expect(promoted.promotedSubjectId).toBe(person.id)
  expect((await parley.people.get(person.id)).customFields).toMatchObject({ shoe_size: 42 })
  const both = await parley.facts.list({ subjectId: person.id, status: ['confirmed', 'rejected'] })
  expect(both.data.map(({ key }) => key).sort()).toEqual(['car', 'pet'])
})

test('voicemails and their audio', async () => {
  const voicemail = await parley.voicemails.create({ callerNumber: theirs, transcript: 'Please call back' })
  await expect(parley.voicemails.recording(voicemail.id)).rejects.toBeInstanceOf(NotFoundError)
  expect(voicemail).toMatchObject({ recordingUrl: null, recordingStatus: 'none' })
  const listenedAt = '2026-03-01T09:00:00.000Z'
  expect(
    (await parley.voicemails.update(voicemail.id, { transcript: 'Call back, please', listenedAt })).listenedAt,
  ).toBe(listenedAt)
  const audio = new Uint8Array([82, 73, 70, 70, 0, 255])
  const recorded = await parley.voicemails.putRecording(voicemail.id, audio, 'audio/wav')
  expect(recorded.recordingUrl).toMatch(/^http/)
  const played = await parley.voicemails.recording(voicemail.id)
  expect(new Uint8Array(await played.arrayBuffer())).toEqual(audio)
  expect(played.headers.get('content-type')).toBe('audio/wav')
  const call = await parley.calls.create({ direction: 'inbound', from: theirs, to: ours })
  await parley.voicemails.create({ callerNumber: theirs, callSessionId: call.id })
  expect((await parley.voicemails.calls()).data.map(({ id, status }) => [id, status])).toEqual([[call.id, 'voicemail']])
})

test('webhooks: subscribe, verify what the engine sends, rotate, replay, revoke', async () => {
  const { sandbox } = await service.organization('Subscriber')
  const own = new Parley({ apiKey: sandbox.key, baseUrl: service.url, fetch: recorded.fetch })
  let status = 200
  const { url, received } = await subscriber((_request, response) => response.writeHead(status).end())
  const made = await own.webhooks.create({ url, eventTypes: ['task.created'] })
  expect(await own.webhooks.get(made.id)).not.toHaveProperty('secret')
  expect((await own.webhooks.list()).data.map(({ id }) => id)).toEqual([made.id])

  const task = await own.tasks.create({ title: 'Ring back — ü' })
  const { id: deliveryId } = await deliveryWith(sandbox, made.id, 'SUCCEEDED')
  const verified = (index: number, secret: string) =>
    verifyWebhook(received[index]?.body ?? '', received[index]?.headers ?? {}, secret)
  expect(await verified(0, made.secret)).toMatchObject({
    type: 'task.created',
    data: { taskId: task.id, task: { title: 'Ring back — ü' } },
  })
  const whole = await own.webhooks.delivery(made.id, deliveryId, { expand: ['payload', 'attempts'] })
  expect(whole).toMatchObject({
    status: 'SUCCEEDED',
    payload: { data: { taskId: task.id } },
    attempts: [{ number: 1, responseStatus: 200 }],
  })

  const rotated = await own.webhooks.rotateSecret(made.id, { gracePeriodSeconds: 600 })
  const tested = await own.webhooks.test(made.id, { eventType: 'call.ended' })
  await until(async () => (await own.webhooks.delivery(made.id, tested.id)).status === 'SUCCEEDED')
  for (const secret of [made.secret, rotated.secret]) expect((await verified(1, secret)).type).toBe('call.ended')
  await expect(verified(0, rotated.secret)).rejects.toBeInstanceOf(WebhookVerificationError)

  await expect(own.webhooks.replayDelivery(made.id, deliveryId)).rejects.toBeInstanceOf(ConflictError)
  expect(await own.webhooks.replayDelivery(made.id, deliveryId, { force: true })).toMatchObject({
    status: 'PENDING',
    replayCount: 1,
  })
  await until(() => received.length === 3)

  status = 500
  await own.tasks.create({ title: 'Refused' })
  await until(
    async () => (await own.webhooks.deliveries(made.id, { status: ['DEAD_LETTERED', 'FAILED'] })).data.length === 1,
  )
  status = 200
  const job = await own.webhooks.replay(made.id, { since: new Date(Date.now() - 3_600_000) })
  await until(async () => (await own.webhooks.replayJob(made.id, job.id)).status === 'completed')
  expect(await own.webhooks.replayJob(made.id, job.id)).toMatchObject({ matched: 1, queued: 1 })
  await until(async () => (await own.webhooks.deliveries(made.id, { status: 'SUCCEEDED' })).data.length === 3)

  expect((await own.webhooks.update(made.id, { status: 'paused', name: 'Later' })).status).toBe('paused')
  await own.webhooks.delete(made.id)
  expect((await own.webhooks.list()).data).toEqual([])
  expect((await own.webhooks.list({ includeRevoked: true })).data).toHaveLength(1)
})

test('the sandbox plays a conversation', async () => {
  const begun = await parley.sandbox.simulate({ scenario: 'inbound_sms' })
  expect((await parley.sms.get(begun.smsId ?? '')).direction).toBe('inbound')
})

test('connections: check, the log, a simulated request, and one taken again', async () => {
  const accountSid = `AC${'0'.repeat(32)}`
  const connection = await parley.integrationConnections.create({
    provider: 'twilio',
    name: 'Phones',
    config: { accountSid },
    credentials: { authToken: 'token' },
  })
  expect(connection.inboundUrls).toHaveProperty('sms')
  const other = await parley.integrationConnections.create({ provider: 'my-crm', name: 'CRM' })
  await expect(parley.integrationConnections.check(other.id)).rejects.toMatchObject({ status: 422 })
  expect(await parley.integrationConnections.check(connection.id)).toMatchObject({ ok: false, status: 'error' })
  const { entry } = await parley.integrationConnections.simulate(connection.id, {
    kind: 'sms',
    body: `AccountSid=${accountSid}&MessageSid=SM1&From=whatsapp%3A%2B12025550143&To=%2B12025550100&Body=Hi`,
  })
  const [logged] = (await parley.integrationConnections.inbound(connection.id, { status: 'ignored' })).data
  expect(logged).toMatchObject({ id: entry.id, simulated: true })
  expect(await parley.integrationConnections.inboundEntry(connection.id, entry.id)).toMatchObject({ id: entry.id })
  expect(await parley.integrationConnections.reprocess(connection.id, entry.id)).toMatchObject({ status: 'pending' })
})

test('a recording of a call is read from where it is kept', async () => {
  const connection = await parley.integrationConnections.create({
    provider: 'elevenlabs',
    name: 'Sam',
    credentials: { webhookSecret: 'secret' },
  })
  const phone_call = { direction: 'inbound', agent_number: ours, external_number: theirs }
  const data = { conversation_id: 'kept', metadata: { phone_call }, transcript: [] }
  const full_audio = Buffer.from('sound').toString('base64')
  for (const body of [
    { type: 'post_call_transcription', data },
    { type: 'post_call_audio', data: { conversation_id: 'kept', full_audio } },
  ])
    await parley.integrationConnections.simulate(connection.id, { kind: 'post-call', body })
  const found = async () => (await parley.calls.list()).data.find(({ providerCallId }) => providerCallId === 'kept')
  await until(async () => (await found())?.recordingStatus === 'available')
  expect(await (await parley.calls.recording((await found())?.id ?? '')).text()).toBe('sound')
})

test('the extractor shows what it finds, and how its proposals fared', async () => {
  const segments = [{ speaker: 'caller', text: 'Please come tomorrow at 4:15 pm.' }]
  const found = await parley.extractions.preview({ segments, startedAt: new Date('2026-03-02T15:00:00Z') })
  expect(found.facts.map(({ key, value }) => [key, value])).toContainEqual(['preferred_time', '16:15'])
  expect((await parley.quality.facts({ groupBy: ['key', 'extractor'] })).isTruncated).toBe(false)
  expect((await parley.extractions.modelCalls({ limit: 5 })).data).toEqual([])
})

test('batches: many writes in one request', async () => {
  const externalRefs = [{ system: 'crm', externalId: 'batch-1' }]
  const [made, refused] = await parley.people.batch([
    { op: 'upsert', data: { firstName: 'Batch', externalRefs } },
    { op: 'update', id: sampleId('nobody'), data: { lastName: 'Nobody' } },
  ])
  expect([made?.status, made?.record?.firstName, refused?.error?.code]).toEqual([201, 'Batch', 'not_found'])
  await expect(
    parley.people.batch([{ op: 'update', id: sampleId('nobody'), data: {} }], { atomic: true }),
  ).rejects.toMatchObject({ status: 422, code: 'batch_failed' })
  for (const { slug } of entities.filter(({ batch }) => batch))
    await parley.entity(slug).batch([{ op: 'update', id: sampleId('nobody'), data: {} }])
})

test('imports: a file becomes records', async () => {
  const { id } = await parley.imports.create({ entity: 'people', format: 'csv' })
  const bytes = Buffer.from('firstName,primaryPhone\nImported,\nBad,12\n')
  const range = { start: 0, bytes: 10, total: bytes.length }
  expect((await parley.imports.putFile(id, bytes.subarray(0, 10), { range })).receivedBytes).toBe(10)
  await parley.imports.putFile(id, bytes.subarray(10), { range: { ...range, start: 10, bytes: bytes.length - 10 } })
  await until(async () => (await parley.imports.get(id)).status === 'completed')
  expect(await (await parley.imports.errors(id)).text()).toContain('Bad,12,')
  expect((await parley.imports.cancel(id)).status).toBe('completed')
  expect((await parley.imports.list()).data.map((one) => one.id)).toEqual([id])
})

test('exports: whole lists as files', async () => {
  const csv = await (await parley.people.export({ format: 'csv', quoteFormulas: true })).text()
  expect(csv).toMatch(/^id,organizationId,/)
  for (const { slug } of entities.filter((entity) => takes(entity, 'list')))
    expect((await parley.entity(slug).export()).status).toBe(200)
})

test('the request log is listed and followed', async () => {
  const { value: entry } = await parley.requestLog.stream({ lastEventId: '0' }).next()
  expect(entry).toMatchObject({ actor: { type: 'key' }, error: null })
  await expect(parley.people.get(sampleId('nobody'))).rejects.toThrow()
  await until(async () => (await parley.requestLog.list({ failed: true, limit: 5 })).data.length > 0)
})

/** What a creation sends: a sample of the contract, which each entity completes where it is particular. */
function bodyOf(entity: Entity): Record<string, unknown> {
  const particular: Record<string, Record<string, unknown>> = {
    'phone-numbers': { e164: ours },
    'work-type-definitions': { canonicalKind: 'claim', label: 'Claims' },
    'contact-methods': { channel: 'phone', value: theirs },
    messages: { channel: 'email', direction: 'inbound', from: 'a@example.com', to: 'b@example.com', body: 'Hello' },
    'fact-definitions': { key: 'colour', valueType: 'string', subjectScope: 'person' },
  }
  return (
    particular[entity.slug] ?? {
      ...sampleBody(createBody(entity).schema, entity.name),
      ...(entity === workRecords && { customerId: sampleId('customer') }),
    }
  )
}

/** The property of the client that an entity is. */
function propertyOf(slug: string): AnyVerbs {
  const name = slug.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  expect(name in parley, `parley.${name}`).toBe(true)
  return Reflect.get(parley, name)
}

test('an entity is a property whose methods take and give types with names', () => {
  expectTypeOf(parley.tasks.list).parameter(0).toEqualTypeOf<TaskQuery | undefined>()
  expectTypeOf(parley.tasks.list).returns.toEqualTypeOf<Listing<Task>>()
  expectTypeOf(parley.tasks.get).returns.resolves.toEqualTypeOf<Task>()
  expectTypeOf(parley.tasks.create).parameter(0).toEqualTypeOf<TaskCreate>()
  expectTypeOf(parley.tasks.delete).returns.resolves.toEqualTypeOf<void>()
  // What an entity does not take is no method of it.
  expectTypeOf(parley.fieldHistoryEntries).not.toHaveProperty('create')
  expectTypeOf(parley.notes).not.toHaveProperty('replace')
  // Those that can do more have the plain verbs, too.
  expectTypeOf(parley.calls.get).returns.resolves.toEqualTypeOf<Call>()
  expectTypeOf(parley.sms.create).toEqualTypeOf<typeof parley.sms.send>()
})

test.each(entities.map((entity) => [entity.slug, entity] as const))(
  '%s: each verb that it takes',
  async (slug, entity) => {
    const any = propertyOf(slug)
    const own = ['sms', 'calls', 'drafts', 'facts', 'voicemails'].includes(slug)
    if (entity === workTypeDefinitions)
      await any.delete((await parley.workTypeDefinitions.list({ canonicalKind: 'claim' })).data[0]?.id ?? '')
    const made = takes(entity, 'create') && !own ? await any.create(bodyOf(entity)) : undefined
    const page = await any.list(slug === 'phone-numbers' ? {} : { limit: 2 })
    expect(Array.isArray(page.data)).toBe(true)
    const id = made?.id ?? page.data[0]?.id
    if (id === undefined) return
    expect((await any.get(id)).id).toBe(id)
    if (made && takes(entity, 'patch')) expect((await any.update(id, {})).version).toBeGreaterThanOrEqual(made.version)
    if (made && takes(entity, 'put')) expect((await any.replace(id, bodyOf(entity))).id).toBe(id)
    if (made && takes(entity, 'delete')) {
      await any.delete(id)
      await expect(any.get(id)).rejects.toBeInstanceOf(NotFoundError)
    }
  },
)

test('signals fire, and deletions are listed', async () => {
  await parley.signalEvents.create({ kind: 'complaint', confidence: 0.95 })
  const [signal] = (await parley.signals.list({ kind: 'complaint', minConfidence: 0.9 })).data
  expect((await parley.signals.get(signal?.id ?? '')).confidence).toBe(0.95)
  const task = await parley.tasks.create({ title: 'gone' })
  await parley.tasks.delete(task.id)
  const deletions = await parley.deletedRecords.list({ since: task.createdAt }).toArray()
  const deletedAt = expect.any(String)
  expect(deletions).toContainEqual({ entityType: 'task', id: task.id, deletedAt, mergedIntoId: null })
})

test('the event log: list, one, and as it happens', async () => {
  await parley.tasks.create({ title: 'logged' })
  // The log stops below the oldest open transaction, so that nobody who follows it misses an event: an event may show a
  // moment late.
  await until(async () => (await parley.events.list({ type: 'task.created', limit: 1 })).data.length > 0)
  const [newest] = (await parley.events.list({ type: 'task.created', limit: 1 })).data
  expect(newest?.type).toBe('task.created')
  expect(await parley.events.get(newest?.eventId ?? '')).toEqual(newest)
  const task = await parley.tasks.create({ title: 'streamed' })
  for await (const event of parley.events.stream({ lastEventId: newest?.eventId ?? '', subjectId: task.id })) {
    expect(event).toMatchObject({ type: 'task.created', data: { taskId: task.id } })
    break
  }
})

test('a slug that this version does not know is typed plainly and answered by the service', async () => {
  const later = parley.entity('spaceships')
  expectTypeOf(later.get).returns.resolves.toEqualTypeOf<AnyRecord>()
  await expect(later.get('x')).rejects.toBeInstanceOf(NotFoundError)
})

test('every record of 1,050 comes exactly once, newest first, by pages and by iteration', async () => {
  const { sandbox } = await service.organization('Many')
  const many = new Parley({ apiKey: sandbox.key, baseUrl: service.url })
  const total = 1_050
  let next = 0
  const worker = async () => {
    while (next < total) await many.tasks.create({ title: `Task ${next++}`, priority: next % 2 ? 'low' : 'high' })
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  const seen: string[] = []
  for await (const task of many.tasks.list({ limit: 100 })) seen.push(task.id)
  expect(seen).toHaveLength(total)
  expect(new Set(seen).size).toBe(total)
  expect(seen).toEqual([...seen].sort().reverse())
  const sizes: number[] = []
  for await (const page of many.tasks.list({ priority: 'low' }).pages()) sizes.push(page.data.length)
  expect(sizes).toEqual([...Array(10).fill(50), 25])
  const first = await many.tasks.list({ limit: 10 })
  const second = await first.nextPage()
  expect([...first.data, ...(second?.data ?? [])].map(({ id }) => id)).toEqual(seen.slice(0, 20))
  expect(await many.tasks.list().toArray({ max: 7 })).toHaveLength(7)
})

test('lists by time: sorted, narrowed, counted', async () => {
  const { key } = (await service.organization('Planned')).sandbox
  const planned = new Parley({ apiKey: key, baseUrl: service.url, fetch: recorded.fetch })
  for (const [title, dueAt] of [
    ['third', '2026-06-03T09:00:00Z'],
    ['first', '2026-06-01T09:00:00Z'],
    ['never', null],
    ['second', '2026-06-02T09:00:00Z'],
  ] as const)
    await planned.tasks.create({ title, dueAt })
  const titles = async (query: TaskQuery) => {
    const all = await planned.tasks.list({ limit: 1, ...query }).toArray()
    return all.map(({ title }) => title)
  }
  expect(await titles({ sort: 'dueAt' })).toEqual(['first', 'second', 'third', 'never'])
  expect(
    await titles({ sort: '-dueAt', dueAtFrom: new Date('2026-06-01T09:00:00Z'), dueAtBefore: '2026-06-03T09:00:00Z' }),
  ).toEqual(['second', 'first'])
  expect(await planned.tasks.list({ limit: 1, count: true, sort: 'dueAt' })).toMatchObject({
    count: 4,
    countIsExact: true,
    hasMore: true,
  })
  await until(async () => (await planned.events.list()).data.length === 4, 'the log shows all four')
  const [newest] = (await planned.events.list({ sort: '-occurredAt', limit: 1 })).data
  expect(newest).toMatchObject({ type: 'task.created', data: { task: { title: 'second' } } })
})

test('calendar feeds: make, list, read, delete', async () => {
  const made = await parley.calendarFeeds.create({ name: 'Crew' })
  const { url, ...feed } = made
  expect(await parley.calendarFeeds.get(made.id)).toEqual(feed)
  expect((await parley.calendarFeeds.list({ count: true })).count).toBe(1)
  expect(await (await fetch(url)).text()).toMatch(/^BEGIN:VCALENDAR/)
  await parley.calendarFeeds.delete(made.id)
  expect((await fetch(url)).status).toBe(404)
})

test('signing in, as a page does: links, passwords, sessions, members, invitations', async () => {
  /** A browser keeps cookies by itself; `fetch` here does not. */
  let cookie = ''
  const browser: typeof globalThis.fetch = async (input, init) => {
    const headers = { ...init?.headers, 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) }
    expect(init?.credentials).toBe('same-origin')
    const response = await recorded.fetch(input, { ...init, headers })
    for (const set of response.headers.getSetCookie()) cookie = set.split(';')[0] ?? ''
    return response
  }
  const page = new Parley({ baseUrl: service.url, session: {}, fetch: browser })
  expect(await page.session.get()).toMatchObject({ user: null, organizations: [] })
  const link = await makeSignInLink(service.database, service.url, { org: service.demo.id }, new Date())
  const exchanged = await page.session.exchange(tokenOf(link.url))
  expect(exchanged.session?.organizations).toMatchObject([{ id: service.demo.id, role: 'owner' }])
  await page.session.updateUser({ name: 'Ana', email: 'ana@example.com' })
  await page.session.changePassword({ password: 'correct horse battery' })
  const place = { organizationId: service.demo.id, environment: 'sandbox' } as const
  const cockpit = new Parley({ baseUrl: service.url, session: place, fetch: browser })
  expect((await cockpit.schema()).organization).toMatchObject({ id: service.demo.id, environment: 'sandbox' })
  const invited = await cockpit.invitations.create({ email: 'bo@example.com', role: 'agent' })
  expect(await cockpit.invitations.list()).toMatchObject({ data: [{ id: invited.id }] })
  const owner = cookie
  cookie = ''
  const joined = await page.session.acceptInvitation({
    token: tokenOf(invited.url),
    name: 'Bo',
    password: 'incorrect horse battery',
  })
  const bo = joined.user?.id ?? ''
  cookie = owner
  expect((await cockpit.members.update(bo, { role: 'viewer' })).role).toBe('viewer')
  const reset = await cockpit.members.makeResetLink(bo)
  await cockpit.members.remove(bo)
  expect((await cockpit.members.list()).data).toHaveLength(1)
  await cockpit.invitations.delete((await cockpit.invitations.create({ email: 'cy@example.com', role: 'agent' })).id)
  expect(await page.sessions.list()).toMatchObject([{ isCurrent: true }])
  await page.sessions.endOthers()
  await page.sessions.end((await page.sessions.list())[0]?.id ?? '')
  cookie = ''
  expect((await page.session.signIn({ email: 'ana@example.com', password: 'correct horse battery' })).user?.name).toBe(
    'Ana',
  )
  await page.session.signOut()
  cookie = ''
  await page.session.reset({ token: tokenOf(reset.url ?? ''), password: 'another horse battery' })
  await expect(page.session.forgot('ana@example.com')).rejects.toBeInstanceOf(ConflictError)
  await expect(page.session.openId()).rejects.toBeInstanceOf(ConflictError)
  expect(() => new Parley({ baseUrl: service.url })).toThrow(/apiKey/)
})

test('the overview: timelines, search over everything, numbers', async () => {
  const customer = await parley.customers.create({ displayName: 'Okapi Limited' })
  const person = await parley.people.create({ displayName: 'Olga Okapi', customerId: customer.id })
  const work = await parley.workRecords.create({
    title: 'Okapi fence',
    canonicalKind: 'job',
    customerId: customer.id,
    primaryPersonId: person.id,
  })
  const note = await parley.notes.create({ body: 'Shy', subjectType: 'work_record', subjectId: work.id })
  expect(await parley.people.timeline(person.id)).toMatchObject({ data: [{ type: 'work_record', id: work.id }] })
  expect(await parley.customers.timeline(customer.id, { types: ['call'] })).toMatchObject({ data: [] })
  expect(await parley.workRecords.timeline(work.id).toArray()).toMatchObject([{ type: 'note', record: note }])
  const twin = await parley.people.create({ displayName: 'Okapi Olga' })
  expect(await parley.people.duplicates(twin.id)).toMatchObject([{ person: { id: person.id }, reasons: ['name'] }])
  expect(await parley.people.merge(twin.id, person.id)).toMatchObject({ id: person.id })
  const [merge] = await parley.people.merges(person.id)
  expect(merge).toMatchObject({ mergedId: twin.id, intoId: person.id, status: 'done' })
  expect(await parley.people.getMerge(twin.id, merge?.id ?? '')).toEqual(merge)
  expect(await parley.people.unmerge(twin.id)).toMatchObject({ id: twin.id })
  await parley.people.delete(twin.id)
  expect(await parley.customers.duplicates(customer.id)).toEqual([])
  const other = await parley.customers.create({ displayName: 'Zebra' })
  expect(await parley.customers.merge(other.id, customer.id)).toMatchObject({ id: customer.id })
  const [merged] = await parley.customers.merges(customer.id)
  expect(await parley.customers.getMerge(customer.id, merged?.id ?? '')).toEqual(merged)
  expect(await parley.customers.unmerge(other.id)).toMatchObject({ id: other.id })
  const { data } = await parley.search({ q: 'okapi' })
  expect(data.map(({ entityType }) => entityType)).toEqual(['person', 'customer', 'work_record'])
  expect((await parley.stats({ interval: 'hour' })).totals.draftsWaiting.rows).toBe('/drafts?status=pending_review')
})

/** What only a server with mail and a provider has: reached above, and refused by this one. */
const notSetUp = ['/session/forgot', '/session/open-id']

/** Reached by following an address that is a credential itself, or by providers that sign, without a key. */
const notForClients = [
  '/inbound/{connectionId}/{kind}',
  '/recordings/{tenantId}/{id}/{expires}/{signature}',
  '/calendars/{file}',
]

test('no endpoint is left out', () => {
  const reached = recorded.asked.filter(({ status, path }) => status < 400 || notSetUp.includes(path))
  const missing = endpoints
    .filter(({ path }) => !notForClients.includes(path))
    .filter(({ method, path }) => !reached.some((one) => one.method === method && matches(path, one.path)))
    .map(({ method, path }) => `${method} ${path}`)
  expect(missing).toEqual([])
})
