// Passwords: signing in, guessing, choosing a new one, and what is told to whom on the way.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { expectRefusal } from '../../support/every-endpoint.js'
import { type Answer, type Service, startService } from '../../support/service.js'
import { addMember, Browser, makeUser, member, signInAs, tokenOf } from '../../support/sign-in/browser.js'
import { MailServer } from '../../support/sign-in/mail-server.js'

const password = 'correct horse battery'
const wrong = 'incorrect horse battery'

let service: Service
beforeAll(async () => {
  service = await startService({ PARLEY_TRUST_PROXY: 'true' })
})
afterAll(() => service.stop())

let addresses = 0
/** Guesses are counted by address, so every test comes from others. */
const from = (address = `10.1.${addresses >> 8}.${addresses++ & 255}`) => ({ 'x-forwarded-for': address })

async function userWhoChoosesPassword() {
  const user = await makeUser(service, service.demo.id)
  const browser = await signInAs(service, user)
  const answer = await browser.put('/session/password', { password })
  expect(answer.status).toBe(200)
  return Object.assign(user, { browser })
}

let chosen: ReturnType<typeof userWhoChoosesPassword> | undefined
/** With the hash that another user's choice has left: making one is slow on purpose. */
async function userWithPassword() {
  const { id: other } = await (chosen ??= userWhoChoosesPassword())
  const user = await makeUser(service, service.demo.id)
  await service.database.query(
    sql`update users set password = (select password from users where id = ${other}) where id = ${user.id}`,
  )
  return Object.assign(user, { browser: await signInAs(service, user) })
}

const signIn = (body: { email: string; password: string }, address?: string, url = service.url): Promise<Answer> =>
  new Browser(url).post('/session', body, from(address))

describe('signing in', () => {
  test('takes the address in any case and the password to the letter, and keeps a slow, salted hash', async () => {
    const [one, two] = [await userWhoChoosesPassword(), await userWhoChoosesPassword()]
    const browser = new Browser(service.url)
    const answer = await browser.post('/session', { email: one.email.toUpperCase(), password }, from())
    expect(answer.body).toMatchObject({ user: { id: one.id, hasPassword: true } })
    expect((await browser.at(service.demo.id).get('/tasks')).status).toBe(200)
    for (const guess of [wrong, password.toUpperCase(), ` ${password}`, ''])
      expectRefusal(await signIn({ email: one.email, password: guess }), 401, 'unauthorized')
    const kept = await service.database.query<{ password: string }>(
      sql`select password from users where id in (${one.id}, ${two.id})`,
    )
    for (const row of kept) expect(row.password).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
    expect(kept[0]?.password).not.toBe(kept[1]?.password)
  })

  test('does not tell an unknown address from a wrong password, or from a user without one', async () => {
    const withPassword = await userWithPassword()
    const without = await makeUser(service, service.demo.id)
    const answers: Answer[] = []
    for (const email of [withPassword.email, without.email, 'nobody@example.com'])
      answers.push(await signIn({ email, password: wrong }))
    for (const answer of answers) {
      expectRefusal(answer, 401, 'unauthorized')
      expect(answer.body.error).toEqual(answers[0]?.body.error)
      expect([...answer.headers.keys()].sort()).toEqual([...(answers[0]?.headers.keys() ?? [])].sort())
    }
  })
})

describe('guessing', () => {
  test.each(['a user', 'nobody'])(
    'at %s is refused after ten times, also by another node, while others may sign in',
    async (whose) => {
      const user = whose === 'nobody' ? { email: 'unknown@example.com' } : await userWithPassword()
      const [address, node] = ['10.2.0.1', await service.node()]
      // All at once: a crowd of guesses gets no more than a row of them.
      const answers = await Promise.all(
        Array.from({ length: 14 }, () => signIn({ email: user.email, password: wrong }, address)),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
      const refused = await signIn({ email: user.email, password }, address, node.url)
      expectRefusal(refused, 429, 'rate_limited')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800)
      const elsewhere = await signIn({ email: user.email, password })
      expect(elsewhere.status).toBe(whose === 'nobody' ? 401 : 200)
    },
  )

  test('from one address at many users is refused in the end, and a /64 is one address', async () => {
    await service.database.query(sql`delete from sign_in_attempts`)
    const email = (number: number) => `someone${number}@example.com`
    expect((await signIn({ email: email(0), password: wrong }, '2001:db8::1')).status).toBe(401)
    await service.database.query(sql`update sign_in_attempts set attempts = 200 where attempts = 1
      and subject not in (select subject from sign_in_attempts where attempts > 1)`)
    expect((await signIn({ email: email(1), password: wrong }, '2001:db8::2')).status).toBe(429)
    expect((await signIn({ email: email(2), password: wrong }, '2001:db8:0:1::2')).status).toBe(401)
  })

  test('is forgotten after a quarter of an hour', async () => {
    const user = await userWithPassword()
    const address = '10.2.0.3'
    await service.database.query(sql`delete from sign_in_attempts`)
    expect((await signIn({ email: user.email, password: wrong }, address)).status).toBe(401)
    await service.database.query(sql`update sign_in_attempts set attempts = 10`)
    expect((await signIn({ email: user.email, password }, address)).status).toBe(429)
    await service.database.query(sql`update sign_in_attempts set began_at = began_at - interval '15 minutes'`)
    expect((await signIn({ email: user.email, password }, address)).status).toBe(200)
  })
})

