// Members and invitations: who may change them, that an organization keeps an owner, that changes hold at once and on
// every node, and that nobody learns who has a user already.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { nobodysId } from '../../support/endpoint-requests.js'
import { expectRefusal } from '../../support/every-endpoint.js'
import { withoutRechecks } from '../../support/rechecks.js'
import { type Organization, type Service, startService } from '../../support/service.js'
import { Browser, makeUser, member, signInAs, tokenOf } from '../../support/sign-in/browser.js'

const password = 'correct horse battery'

let service: Service
beforeAll(async () => {
  service = await startService({ PARLEY_TRUST_PROXY: 'true' })
})
afterAll(() => service.stop())

let organizations = 0
const newOrganization = (): Promise<Organization> => service.organization(`Organization ${organizations++}`)

describe('members', () => {
  test('are listed with their roles, on both sides alike', async () => {
    const { id, sandbox } = await newOrganization()
    const owner = await member(service, 'owner', id)
    const viewer = await member(service, 'viewer', id, 'production')
    const { data } = (await viewer.get('/members')).body
    expect(data).toEqual([
      {
        id: viewer.user.id,
        name: 'Someone',
        email: viewer.user.email,
        role: 'viewer',
        joinedAt: expect.any(String),
        lastSeenAt: expect.any(String),
      },
      expect.objectContaining({ id: owner.user.id, role: 'owner' }),
    ])
    expect((await sandbox.get('/members?count=true&limit=1')).body).toMatchObject({
      data: [{ id: viewer.user.id }],
      pagination: { count: 2, nextCursor: expect.any(String) },
    })
    expect((await owner.get('/members?q=owner')).body.data).toMatchObject([{ id: owner.user.id }])
  })

  test('are changed by an owner or a live ADMIN key, and by nobody else', async () => {
    const { id, sandbox, live } = await newOrganization()
    const owner = await member(service, 'owner', id)
    const agent = await member(service, 'agent', id)
    const change = { role: 'viewer' }
    const path = `/members/${agent.user.id}`
    expect((await agent.patch(path, change)).body.error.details.reason).toBe('scope')
    const bySandbox = await sandbox.patch(path, change)
    expectRefusal(bySandbox, 403, 'forbidden')
    expect(bySandbox.body.error.details).toEqual({ reason: 'live_key' })
    expect((await live.patch(path, change)).body).toMatchObject({ id: agent.user.id, role: 'viewer' })
    expect((await owner.patch(path, { role: 'agent' })).body.role).toBe('agent')
    expect((await owner.patch(path, { role: 'king' })).status).toBe(400)
    const stranger = await member(service, 'owner', (await newOrganization()).id)
    expectRefusal(await stranger.patch(path, change), 404, 'not_found')
    expectRefusal(await stranger.delete(path), 404, 'not_found')
    expectRefusal(await stranger.post(`${path}/reset-link`), 404, 'not_found')
    expectRefusal(await owner.patch(`/members/${nobodysId}`, change), 404, 'not_found')
    expect((await owner.delete(path)).status).toBe(204)
    expectRefusal(await owner.delete(path), 404, 'not_found')
  })

  test('keep an owner, also when two of them leave at once', async () => {
    const { id, live } = await newOrganization()
    const only = await member(service, 'owner', id)
    for (const answer of [
      await only.delete(`/members/${only.user.id}`),
      await only.patch(`/members/${only.user.id}`, { role: 'agent' }),
    ]) {
      expectRefusal(answer, 409, 'conflict')
      expect(answer.body.error.details.reason).toBe('last_owner')
    }
    for (let round = 0; round < 5; round++) {
      const second = await makeUser(service, id, 'owner')
      const owners = (await live.get('/members?q=owner')).body.data.map((one: { id: string }) => one.id)
      expect(owners).toHaveLength(2)
      const answers = await Promise.all(owners.map((one: string) => live.delete(`/members/${one}`)))
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
      expect((await live.get('/members?q=owner')).body.data).toHaveLength(1)
      expect(second.id).toBeDefined()
    }
  })

  test('lose what they lose with the next request, on every node, and their streams close as word of it goes round', async () => {
    const { id } = await newOrganization()
    const node = await service.node()
    const owner = await member(service, 'owner', id)
    const agent = await member(service, 'agent', id)
    const other = await member(service, 'agent', id)
    const open = async (browser: Browser, url: string) => {
      const response = await fetch(`${url}/api/v1/events/stream`, { headers: browser.headers() })
      expect(response.status).toBe(200)
      const ended = response.text().then(() => 'ended')
      return { ended }
    }
    const [kept, ...streams] = await withoutRechecks(async () => [
      await open(other, node.url),
      await open(agent, service.url),
      await open(agent, node.url),
    ])
    await owner.patch(`/members/${agent.user.id}`, { role: 'viewer' })
    for (const url of [service.url, node.url])
      expect((await agent.via(url).post('/tasks', { title: 'x' })).status).toBe(403)
    expect((await owner.delete(`/members/${agent.user.id}`)).status).toBe(204)
    for (const url of [service.url, node.url]) expect((await agent.via(url).get('/tasks')).status).toBe(404)
    await Promise.all(streams.map(({ ended }) => ended))
    expect(await Promise.race([kept?.ended, Promise.resolve('open')])).toBe('open')
    expect((await other.delete('/session')).status).toBe(204)
    await kept.ended
  })
})

