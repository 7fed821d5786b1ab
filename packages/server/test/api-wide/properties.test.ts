// Promises that hold for every record, not only for the ones somebody thought of: what was written is read back, for
// generated values of every field of every entity.
import { annotationsOf, entities, fieldsOf, recordSchema, takes } from '@parley/contract'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/resources/index.js'
import { objectOf, propertyRuns } from '../support/arbitraries.js'
import { type Answer, type Client, type Service, startService } from '../support/service.js'

/** What rules may refuse is tried so often; of what they accept, so much is enough. */
const TRIES = 20
const ENOUGH = propertyRuns / 2

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

type Values = Record<string, unknown>

/**
 * What rules ask for beyond the shape of a field, in as few words as they allow; `own` is a word that no other record
 * has.
 */
const fitting: Readonly<Record<string, (values: Values, own: string) => Values>> = {
  parties: (party) => ({ ...party, displayName: party['displayName'] ?? 'Someone' }),
  locations: (location) => ({ ...location, addressLine1: '1 High Street' }),
  'contact-methods': (method) => ({ ...method, channel: 'web' }),
  appointments: (appointment) => ({ ...appointment, endAt: null }),
  'external-refs': (ref, own) => ({ ...ref, entityType: 'task', externalId: own }),
  'field-values': (value, own) => ({ ...value, key: own }),
  customers: (customer, own) => (customer['customerNumber'] ? { ...customer, customerNumber: own } : customer),
  sms: ({ personId: _person, fromPhoneNumberId: _number, ...text }) => ({ ...text, to: '+15550100200' }),
  messages: ({ threadId: _thread, ...message }) => ({
    ...message,
    channel: 'email',
    from: 'ann@example.com',
    to: 'bob@example.com',
  }),
  'workflow-runs': (run) => ({ ...run, finishedAt: '2026-01-31T09:30:00.000Z' }),
}
/** What rules make of the values that are kept; `before` is the record that is replaced. */
const implied: Readonly<Record<string, (values: Values, record: Values, before?: Values) => Values>> = {
  // Who replaces a thread without a word about reading has not read it.
  conversations({ unreadCount: sent }, { updatedAt }, before) {
    const unreadBefore = Number(before?.['unreadCount'] ?? 0)
    const unreadCount = Number(sent ?? unreadBefore)
    const lastReadAt = unreadBefore > 0 && unreadCount === 0 ? updatedAt : (before?.['lastReadAt'] ?? null)
    return { unreadCount, isUnread: unreadCount > 0, lastReadAt }
  },
}
/** Their rules decide more than the shape of a body says; their own tests show that they keep what they are told. */
const ruled = [
  'work-records',
  'work-type-definitions',
  'calls',
  'sms',
  'messages',
  'voicemails',
  'drafts',
  'facts',
  'fact-definitions',
  'signal-definitions',
  'signal-events',
  'phone-numbers',
]

const plain = entities.filter(
  (entity) => takes(entity, 'create') && takes(entity, 'get') && !ruled.includes(entity.slug),
)

test('every entity that is created and read is either shown here or has rules of its own', () => {
  const creatable = entities.filter((entity) => takes(entity, 'create') && takes(entity, 'get')).map(({ slug }) => slug)
  expect([...plain.map(({ slug }) => slug), ...ruled].sort()).toEqual([...creatable].sort())
})

/** As the rules want it, and with external references that are nobody else's, or the creation would be an update. */
function fitted(slug: string, values: Values, own: string): Values {
  const fit = fitting[slug]?.(values, own) ?? values
  const refs = fit['externalRefs'] as Values[] | undefined
  return refs === undefined
    ? fit
    : { ...fit, externalRefs: refs.map((ref, index) => ({ ...ref, externalId: `${own}-${index}` })) }
}

let made = 0
const newOwn = () => `own-${++made}`

