// Who may be the same: by number, address, contact method and name, most likely first.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nobodysId } from '../../support/endpoint-requests.js'
import { expectRefusal } from '../../support/every-endpoint.js'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

const make = async (path: string, body: object, client = api): Promise<any> => {
  const answer = await client.post(path, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

test('people with the same number, address, contact method or name, with the reasons and the record', async () => {
  const maria = await make('/people', {
    displayName: 'Maria Lopez',
    primaryPhone: '+15550107001',
    primaryEmail: 'maria@example.com',
  })
  const both = await make('/people', {
    displayName: 'lópez MARIA',
    primaryPhone: '+15550107001',
    primaryEmail: 'MARIA@example.com',
  })
  const byMail = await make('/people', { displayName: 'M.', primaryEmail: 'maria@example.com' })
  const byContact = await make('/people', { displayName: 'Work phone' })
  await make('/contact-methods', {
    channel: 'phone',
    value: '+15550107001',
    ownerType: 'person',
    ownerId: byContact.id,
  })
  const byName = await make('/people', { displayName: 'Maria Lopez' })
  await make('/people', { displayName: 'Maria' })
  await make('/people', { displayName: 'Maria Lopez Garcia' })
  await make('/people', { displayName: 'Maria Lopez', primaryPhone: '+15550107001' }, service.demo.live)
  const { body } = await api.get(`/people/${maria.id}/duplicates`)
  expect(body.data.map(({ person, reasons, score }: any) => [person.id, reasons, score])).toEqual([
    [both.id, ['email', 'name', 'phone'], 0.99],
    [byMail.id, ['email'], 0.9],
    [byContact.id, ['contact_method'], 0.7],
    [byName.id, ['name'], 0.4],
  ])
  expect(body.data[0].person).toEqual(both)
  const back = (await api.get(`/people/${byContact.id}/duplicates`)).body.data
  expect(back.map(({ person }: any) => person.id).sort()).toEqual([maria.id, both.id].sort())
  await api.delete(`/people/${both.id}`)
  expect((await api.get(`/people/${maria.id}/duplicates`)).body.data).toHaveLength(3)
  expectRefusal(await api.get(`/people/${nobodysId}/duplicates`), 404, 'not_found')
})

test('customers likewise', async () => {
  const one = await make('/customers', { displayName: 'Larch Street Housing', primaryPhone: '+15550107002' })
  const two = await make('/customers', { displayName: 'Larch Street', primaryPhone: '+15550107002' })
  const three = await make('/customers', { displayName: 'Housing Larch Street', primaryEmail: 'x@example.com' })
  const { data } = (await api.get(`/customers/${one.id}/duplicates`)).body
  expect(data.map(({ customer, reasons }: any) => [customer.id, reasons])).toEqual([
    [two.id, ['phone']],
    [three.id, ['name']],
  ])
})