describe('an invitation', () => {
  const invite = async (organizationId: string, email: string, role = 'agent') => {
    const owner = await member(service, 'owner', organizationId)
    const made = await owner.post('/invitations', { email, role })
    expect(made.status).toBe(201)
    return { ...made.body, token: tokenOf(made.body.url), owner }
  }
  const accept = (body: object, browser = new Browser(service.url)) => browser.post('/session/invitation', body)

  test('makes a user, who is a member with that role and signed in', async () => {
    const { id } = await newOrganization()
    const made = await invite(id, 'Ana@Example.com', 'viewer')
    expect(made).toMatchObject({ email: 'ana@example.com', role: 'viewer', invitedById: made.owner.user.id })
    expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(7 * 24 * 3_600_000)
    expect((await made.owner.get('/invitations')).body.data).toMatchObject([{ id: made.id, email: made.email }])
    expect((await made.owner.get('/invitations')).text).not.toContain(made.token)
    const browser = new Browser(service.url)
    const looked = await browser.post('/session/exchange', { token: made.token })
    expect(looked.body).toMatchObject({ purpose: 'invitation', link: { email: made.email, role: 'viewer' } })
    expect((await accept({ token: made.token }, browser)).body.error.details[0].path).toBe('password')
    const { body } = await accept({ token: made.token, name: 'Ana', password }, browser)
    expect(body).toMatchObject({
      user: { name: 'Ana', email: 'ana@example.com', hasPassword: true },
      organizations: [{ id, role: 'viewer' }],
    })
    expect((await browser.at(id).get('/tasks')).status).toBe(200)
    expect((await made.owner.get('/invitations')).body.data).toEqual([])
    expectRefusal(await accept({ token: made.token, password }), 422, 'unprocessable')
  })

  test('is accepted once by ten at a time', async () => {
    const { id } = await newOrganization()
    const { token, owner } = await invite(id, 'crowd@example.com')
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept({ token, password })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await owner.get('/members')).body.data).toHaveLength(2)
  })

  test('of an address that has a user is accepted by that user alone, and the inviter sees no difference', async () => {
    const [first, second] = [await newOrganization(), await newOrganization()]
    const joined = await invite(first.id, 'bo@example.com')
    const bo = new Browser(service.url)
    await accept({ token: joined.token, name: 'Bo', password }, bo)
    const [known, unknown] = [await invite(second.id, 'bo@example.com'), await invite(second.id, 'cy@example.com')]
    expect(Object.keys(known)).toEqual(Object.keys(unknown))
    const looks = await Promise.all(
      [known, unknown].map(({ token }) => new Browser(service.url).post('/session/exchange', { token })),
    )
    expect(Object.keys(looks[0]?.body.link)).toEqual(Object.keys(looks[1]?.body.link))
    // Somebody with the link, but not with the password.
    expectRefusal(await accept({ token: known.token, password: 'not the right one' }), 401, 'unauthorized')
    // Somebody else who is signed in.
    const other = await member(service, 'owner', first.id)
    const refused = await accept({ token: known.token }, other)
    expectRefusal(refused, 409, 'conflict')
    expect(refused.body.error.details.reason).toBe('other_user')
    expect((await accept({ token: unknown.token }, other)).body.error.details.reason).toBe('other_user')
    const { body } = await accept({ token: known.token }, bo)
    expect(body.organizations.map((one: { id: string }) => one.id).sort()).toEqual([first.id, second.id].sort())
    // By the password of that user, without being signed in before.
    const third = await newOrganization()
    const again = await invite(third.id, 'bo@example.com')
    expect((await accept({ token: again.token, password })).body.organizations).toHaveLength(3)
  })

  test('is void when it was withdrawn or made anew, and needs a live key or an owner', async () => {
    const { id, sandbox, live } = await newOrganization()
    const first = await invite(id, 'dee@example.com')
    const second = await invite(id, 'dee@example.com')
    expect((await second.owner.get('/invitations')).body.data).toHaveLength(1)
    expect((await accept({ token: first.token, password })).status).toBe(422)
    expect((await sandbox.delete(`/invitations/${second.id}`)).status).toBe(403)
    const stranger = await newOrganization()
    expect((await stranger.live.delete(`/invitations/${second.id}`)).status).toBe(404)
    expect((await live.delete(`/invitations/${second.id}`)).status).toBe(204)
    expect((await accept({ token: second.token, password })).status).toBe(422)
    expect((await sandbox.post('/invitations', { email: 'x@example.com', role: 'agent' })).status).toBe(403)
    const agent = await member(service, 'agent', id)
    expect((await agent.get('/invitations')).status).toBe(403)
  })

  test('is made once for one Idempotency-Key, and what is kept of the answer is encrypted', async () => {
    const { id } = await newOrganization()
    const owner = await member(service, 'owner', id)
    const headers = { 'idempotency-key': 'one' }
    const send = () => owner.post('/invitations', { email: 'eve@example.com', role: 'agent' }, headers)
    const [one, two] = [await send(), await send()]
    expect(two.text).toBe(one.text)
    expect(two.headers.get('idempotent-replayed')).toBe('true')
  })
})