describe('a new password', () => {
  test('needs the old one, ends all other sessions and gives this one a new cookie', async () => {
    const user = await userWithPassword()
    const other = await signInAs(service, user)
    const before = user.browser.session
    const change = (body: object) => user.browser.put('/session/password', body)
    expect((await change({ password: wrong })).body.error.details[0].path).toBe('currentPassword')
    expectRefusal(await change({ password: wrong, currentPassword: 'something else' }), 401, 'unauthorized')
    expect((await change({ password: 'short' })).status).toBe(400)
    expect((await other.get('/sessions')).status).toBe(200)
    expect((await change({ password: wrong, currentPassword: password })).status).toBe(200)
    expect(user.browser.session).not.toBe(before)
    expect((await user.browser.get('/sessions')).body.data).toHaveLength(1)
    expect((await other.get('/sessions')).status).toBe(401)
    expect((await signIn({ email: user.email, password })).status).toBe(401)
    expect((await signIn({ email: user.email, password: wrong })).status).toBe(200)
  })

  test('by a link of an owner is chosen once, by the member of that organization alone', async () => {
    const owner = await member(service, 'owner')
    const user = await userWithPassword()
    const made = await owner.post(`/members/${user.id}/reset-link`)
    expect(made.status).toBe(201)
    const token = tokenOf(made.body.url)
    const browser = new Browser(service.url)
    expect((await browser.post('/session/exchange', { token })).body).toMatchObject({
      purpose: 'reset',
      session: null,
      link: { email: user.email },
    })
    const choose = () => new Browser(service.url).post('/session/reset', { token, password: wrong })
    const answers = await Promise.all([choose(), choose(), choose()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    expect((await user.browser.get('/sessions')).status).toBe(401)
    expect((await signIn({ email: user.email, password: wrong })).status).toBe(200)
  })

  test('of someone who belongs to another organization too is none of an owner’s business', async () => {
    const owner = await member(service, 'owner')
    const user = await userWithPassword()
    const early = await owner.post(`/members/${user.id}/reset-link`)
    const other = await service.organization('Another employer')
    await addMember(service, other.id, user.id, 'viewer')
    const refused = await owner.post(`/members/${user.id}/reset-link`)
    expectRefusal(refused, 409, 'conflict')
    expect(refused.body.error.details.reason).toBe('several_organizations')
    // Nor is a link good that was made before the user joined the other one.
    const token = tokenOf(early.body.url)
    expect((await new Browser(service.url).post('/session/reset', { token, password: wrong })).status).toBe(422)
    expect((await signIn({ email: user.email, password })).status).toBe(200)
  })
})

describe('without a mail server', () => {
  test('nothing is mailed, and the page is told', async () => {
    const answer = await new Browser(service.url).post('/session/forgot', { email: 'a@example.com' }, from())
    expectRefusal(answer, 409, 'conflict')
    expect(answer.body.error.details.reason).toBe('no_mail')
  })
})

describe('with a mail server', () => {
  let mail: MailServer
  let mailing: Service
  beforeAll(async () => {
    mail = await MailServer.start()
    mailing = await startService({ PARLEY_SMTP_URL: mail.url, PARLEY_SMTP_FROM: 'Parley <parley@example.com>' })
  })
  afterAll(async () => {
    await mailing.stop()
    await mail.stop()
  })
  const linkIn = (text: string | undefined) => /https?:\/\/\S+\/sign-in#[\w-]{43}/.exec(text ?? '')?.[0] ?? ''

  test('a forgotten password is replaced by a link to its address; an unknown address is answered alike', async () => {
    const user = await makeUser(mailing, mailing.demo.id)
    const browser = new Browser(mailing.url)
    expect((await browser.get('/session')).body.signIn.mail).toBe(true)
    const unknown = await browser.post('/session/forgot', { email: 'nobody@example.com' })
    const known = await browser.post('/session/forgot', { email: user.email })
    expect([known.status, known.body]).toEqual([202, {}])
    expect([unknown.status, unknown.body]).toEqual([202, {}])
    await expect.poll(() => mail.mails.length).toBe(1)
    const [text] = mail.mails
    expect(text).toMatch(new RegExp(`^To: ${user.email}`, 'm'))
    const token = tokenOf(linkIn(text))
    const answer = await browser.post('/session/reset', { token, password })
    expect(answer.body.user).toMatchObject({ id: user.id, hasPassword: true })
  })

  test('an invitation is mailed and shown; the reset of someone else’s member is mailed and not shown', async () => {
    const owner = await member(mailing, 'owner', mailing.demo.id)
    const before = mail.mails.length
    const invited = await owner.post('/invitations', { email: 'new@example.com', role: 'agent' })
    await expect.poll(() => mail.mails.length).toBe(before + 1)
    expect(linkIn(mail.mails[before])).toBe(invited.body.url)
    const user = await makeUser(mailing, mailing.demo.id, 'agent')
    await addMember(mailing, (await mailing.organization('Another')).id, user.id, 'owner')
    const reset = await owner.post(`/members/${user.id}/reset-link`)
    expect([reset.status, reset.body.url]).toEqual([202, null])
    await expect.poll(() => mail.mails.length).toBe(before + 2)
    const token = tokenOf(linkIn(mail.mails[before + 1]))
    expect((await new Browser(mailing.url).post('/session/reset', { token, password })).body.user.id).toBe(user.id)
  })
})