describe.each(plain.map((entity) => [entity.slug, entity] as const))('%s', (slug, entity) => {
  const body = endpoints.find(({ method, path }) => method === 'POST' && path === `/${slug}`)?.body
  if (body === undefined) throw new Error(`${slug} takes no creation`)

  test('a record read back equals the record written', async () => {
    await fc.assert(
      fc.asyncProperty(objectOf(body.schema), async ({ sent, kept }) => {
        const own = newOwn()
        const [wanted, expected] = [fitted(slug, sent as Values, own), fitted(slug, kept as Values, own)]
        const answer = await api.post(`/${slug}`, wanted)
        expect(answer.status, answer.text).toBe(201)
        expectKept(answer, expected)
        expect((await api.get(`/${slug}/${answer.body.id}`)).text).toBe(answer.text)
        expect((await api.get(`/${slug}?limit=10`)).text).toContain(answer.text)
      }),
      { numRuns: propertyRuns },
    )
  })

  if (takes(entity, 'put'))
    test('a record that is sent back whole is taken unchanged, and one that is replaced is what replaced it', async () => {
      const [first] = fc.sample(objectOf(body.schema), { numRuns: 1, seed: 7 })
      const { body: record } = await api.post(`/${slug}`, fitted(slug, first?.sent as Values, newOwn()))
      await fc.assert(
        fc.asyncProperty(objectOf(body.schema), async ({ sent, kept }) => {
          const own = newOwn()
          const [wanted, expected] = [fitted(slug, sent as Values, own), fitted(slug, kept as Values, own)]
          const { body: before } = await api.get(`/${slug}/${record.id}`)
          const answer = await api.put(`/${slug}/${record.id}`, wanted)
          expect(answer.status, answer.text).toBe(200)
          expectKept(answer, expected, before)
          expect((await api.put(`/${slug}/${record.id}`, answer.body)).text).toBe(answer.text)
          expect((await api.get(`/${slug}/${record.id}`)).text).toBe(answer.text)
        }),
        { numRuns: 3 },
      )
    })

  /** What was sent is there in the one form in which it is kept; what was not is its default, where it has one. */
  function expectKept({ body: record }: Answer, { externalRefs = [], ...sent }: Values, before?: Values): void {
    const fields = Object.fromEntries(
      Object.entries(sent).filter(
        ([name, value]) => name !== entity.sealed && !(value === null && entity.derived.includes(name)),
      ),
    )
    const defaults = Object.entries(fieldsOf(entity)).filter(
      ([name]) => name !== entity.sealed && !filled.includes(`${slug}.${name}`),
    )
    const refs = (externalRefs as Values[]).map(({ system, externalId, url = null }) => ({ system, externalId, url }))
    const expected = {
      ...Object.fromEntries(defaults.map(([name, schema]) => [name, annotationsOf(schema).default])),
      ...fields,
      ...implied[slug]?.(fields, record, before),
      externalRefs: refs,
    }
    const known = Object.entries(expected).filter(([, value]) => value !== undefined)
    expect(Object.fromEntries(known.map(([name]) => [name, record[name]]))).toEqual(
      JSON.parse(JSON.stringify(Object.fromEntries(known))),
    )
  }
})

describe.each(ruled)('%s', (slug) => {
  const body = endpoints.find(({ method, path }) => method === 'POST' && path === `/${slug}`)?.body
  if (body === undefined) throw new Error(`${slug} takes no creation`)

  test('whatever its rules accept is read back as it was answered, and whatever they refuse is refused with a reason', async () => {
    const sandbox = await emptied(slug)
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(objectOf(body.schema), async ({ sent }) => {
        if (accepted >= propertyRuns) return
        const answer = await sandbox.post(`/${slug}`, fitted(slug, sent as Values, newOwn()))
        if (answer.status >= 300) {
          expect([400, 409, 422], answer.text).toContain(answer.status)
          expect(answer.body.error.details, answer.text).toBeDefined()
          return
        }
        accepted++
        const { body: read } = await sandbox.get(`/${slug}/${answer.body.id}`)
        expect(Object.keys(read)).toEqual(Object.keys(answer.body))
        expect(settled(slug, read)).toEqual(settled(slug, answer.body))
      }),
      { numRuns: TRIES },
    )
    expect(accepted).toBeGreaterThan(0)
  })
})

/** A new organization has all kinds of work, each of which can be there once. */
async function emptied(slug: string): Promise<Client> {
  const { sandbox } = await service.organization(slug)
  if (slug === 'work-type-definitions')
    for (const { id } of (await sandbox.get(`/${slug}`)).body.data) await sandbox.delete(`/${slug}/${id}`)
  return sandbox
}

const patchable = entities.filter((entity) => takes(entity, 'create') && takes(entity, 'patch'))

describe.each(patchable.map((entity) => [entity.slug, entity] as const))('%s', (slug, entity) => {
  const body = endpoints.find(({ method, path }) => method === 'POST' && path === `/${slug}`)?.body
  if (body === undefined) throw new Error(`${slug} takes no creation`)

  test('a record that is read and patched back whole stays at its version, and fits its own schema', async () => {
    const sandbox = await emptied(slug)
    const fitsSchema = Compile(recordSchema(entity))
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(objectOf(body.schema), async ({ sent }) => {
        if (accepted >= ENOUGH) return
        const made = await sandbox.post(`/${slug}`, fitted(slug, sent as Values, newOwn()))
        if (made.status >= 300) return
        accepted++
        const read = await sandbox.get(`/${slug}/${made.body.id}`)
        expect(fitsSchema.Errors(read.body)).toEqual([])
        const back = await sandbox.patch(`/${slug}/${made.body.id}`, read.body)
        expect(back.status, back.text).toBe(200)
        expect(back.body).toEqual(read.body)
      }),
      { numRuns: TRIES },
    )
    expect(accepted).toBeGreaterThan(0)
  })
})

/** What the carrier does to a text as soon as it is queued is not of interest here. */
const moving = ['status', 'providerMessageId', 'deliveredAt', 'errorCode', 'errorMessage', 'updatedAt', 'version']
const settled = (slug: string, record: Values): Values =>
  Object.fromEntries(Object.entries(record).filter(([name]) => slug !== 'sms' || !moving.includes(name)))

/** Set by a rule when they are not sent. */
const filled = [
  'integration-connections.credentialsPreview',
  'people.customerId',
  'people.displayNameDerived',
  'parties.displayNameDerived',
  'customers.displayNameDerived',
]
