// Display names follow the names they are derived from while nobody sets them, for people, parties and the customers
// that are called after someone.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { raw, sql } from '../../../src/database/sql.js'
import { runBatchJobs } from '../../support/batch-jobs.js'
import { eventsOf, tenantOf } from '../../support/events.js'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const side = async (): Promise<Client> => (await service.organization('Names')).sandbox
const named = ({ body }: { body: any }) => [body.displayName, body.displayNameDerived]

describe('the name of a person', () => {
  test('follows first and last name while nobody sets it, by PATCH, PUT and upsert', async () => {
    const api = await side()
    const made = await api.post('/people', { firstName: 'Maria', lastName: 'Lopez', primaryPhone: '+15550100200' })
    expect(named(made)).toEqual(['Maria Lopez', true])
    const at = `/people/${made.body.id}`
    expect(named(await api.patch(at, { lastName: 'Smith' }))).toEqual(['Maria Smith', true])
    expect(named(await api.put(at, { firstName: 'Mary', lastName: 'Smith', primaryPhone: '+15550100200' }))).toEqual([
      'Mary Smith',
      true,
    ])
    expect(named(await api.post('/people/upsert', { primaryPhone: '+15550100200', lastName: 'Jones' }))).toEqual([
      'Mary Jones',
      true,
    ])
    expect(named(await api.patch(at, { firstName: null, lastName: null, legalName: 'M. Jones' }))).toEqual([
      'M. Jones',
      true,
    ])
    expect(named(await api.patch(at, { legalName: null }))).toEqual(['+15550100200', true])
  })

  test('stays as somebody set it, even to what would be derived, until a null', async () => {
    const api = await side()
    const made = await api.post('/people', { displayName: 'Maria Lopez', firstName: 'Maria', lastName: 'Lopez' })
    const at = `/people/${made.body.id}`
    expect(named(await api.patch(at, { lastName: 'Smith' }))).toEqual(['Maria Lopez', false])
    expect(named(await api.patch(at, { displayName: null }))).toEqual(['Maria Smith', true])
    expect(named(await api.patch(at, { lastName: 'Jones' }))).toEqual(['Maria Jones', true])
    expect(named(await api.patch(at, { displayName: 'Mary', lastName: 'Lopez' }))).toEqual(['Mary', false])
    expect(named(await api.put(at, { displayName: null, firstName: 'Maria' }))).toEqual(['Maria', true])
    expect(named(await api.post('/people', { displayName: null, firstName: 'Ada' }))).toEqual(['Ada', true])
    const refused = await api.patch(at, { displayName: '' })
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'displayName'])
  })

  test('is not set by a record that is sent back: unchanged it makes no version, with another last name the name follows', async () => {
    const api = await side()
    const { body: person } = await api.post('/people', { firstName: 'Maria', lastName: 'Lopez' })
    const again = await api.patch(`/people/${person.id}`, person)
    expect(again.body).toEqual(person)
    const changed = await api.put(`/people/${person.id}`, { ...person, lastName: 'Smith', displayNameDerived: false })
    expect([...named(changed), changed.body.version]).toEqual(['Maria Smith', true, 2])
  })

  test('that a call told is kept, and one that is only a number makes way for a name', async () => {
    const api = await side()
    const calling = async (from: string, callerName?: string) =>
      (await api.post('/calls', { direction: 'inbound', from, to: '+15550100100', callerName })).body.personId
    const told = await calling('+15550100201', 'Wireless Caller')
    const untold = await calling('+15550100202')
    expect(named(await api.patch(`/people/${told}`, { firstName: 'Maria' }))).toEqual(['Wireless Caller', false])
    expect(named(await api.patch(`/people/${untold}`, { firstName: 'Maria' }))).toEqual(['Maria', true])
  })

  test('changes in history and event with what it follows; the mark itself is no news', async () => {
    const api = await side()
    const { body: person } = await api.post('/people', { firstName: 'Maria' })
    await api.patch(`/people/${person.id}`, { firstName: 'Mary' })
    await api.patch(`/people/${person.id}`, { displayName: 'M' })
    const updates = (await eventsOf(service, api)).filter(({ type }) => type === 'person.updated')
    expect(updates.map(({ data }) => data.changedFields)).toEqual([['displayName', 'firstName'], ['displayName']])
    const { body: history } = await api.get(`/field-history-entries?entityId=${person.id}`)
    expect(history.data.map(({ field }: any) => field).toSorted()).toEqual([
      'displayName',
      'displayName',
      'firstName',
      null,
    ])
  })

  test('follows a promoted fact, unless the fact is the name itself', async () => {
    const api = await side()
    const { body: person } = await api.post('/people', { primaryPhone: '+15550100203' })
    const promote = async (key: string, value: string) => {
      const { body: fact } = await api.post('/facts', {
        subjectType: 'person',
        subjectId: person.id,
        key,
        value,
        status: 'confirmed',
      })
      expect((await api.post(`/facts/${fact.id}/promote`, {})).status).toBe(200)
      return named(await api.get(`/people/${person.id}`))
    }
    expect(await promote('legal_name', 'Maria Lopez')).toEqual(['Maria Lopez', true])
    expect(await promote('display_name', 'Mary')).toEqual(['Mary', false])
  })

  test('is found by first and last name, whatever is displayed', async () => {
    const api = await side()
    const { body: person } = await api.post('/people', {
      displayName: 'Bob the Builder',
      firstName: 'Róbert',
      lastName: 'Nagy',
    })
    for (const q of ['robert', 'nagy', 'rob nag', 'bob nagy'])
      expect((await api.get(`/people?q=${q}`)).body.data).toEqual([person])
    await api.patch(`/people/${person.id}`, { lastName: 'Kiss' })
    expect((await api.get('/people?q=nagy')).body.data).toEqual([])
    expect((await api.get('/people?q=kiss')).body.data).toHaveLength(1)
  })
})