describe('a user', () => {
  test('sees where they are signed in, and ends any of it', async () => {
    const user = await makeUser(service, service.demo.id)
    const [here, there] = [await signInAs(service, user), await signInAs(service, user)]
    const { data } = (await here.get('/sessions')).body
    expect(data.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent).sort()).toEqual([false, true])
    const theirs = data.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)
    const stranger = await member(service, 'owner')
    expect((await stranger.delete(`/sessions/${theirs.id}`)).status).toBe(404)
    expect((await here.delete(`/sessions/${theirs.id}`)).status).toBe(204)
    expect((await there.get('/sessions')).status).toBe(401)
    const third = await signInAs(service, user)
    expect((await here.delete('/sessions')).status).toBe(204)
    expect((await third.get('/sessions')).status).toBe(401)
    expect((await here.get('/sessions')).body.data).toHaveLength(1)
  })

  test('has at most fifty sessions: a further one ends the one that was not used for longest', async () => {
    const user = await makeUser(service, service.demo.id)
    const first = await signInAs(service, user)
    for (let count = 0; count < 49; count++) await signInAs(service, user)
    expect((await first.get('/session')).body.user).not.toBeNull()
    const last = await signInAs(service, user)
    expect((await last.get('/sessions')).body.data).toHaveLength(50)
  })

  test('without an e-mail address may take a free one, once', async () => {
    const [one, two] = [await makeUser(service, undefined), await makeUser(service, undefined)]
    const browser = await signInAs(service, one)
    await service.database.query(sql`update users set email = null where id = ${one.id}`)
    const update = (body: object) => browser.patch('/session/user', body)
    expect((await update({ email: two.email })).body.error.details.reason).toBe('email_taken')
    expect((await update({ name: 'Ana', email: 'ANA.own@example.com' })).body.user).toMatchObject({
      name: 'Ana',
      email: 'ana.own@example.com',
    })
    expect((await update({ email: 'other@example.com' })).body.error.details.reason).toBe('email_set')
  })
})
