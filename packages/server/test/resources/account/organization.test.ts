// The organization of a key, the settings of its side, and what they change: strict references, currency, scopes.
import { entities } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nobodysId } from '../../support/endpoint-requests.js'
import { expectRefusal } from '../../support/every-endpoint.js'
import { clientOf, type Organization, type Service, startService } from '../../support/service.js'

let service: Service
let organization: Organization
beforeAll(async () => {
  service = await startService({}, { isUnderstanding: true })
  organization = await service.organization('Mended & Sons')
})
afterAll(() => service.stop())

const defaults = {
  strictReferences: false,
  factAutoConfirmThreshold: null,
  signalFireThreshold: 0.8,
  webhookWritesNeedAdmin: false,
  timezone: 'UTC',
  currency: 'USD',
  smsHelpMessage: null,
  defaultCountry: null,
  extractor: 'rules',
}

describe('/organization', () => {
  test('shows the same organization to both sides, each with its own settings', async () => {
    const { sandbox, live, id } = organization
    expect((await sandbox.get('/organization')).body).toEqual({
      id,
      name: 'Mended & Sons',
      environment: 'sandbox',
      apiEnabled: true,
      settings: defaults,
    })
    expect((await live.get('/organization')).body).toMatchObject({ id, environment: 'production', settings: defaults })
    await sandbox.patch('/organization', { settings: { timezone: 'Asia/Tokyo' } })
    expect((await sandbox.get('/organization')).body.settings).toEqual({ ...defaults, timezone: 'Asia/Tokyo' })
    expect((await live.get('/organization')).body.settings).toEqual(defaults)
  })

  test('is read with any scope and changed with ADMIN only', async () => {
    const [reader, writer] = [
      await service.keyOf(organization.id, 'sandbox', 'READ'),
      await service.keyOf(organization.id, 'sandbox', 'WRITE'),
    ]
    expect((await reader.get('/organization')).status).toBe(200)
    for (const client of [reader, writer])
      expectRefusal(await client.patch('/organization', { settings: {} }), 403, 'forbidden')
  })

  test('takes another name from a live key only, and shows it to both sides', async () => {
    const { sandbox, live } = organization
    expectRefusal(await sandbox.patch('/organization', { name: 'Renamed' }), 400, 'bad_request')
    expect((await live.patch('/organization', { name: 'Renamed' })).body.name).toBe('Renamed')
    expect((await sandbox.get('/organization')).body.name).toBe('Renamed')
    expect((await sandbox.get('/schema')).body.organization.name).toBe('Renamed')
    expect((await sandbox.patch('/organization', { name: 'Renamed', settings: {} })).status).toBe(200)
    for (const name of ['', '  ', null, 7, 'x'.repeat(256)])
      expectRefusal(await live.patch('/organization', { name }), 400, 'bad_request')
  })

  test('keeps a new name, whatever the other side changes in the same moment', async () => {
    const { sandbox, live } = await service.organization('Busy')
    for (let round = 0; round < 20; round++) {
      const name = `Busy ${round}`
      await Promise.all([
        live.patch('/organization', { name }),
        sandbox.patch('/organization', { settings: { timezone: round % 2 ? 'UTC' : 'Asia/Tokyo' } }),
      ])
      expect((await live.get('/organization')).body.name).toBe(name)
    }
  })

  test('ignores what is read-only, and takes back what it showed', async () => {
    const { body } = await organization.live.get('/organization')
    expect(
      (await organization.live.patch('/organization', { ...body, apiEnabled: false, id: nobodysId })).body,
    ).toEqual(body)
  })

  test.each([
    { timezone: 'Mars/Olympus' },
    { timezone: '' },
    { currency: 'dollars' },
    { signalFireThreshold: 1.1 },
    { signalFireThreshold: null },
    { factAutoConfirmThreshold: -0.1 },
    { strictReferences: 'yes' },
    { nonsense: true },
  ])('refuses the settings %j', async (settings) => {
    const answer = await organization.sandbox.patch('/organization', { settings })
    expectRefusal(answer, 400, 'bad_request')
    expect(answer.body.error.details[0].path).toBe(`settings.${Object.keys(settings)[0]}`)
  })
})

test('the currency of a side is that of its new money records', async () => {
  const { sandbox, live } = await service.organization('Abroad')
  await sandbox.patch('/organization', { settings: { currency: 'JPY' } })
  expect((await sandbox.post('/money-records', { recordType: 'fee', amountCents: 1 })).body.currency).toBe('JPY')
  expect((await live.post('/money-records', { recordType: 'fee', amountCents: 1 })).body.currency).toBe('USD')
})

