// Stories of the settings: a form is built, a fact is taught and tried, a number gets its hours, a provider is linked.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../server/test/support/free-port.js'
import { client, OpenIdProvider } from '../../server/test/support/sign-in/openid-provider.js'
import { inBrowser, stage, type Visit } from './support/browser.js'

inBrowser('settings', () => {
  let provider: OpenIdProvider
  const at = stage(async () => {
    const port = await freePort()
    const publicUrl = `http://127.0.0.1:${port}`
    provider = await OpenIdProvider.start(`${publicUrl}/sign-in/callback`)
    return {
      PORT: String(port),
      PARLEY_PUBLIC_URL: publicUrl,
      PARLEY_OIDC_ISSUER: provider.url,
      PARLEY_OIDC_CLIENT_ID: client.id,
      PARLEY_OIDC_CLIENT_SECRET: client.secret,
    }
  })
  afterAll(() => provider?.stop())
  const api = () => at.service.api
  let owner: Visit
  beforeAll(async () => {
    owner = await at.visit({ screen: 'settings/organization' })
  })
  const saved = (page: Page) => page.getByRole('status').getByText('Saved').waitFor()

  test('organization: zone, country, what reads conversations, and what is kept how long', async () => {
    const { page, troubles } = owner
    await page.getByLabel('Time zone').selectOption('America/New_York')
    await page.getByLabel('Country').fill('us')
    await page.getByLabel('What reads conversations').selectOption('rules')
    await page.getByRole('button', { name: 'Save' }).click()
    await saved(page)
    const { settings } = (await api().get('/organization')).body
    expect(settings).toMatchObject({ timezone: 'America/New_York', defaultCountry: 'US', extractor: 'rules' })
    await page.getByRole('link', { name: 'What is kept' }).click()
    await page.getByText('Until you delete them').waitFor()
    expect(await page.getByText('90 days').count()).toBe(4)
    expect(troubles).toEqual([])
  })

  test('work types: a form is built by keyboard alone and shown as it grows', async () => {
    const [type] = (await api().get('/work-type-definitions?canonicalKind=job')).body.data
    await api().patch(`/work-type-definitions/${type.id}`, { requiredFields: ['service_address'] })
    const { page, at: address, troubles } = owner
    await page.goto(address('settings/types'))
    await page.getByRole('link', { name: /^Job/ }).click()
    const form = page.getByRole('region', { name: 'The form as it will be' })
    await form.getByLabel('Service address (asked for)').waitFor()
    const press = async (on: Locator) => {
      await on.focus()
      await page.keyboard.press('Enter')
    }
    await press(page.getByRole('button', { name: 'Add field' }))
    await page.keyboard.type('Licence plate')
    await press(page.getByRole('button', { name: 'Add field' }))
    await page.keyboard.type('Fuel')
    await page.keyboard.press('Tab')
    // One letter: those of a word have to follow each other within a second.
    await page.keyboard.press('C')
    await page.getByLabel('Choices').fill('gas\noil')
    await form.getByLabel('Licence plate').waitFor()
    const choices = () => form.getByLabel('Fuel').locator('option').allTextContents()
    await expect.poll(choices).toEqual(['–', 'gas', 'oil'])
    await press(page.getByRole('button', { name: 'Move Fuel up' }))
    await page.keyboard.press('Enter')
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await expect.poll(focused).toBe('Move Fuel down')
    await page.getByRole('listitem').first().getByLabel('Ask for it in the call').focus()
    await page.keyboard.press('Space')
    await page.getByRole('textbox', { name: 'Name' }).focus()
    await page.keyboard.press('Enter')
    await saved(page)
    const made = (await api().get(`/work-type-definitions/${type.id}`)).body
    expect(JSON.stringify(made.fieldSchema.properties)).toBe(
      JSON.stringify({ fuel: { type: 'string', enum: ['gas', 'oil'] }, licence_plate: { type: 'string' } }),
    )
    expect(made.requiredFields).toEqual(['fuel', 'service_address'])
    expect(troubles).toEqual([])
  })

  test('work types: a name changes, a key does not; what the API set stays', async () => {
    const [type] = (await api().get('/work-type-definitions?canonicalKind=matter')).body.data
    const fieldSchema = {
      type: 'object',
      properties: {
        court_no: { type: 'string', maxLength: 20 },
        parties: { type: 'array', items: { type: 'string' } },
      },
      required: ['court_no'],
    }
    await api().patch(`/work-type-definitions/${type.id}`, { fieldSchema })
    const { page, at: address } = owner
    await page.goto(address(`settings/types/${type.id}`))
    await page.getByRole('textbox', { name: 'Field' }).first().fill('Court number')
    expect(await page.getByLabel('Type').last().isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await saved(page)
    const { properties, required } = (await api().get(`/work-type-definitions/${type.id}`)).body.fieldSchema
    expect(properties.court_no).toEqual({ type: 'string', maxLength: 20, title: 'Court number' })
    expect([properties.parties, required]).toEqual([fieldSchema.properties.parties, ['court_no']])
    await page.getByRole('button', { name: 'Add field' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await page.getByText('Give every field a name.').waitFor()
  })

  test('facts and signals: taught, and tried on a sentence', async () => {
    const { page, at: address, troubles } = owner
    await page.goto(address('settings/definitions'))
    await page.getByRole('button', { name: 'Add fact' }).click()
    await page.getByLabel('Key').fill('roof_age')
    await page.getByRole('textbox', { name: 'Name' }).fill('Age of the roof')
    await page.getByLabel('Type').selectOption('number')
    await page.getByLabel('Other words for it').fill('years old')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/definitions\/facts\/[0-9a-f-]{36}/)
    await page.getByRole('textbox', { name: 'Try it on this sentence' }).fill('The roof is 12 years old.')
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    const found = page.getByRole('region', { name: 'Try it on this sentence' })
    await found.getByText('Age of the roof').waitFor()
    await found.getByText('12', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Facts and signals' }).last().click()
    await page.getByRole('button', { name: 'Add signal' }).click()
    await page.getByLabel('Key').fill('angry')
    await page.getByRole('textbox', { name: 'Name' }).fill('Angry caller')
    await page.getByLabel('What callers say').fill('unacceptable\nfurious')
    await page.getByLabel('How much it matters').selectOption('critical')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/definitions\/signals\/[0-9a-f-]{36}/)
    await page.getByRole('textbox', { name: 'Try it on this sentence' }).fill('This is unacceptable.')
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await found.getByText('Angry', { exact: true }).waitFor()
    const [signal] = (await api().get('/signal-definitions?key=angry')).body.data
    expect(signal).toMatchObject({ phrases: ['unacceptable', 'furious'], severity: 'critical', enabled: true })
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove for good' }).click()
    await page.waitForURL(/definitions$/)
    await page.getByRole('link', { name: /Age of the roof/ }).waitFor()
    expect((await api().get('/signal-definitions?key=angry')).body.data).toEqual([])
    expect(troubles).toEqual([])
  })

  test('numbers: who is rung, in which hours, and what the caller hears', async () => {
    const number = (await api().post('/phone-numbers', { e164: '+15550100300' })).body
    const { page, at: address, troubles } = owner
    await page.goto(address('settings/numbers'))
    await page.getByRole('link', { name: /0300/ }).click()
    await page.getByRole('button', { name: 'Answer calls' }).click()
    await page.getByRole('textbox', { name: 'Phone 1' }).fill('+12125550101')
    await page.getByLabel('How they ring').selectOption('sequential')
    await page.getByLabel('Only in opening hours').check()
    expect(await page.getByLabel('Time zone').inputValue()).toBe('America/New_York')
    await page.getByRole('button', { name: 'Remove hours on Friday' }).click()
    await page.getByRole('button', { name: 'Add hours on Saturday' }).click()
    await page.getByLabel('Saturday: to').fill('00:00')
    await page.getByRole('button', { name: 'Add a day' }).click()
    await page.getByLabel('Closed on', { exact: true }).fill('2026-12-25')
    await page.getByLabel('Record answered calls').check()
    await page.getByText('Callers are not told').waitFor()
    await page.getByLabel('Said before anything is recorded').fill('This call may be recorded.')
    await page.getByRole('button', { name: 'Save' }).click()
    await saved(page)
    const { routing } = (await api().get(`/phone-numbers/${number.id}`)).body
    expect(routing).toMatchObject({
      forwardTo: ['+12125550101'],
      strategy: 'sequential',
      record: true,
      consentMessage: 'This call may be recorded.',
    })
    const week = ['mon', 'tue', 'wed', 'thu'].map((day) => ({ day, from: '09:00', to: '17:00' }))
    expect(routing.hours).toEqual({
      timeZone: 'America/New_York',
      weekly: [...week, { day: 'sat', from: '09:00', to: '24:00' }],
      closed: ['2026-12-25'],
    })
    await page.getByRole('textbox', { name: 'Phone 1' }).fill('nonsense')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('status')
      .getByText(/forwardTo/)
      .waitFor()
    expect(troubles.filter((one) => !one.includes('400'))).toEqual([])
  })

  test('account: a provider is linked from one’s own settings', async () => {
    const { page, at: address } = owner
    provider.subject = 'dana at the provider'
    await page.goto(address('settings/account'))
    await page.getByRole('button', { name: /^Link 127/ }).click()
    await page.getByText(provider.url).waitFor()
    expect(page.url()).toContain('settings/account')
    const session = await page.evaluate(() => fetch('/api/v1/session').then((answer) => answer.json()))
    expect(session.user.identities).toMatchObject([{ issuer: provider.url }])
  })

  test('a viewer reads all of it and is told why nothing can be saved', async () => {
    const { page, at: address, troubles } = await at.visit({ role: 'viewer' })
    const [type] = (await api().get('/work-type-definitions?canonicalKind=job')).body.data
    for (const part of ['organization', `types/${type.id}`, 'definitions/facts/new']) {
      await page.goto(address(`settings/${part}`))
      const save = page.getByRole('button', { name: 'Save' })
      await save.waitFor()
      await expect
        .poll(async () => [part, await save.isDisabled(), await save.getAttribute('title')])
        .toEqual([part, true, 'Your role does not allow this. Ask an owner of the organization.'])
    }
    expect(troubles).toEqual([])
  })
})
