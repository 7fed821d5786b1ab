// What a person does in the cockpit is put down to that person, and what a machine does to its key.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aFact, makePerson } from '../../support/captured.js'
import { type Service, startService } from '../../support/service.js'
import { makeSigningKey, OpenIdIssuer, uuidUser } from '../../support/sign-in/openid-issuer.js'

const audience = 'urn:parley:cockpit'
let service: Service
let issuer: OpenIdIssuer
let token: string
beforeAll(async () => {
  issuer = await OpenIdIssuer.start(await makeSigningKey('RS256', 'first'))
  service = await startService({
    PARLEY_OIDC_ISSUER: issuer.url,
    PARLEY_OIDC_AUDIENCE: audience,
    PARLEY_OIDC_ORG_CLAIM: 'org_id',
    PARLEY_OIDC_ROLE_CLAIM: 'role',
  })
  token = await issuer.mint(uuidUser, audience, { org_id: service.demo.id, role: 'agent' })
})
afterAll(async () => {
  await service.stop()
  await issuer.stop()
})

/** A write from a browser of the cockpit, on the sandbox side. */
async function byHand(path: string, body: object = {}): Promise<any> {
  const headers = {
    cookie: `__session=${token}`,
    origin: service.url,
    'x-parley-environment': 'sandbox',
    'content-type': 'application/json',
  }
  const response = await fetch(`${service.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.json()
}

test('facts', async () => {
  const { api } = service
  const person = await makePerson(api)
  const fact = await byHand('/facts', aFact({ subjectId: person.id }))
  expect(fact).toMatchObject({ source: 'manual', status: 'proposed' })
  expect(await byHand(`/facts/${fact.id}/confirm`)).toMatchObject({
    status: 'confirmed',
    confirmedVia: 'human',
    confirmedBy: uuidUser,
  })
  expect(await byHand(`/facts/${fact.id}/promote`)).toMatchObject({ status: 'promoted', promotedBy: uuidUser })
  expect(await byHand(`/facts/${(await api.post('/facts', aFact())).body.id}/reject`)).toMatchObject({
    status: 'rejected',
    rejectedBy: uuidUser,
  })
  const [promotion] = (await api.get(`/field-history-entries?entityId=${person.id}`)).body.data
  expect(promotion).toMatchObject({ changeType: 'promote', source: 'manual', actor: { type: 'user', id: uuidUser } })
})

test('drafts', async () => {
  const { api } = service
  const propose = async () =>
    (await api.post('/drafts', { callSessionId: randomUUID(), personId: (await makePerson(api)).id })).body.id
  expect(await byHand(`/drafts/${await propose()}/approve`)).toMatchObject({ status: 'approved', approvedBy: uuidUser })
  expect(await byHand(`/drafts/${await propose()}/reject`, { reason: 'no' })).toMatchObject({
    status: 'rejected',
    rejectedBy: uuidUser,
  })
})
