// Stories of the other screens: answer a text, correct a name, finish work, invite a colleague, make a key.
import { beforeAll, expect, test } from 'vitest'
import { holdUndo, inBrowser, stage } from './support/browser.js'
import { furnish } from './support/demo.js'

inBrowser('daily work', () => {
  const at = stage()
  let screens: readonly string[]
  const screen = (start: string) => screens.find((one) => one.startsWith(start)) ?? start
  beforeAll(async () => {
    await at.service.api.post('/phone-numbers', { e164: '+15550100000', isDefault: true })
    screens = await furnish(at.service)
  })

  test('inbox: a text is answered; who has opted out gets none, and one is told why', async () => {
    const { page, troubles } = await at.visit({ screen: 'inbox' })
    await page.getByRole('link', { name: /Hi, the sink is leaking again/ }).click()
    await page.getByRole('textbox', { name: 'Write a text' }).fill('We are on our way.')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('We are on our way.').waitFor()
    const stop = await at.service.api.post('/sms/inbound', { from: '+15550142201', to: '+15550100000', body: 'STOP' })
    expect(stop.text).toContain('"status":"received"')
    expect((await at.service.api.get('/contact-methods?normalizedValue=%2B15550142201')).text).toContain('opted_out')
    await page.getByText('This number has opted out.').first().waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Send text' }).isDisabled()).toBe(true)
    expect(troubles).toEqual([])
  })

  test('people: found as one types, corrected in place, undone, with a history', async () => {
    const { page, troubles } = await at.visit({ screen: 'people' })
    await holdUndo(page)
    await page.getByRole('searchbox').fill('oka')
    await page.waitForURL(/q=oka/)
    await page.getByRole('list', { name: 'People' }).getByText('David Okafor').click()
    await page
      .getByRole('list', { name: 'Timeline' })
      .getByText(/deposit dispute/)
      .first()
      .waitFor()
    await page.getByRole('textbox', { name: 'E-mail' }).fill('david@example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('insertion').getByText('david@example.com').waitFor()
    await page.getByRole('button', { name: /Undo/ }).click()
    const { id } = (await at.service.api.get('/people?q=okafor')).body.data[0]
    await expect.poll(async () => (await at.service.api.get(`/people/${id}`)).body.primaryEmail).toBe(null)
    expect(page.url()).toContain('q=oka')
    expect(troubles).toEqual([])
  })

  test('work: several finished at once, and taken back', async () => {
    const { page, troubles } = await at.visit({ screen: 'work/table?recordState=active' })
    await holdUndo(page)
    await page
      .getByRole('checkbox', { name: /Choose/ })
      .first()
      .check()
    await page.getByRole('button', { name: 'Complete' }).click()
    await page.getByText('1 changed').waitFor()
    const work = screen('work/table/').split('/')[2]
    const state = async () => (await at.service.api.get(`/work-records/${work}`)).body.recordState
    await expect.poll(state).toBe('completed')
    await page.getByRole('button', { name: /Undo/ }).click()
    await expect.poll(state).toBe('active')
    expect(troubles).toEqual([])
  })

  test('settings: an owner invites by link, and who opens it joins', async () => {
    const owner = await at.visit({ environment: 'production', screen: 'settings/members' })
    await owner.page.getByRole('button', { name: 'Invite' }).click()
    await owner.page.getByRole('textbox', { name: 'E-mail' }).fill('dana@example.com')
    await owner.page.getByRole('button', { name: 'Make a link' }).click()
    const link = await owner.page.getByRole('dialog').locator('pre').textContent()
    const { page, troubles } = await at.stranger()
    await page.goto(link ?? '')
    await page.getByRole('heading', { name: 'Join Demo' }).waitFor()
    expect(page.url()).not.toContain('#')
    await page.getByRole('textbox', { name: 'Your name' }).fill('Dana Reyes')
    await page.locator('input[name=password]').fill('a long enough password')
    await page.getByRole('button', { name: 'Join' }).click()
    await page.waitForURL('**/live')
    await page.getByText('Dana Reyes').waitFor()
    expect([...owner.troubles, ...troubles]).toEqual([])
  })

  test('a password signs in again, and a wrong one says so', async () => {
    const { page } = await at.stranger()
    await page.goto('/sign-in')
    await page.getByRole('textbox', { name: 'E-mail' }).fill('dana@example.com')
    await page.locator('input[name=password]').fill('not the password at all')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('E-mail or password is wrong.').waitFor()
    await page.locator('input[name=password]').fill('a long enough password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/live')
  })

  test('developers: a key is minted and shown once, and a viewer is told why not', async () => {
    const { page, troubles } = await at.visit({ screen: 'developers/keys' })
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('An agent with it').selectOption('Writes directly')
    await page.getByRole('textbox', { name: 'Name' }).fill('Website')
    await page.keyboard.press('Enter')
    const key = (await page.getByRole('dialog', { name: 'Your new key' }).locator('pre').textContent()) ?? ''
    const { status, body } = await at.service.client(key).get('/schema')
    expect({ status, key: body.key }).toMatchObject({ status: 200, key: { scope: 'WRITE' } })
    await page.getByRole('button', { name: 'I have kept it' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'Website' })
    await row.getByText('Writes directly').waitFor()
    expect(await page.content()).not.toContain(key)
    expect(troubles).toEqual([])
    const viewer = await at.visit({ role: 'viewer', screen: 'settings/members' })
    await viewer.page.getByRole('button', { name: 'Invite' }).waitFor()
    await expect.poll(() => viewer.page.getByRole('button', { name: 'Invite' }).isDisabled()).toBe(true)
  })
})