describe('other names', () => {
  test('a party is called after its organization or its names, until somebody names it', async () => {
    const api = await side()
    const made = await api.post('/parties', { partyType: 'person', firstName: 'Maria', lastName: 'Lopez' })
    const at = `/parties/${made.body.id}`
    expect(named(await api.patch(at, { lastName: 'Smith' }))).toEqual(['Maria Smith', true])
    expect(named(await api.patch(at, { displayName: 'Mary', orgName: 'Acme' }))).toEqual(['Mary', false])
    expect(named(await api.patch(at, { displayName: null }))).toEqual(['Acme', true])
    expect((await api.patch(at, { orgName: null, firstName: null, lastName: null })).status).toBe(400)
  })

  test('a customer is renamed with the person or company it is called after, in one commit, with its history', async () => {
    const api = await side()
    const { body: person } = await api.post('/people', { firstName: 'Maria', lastName: 'Lopez' })
    const { body: company } = await api.post('/companies', { name: 'Acme' })
    const { body: ofPerson } = await api.post('/customers', {
      primaryPersonId: person.id,
      primaryCompanyId: company.id,
    })
    const { body: ofCompany } = await api.post('/customers', { primaryCompanyId: company.id })
    const { body: own } = await api.post('/customers', { displayName: 'Maria Lopez', primaryPersonId: person.id })
    await api.patch(`/people/${person.id}`, { lastName: 'Smith' })
    await api.patch(`/companies/${company.id}`, { name: 'Apex' })
    const names = async () =>
      Promise.all([ofPerson, ofCompany, own].map(async ({ id }) => named(await api.get(`/customers/${id}`))))
    expect(await names()).toEqual([
      ['Maria Smith', true],
      ['Apex', true],
      ['Maria Lopez', false],
    ])
    const { body: history } = await api.get(`/field-history-entries?entityId=${ofPerson.id}&field=displayName`)
    expect(history.data).toMatchObject([
      { previousValue: 'Maria Lopez', newValue: 'Maria Smith', changeType: 'update' },
    ])
    await api.delete(`/people/${person.id}`)
    expect(named(await api.patch(`/customers/${ofPerson.id}`, { tags: ['vip'] }))).toEqual(['Apex', true])
    await api.delete(`/companies/${company.id}`)
    expect(named(await api.patch(`/customers/${ofPerson.id}`, { tags: [] }))).toEqual(['Apex', true])
  })
})