describe('strictReferences', () => {
  test('off: a reference need not exist, for integrations push out of order', async () => {
    expect((await organization.sandbox.post('/tasks', { title: 'x', personId: nobodysId })).status).toBe(201)
  })

  test('on: what does not exist on this side is 400 by the name of its field, in creations and changes', async () => {
    const { sandbox, live } = await service.organization('Strict')
    const other = await service.organization('Neighbour')
    const body = { displayName: 'Someone' }
    const [mine, livesOne, theirs] = [
      (await sandbox.post('/people', body)).body,
      (await live.post('/people', body)).body,
      (await other.sandbox.post('/people', body)).body,
    ]
    await sandbox.patch('/organization', { settings: { strictReferences: true } })
    const made = await sandbox.post('/tasks', { title: 'x', personId: mine.id, assignedToId: nobodysId })
    expect(made.status).toBe(201)
    for (const personId of [nobodysId, livesOne.id, theirs.id]) {
      for (const answer of [
        await sandbox.post('/tasks', { title: 'x', personId }),
        await sandbox.patch(`/tasks/${made.body.id}`, { personId }),
        await sandbox.put(`/tasks/${made.body.id}`, { title: 'x', personId }),
        await sandbox.post('/tasks', { title: 'x', subjectType: 'person', subjectId: personId }),
        await sandbox.post('/notes', { body: 'x', subjectType: 'person', subjectId: personId }),
      ]) {
        expectRefusal(answer, 400, 'bad_request')
        expect(answer.body.error.details[0]).toMatchObject({
          path: expect.stringMatching(/^(personId|subjectId)$/),
          code: 'reference',
        })
      }
    }
    expect((await sandbox.post('/notes', { body: 'x', subjectType: 'person', subjectId: mine.id })).status).toBe(201)
    await sandbox.delete(`/people/${mine.id}`)
    expectRefusal(await sandbox.post('/tasks', { title: 'x', personId: mine.id }), 400, 'bad_request')
    expect((await sandbox.patch(`/tasks/${made.body.id}`, { title: 'y' })).status).toBe(200)
    expect((await live.post('/tasks', { title: 'x', personId: nobodysId })).status).toBe(201)
  })

  test('on: references inside lists count too', async () => {
    const { sandbox } = await service.organization('Strict in lists')
    const { body: call } = await sandbox.post('/calls', {
      direction: 'inbound',
      from: '+15550100200',
      to: '+15550100201',
      startedAt: '2026-01-31T09:30:00Z',
    })
    await sandbox.patch('/organization', { settings: { strictReferences: true } })
    const answer = await sandbox.post('/drafts', { callSessionId: call.id, factIds: [nobodysId] })
    expectRefusal(answer, 400, 'bad_request')
    expect(answer.body.error.details[0].path).toBe('factIds[0]')
  })
})

describe('GET /schema', () => {
  test('tells any key what it is, what it can reach, and every limit', async () => {
    const reader = await service.keyOf(organization.id, 'production', 'READ')
    const { status, body } = await reader.get('/schema')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      organization: { id: organization.id, environment: 'production' },
      key: { scope: 'READ', environment: 'production' },
      apiVersion: 'v1',
      limits: { pageMax: 100, bodyBytes: 1_048_576, externalRefs: 20, retentionDays: 90 },
    })
    expect(body.entities.map(({ slug }: { slug: string }) => slug)).toEqual(entities.map(({ slug }) => slug))
    expect(body.canonicalKinds).toHaveLength(13)
    expect(body.canonicalKinds.every(({ enabled }: { enabled: boolean }) => enabled)).toBe(true)
  })

  test('says how long things are kept where the operator has set it', async () => {
    const brief = await service.node({ PARLEY_RETENTION_DAYS: '7' })
    expect((await clientOf(brief.url, organization.sandbox.key).get('/schema')).body.limits.retentionDays).toBe(7)
  })

  test('describes an entity truthfully: methods, scalar fields, search and filters', async () => {
    const { body } = await organization.sandbox.get('/schema')
    const described = body.entities.find(({ slug }: { slug: string }) => slug === 'tasks')
    expect(described).toMatchObject({
      writable: true,
      methods: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'],
      searchFields: ['title', 'description'],
    })
    expect(described.scalarFields).toContainEqual({
      name: 'title',
      type: 'string',
      nullable: false,
      readOnly: false,
      required: true,
    })
    expect(described.scalarFields).toContainEqual({
      name: 'personId',
      type: 'uuid',
      nullable: true,
      readOnly: false,
      required: false,
      references: 'person',
    })
    expect(described.scalarFields).toContainEqual({
      name: 'version',
      type: 'integer',
      nullable: false,
      readOnly: true,
      required: false,
    })
    expect(body.entities.find(({ slug }: { slug: string }) => slug === 'field-history-entries')).toMatchObject({
      writable: false,
      methods: ['GET'],
    })
  })

  test('shows a kind of work as disabled when its definition is', async () => {
    const { sandbox, live } = await service.organization('Movers')
    const { data } = (await sandbox.get('/work-type-definitions?canonicalKind=matter')).body
    await sandbox.patch(`/work-type-definitions/${data[0].id}`, { enabled: false })
    const matter = async (client = sandbox) =>
      (await client.get('/schema')).body.canonicalKinds.find(({ kind }: { kind: string }) => kind === 'matter')
    expect([await matter(), await matter(live)]).toEqual([
      { kind: 'matter', enabled: false },
      { kind: 'matter', enabled: true },
    ])
  })
})