describe('names from before the upgrade', () => {
  const forgetMarks = () =>
    service.database.withClient(async (client) => {
      for (const table of ['people', 'customers', 'parties'])
        await client.query(
          `update ${table} set shape = shape - 1, record = regexp_replace(record::text, ',"displayNameDerived":(true|false)', '')::json`,
        )
    })

  test('count as derived when they are what would be derived, and nothing else of the record changes', async () => {
    const api = await side()
    const bodies = [
      { firstName: 'Maria', lastName: 'Lopez', customFields: { '"legalName":': ',"legalName":' } },
      { displayName: 'Mary', firstName: 'Maria', legalName: 'say ","legalName":"x"' },
      { primaryEmail: 'm.lopez@example.com' },
      { displayName: 'Unknown', externalRefs: [{ system: 'crm', externalId: ',"legalName":' }] },
    ]
    const before: any[] = []
    for (const body of bodies) before.push((await api.post('/people', body)).body)
    const { body: customer } = await api.post('/customers', { primaryPersonId: before[0].id })
    const { body: party } = await api.post('/parties', { partyType: 'person', displayName: 'X', firstName: 'Y' })
    await forgetMarks()
    // More people than one batch holds, of which the last has its mark.
    const tenantId = await tenantOf(service, api)
    await service.database.query(sql`insert into people (tenant_id, id, version, updated_at, record)
      select tenant_id, uuid_v7(now() + n * interval '1 ms'), version, updated_at, record from people, generate_series(1, 600) n
      where tenant_id = ${tenantId} and id = ${before[0].id}`)
    const { body: marked } = await api.post('/people', { displayName: 'Ada', firstName: 'Ada' })
    expect(await runBatchJobs(service.database, '0109_')).toBe(3)
    const storedText = async (table: string, id: string) =>
      (
        await service.database.query<{ text: string }>(
          sql`select record::text as text from ${raw(table)} where tenant_id = ${tenantId} and id = ${id}`,
        )
      )[0]?.text
    for (const [index, person] of before.entries()) {
      const expected = { ...person, displayNameDerived: index !== 1 }
      expect(await storedText('people', person.id)).toBe(JSON.stringify(expected))
      expect((await api.get(`/people/${person.id}`)).body).toEqual(expected)
    }
    expect(await storedText('customers', customer.id)).toBe(JSON.stringify(customer))
    expect(await storedText('parties', party.id)).toBe(JSON.stringify(party))
    expect((await api.get(`/people/${marked.id}`)).body).toEqual(marked)
    const rest = await service.database.query(sql`select 1 from people where record ->> 'displayNameDerived' is null`)
    expect(rest).toEqual([])
  })

  test('do so too before the migration has come to them', async () => {
    const api = await side()
    const made = async (path: string, body: object) => `${path}/${(await api.post(path, body)).body.id}`
    const derived = await made('/people', { firstName: 'Maria', lastName: 'Lopez' })
    const set = await made('/people', { displayName: 'Mary', firstName: 'Maria' })
    const working = await made('/people', { firstName: 'Ada', customFields: { legalName: 'x' } })
    const party = await made('/parties', { partyType: 'organization', orgName: 'Acme' })
    const company = await made('/companies', { name: 'Acme' })
    const ofPerson = await made('/customers', { primaryPersonId: derived.split('/')[2] })
    const ofCompany = await made('/customers', { primaryCompanyId: company.split('/')[2] })
    const own = await made('/customers', { displayName: 'Shop', primaryCompanyId: company.split('/')[2] })
    await forgetMarks()
    expect(named(await api.get(derived))).toEqual(['Maria Lopez', null])
    expect(named(await api.patch(derived, { lastName: 'Smith' }))).toEqual(['Maria Smith', true])
    expect(named(await api.patch(set, { firstName: 'Ann' }))).toEqual(['Mary', false])
    expect(named(await api.patch(party, { orgName: 'Apex' }))).toEqual(['Apex', true])
    await api.patch(company, { name: 'Apex' })
    expect(named(await api.get(ofPerson))).toEqual(['Maria Smith', true])
    expect(named(await api.get(ofCompany))).toEqual(['Apex', true])
    expect(named(await api.patch(own, { tags: ['vip'] }))).toEqual(['Shop', false])
    // Work makes a customer for her, which is no reason to decide about her name.
    await api.post('/work-records', { title: 'Sink', kind: 'JOB', personId: working.split('/')[2] })
    await runBatchJobs(service.database, '0109_')
    expect(named(await api.get(working))).toEqual(['Ada', true])
    const keys = (record: object) => Object.keys(record).join()
    expect(keys((await api.get(ofPerson)).body)).toBe(keys((await api.post('/customers', { displayName: 'New' })).body))
  })
})
