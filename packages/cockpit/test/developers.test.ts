// Stories of developers: a connection is made and played to, its log is read, and any record gives its own request.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificate } from '../../server/test/support/webhooks/sending.js'
import { type Subscriber, startSubscriber } from '../../server/test/support/webhooks/subscriber.js'
import { inBrowser, stage, type Visit } from './support/browser.js'

inBrowser('developers', () => {
  const at = stage({ PARLEY_WEBHOOK_RETRY_DELAYS: '0s,1ms,1ms,1ms,1ms,1ms,1ms,1ms' })
  const api = () => at.service.api
  let owner: Visit
  let receiver: Subscriber
  let answer = 204
  beforeAll(async () => {
    receiver = await startSubscriber(certificate, (_request, response) => response.writeHead(answer).end('Thanks'))
    owner = await at.visit({ screen: 'developers/connections' })
    await owner.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  })
  afterAll(() => receiver?.close())
  const clipboard = () => owner.page.evaluate(() => navigator.clipboard.readText())

  test('connections: made with the provider’s own fields, played to, read, paused and revoked', async () => {
    const { page, troubles } = owner
    await page.getByRole('button', { name: 'Add connection' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('System').selectOption('retell')
    expect(await dialog.getByLabel('Api key').getAttribute('type')).toBe('password')
    await dialog.getByLabel('System').selectOption('twilio')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Front desk')
    await dialog.getByLabel('Account sid').fill('AC1')
    await dialog.getByLabel('Auth token', { exact: true }).fill('the token of the account')
    await dialog.getByRole('button', { name: 'Add connection' }).click()
    await dialog.getByText(/config\.accountSid/).waitFor()
    await dialog.getByLabel('Account sid').fill(`AC${'0a'.repeat(16)}`)
    await dialog.getByRole('button', { name: 'Add connection' }).click()
    await page.getByRole('heading', { name: /Front desk/ }).waitFor()
    const [made] = (await api().get('/integration-connections')).body.data
    expect(made).toMatchObject({ provider: 'twilio', name: 'Front desk', kind: 'telephony', status: 'pending' })

    await page.getByText('The 8 addresses to paste there').click()
    await page.getByRole('button', { name: 'Copy the address for voice', exact: true }).click()
    await expect.poll(clipboard).toBe(made.inboundUrls.voice)

    await page.getByRole('button', { name: 'Simulate' }).click()
    expect(await dialog.getByLabel('What it tells of').inputValue()).toMatch(/sms|voice/)
    await dialog.getByLabel('What it tells of').selectOption('sms')
    await dialog.getByRole('button', { name: 'Simulate' }).click()
    const entry = page.getByRole('complementary', { name: 'Request of the provider' })
    await entry.getByText('Done').waitFor()
    await entry.getByRole('link', { name: /^Text/ }).waitFor()
    expect(page.url()).toMatch(/connections\/[0-9a-f-]{36}\/[0-9a-f-]{36}$/)
    expect(await entry.getByRole('button', { name: 'Work on it again' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await entry.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke for good' }).click()
    await expect.poll(async () => (await api().get(`/integration-connections/${made.id}`)).body.status).toBe('revoked')
    // What was refused on purpose is told by the browser when it comes to that.
    expect(troubles.splice(0).filter((one) => !one.includes('400'))).toEqual([])
  })

  test('the inbound log: narrowed by verdict, and what failed is worked on again', async () => {
    const made = await api().post('/integration-connections', {
      provider: 'twilio',
      name: 'Back office',
      config: { accountSid: `AC${'0b'.repeat(16)}` },
      credentials: { authToken: 'another token' },
    })
    const simulate = (body: string) =>
      api().post(`/integration-connections/${made.body.id}/inbound/simulate`, { kind: 'sms', body })
    await simulate('MessageSid=SM2&From=%2B12025550143&To=%2B12025550100&Body=Hello&NumMedia=0')
    await simulate('MessageSid=SM3&From=whatsapp%3A%2B12025550143&To=%2B12025550100&Body=Hi&NumMedia=0')
    const { page, at: address, troubles } = owner
    await page.goto(address(`developers/connections/${made.body.id}`))
    const log = page.getByRole('list', { name: 'What came in' })
    await log.getByRole('link', { name: /Ignored/ }).waitFor()
    await page.getByLabel('Status').selectOption('ignored')
    await page.waitForURL(/status=ignored/)
    await expect.poll(() => log.getByRole('link').count()).toBe(1)
    await log.getByRole('link').click()
    const entry = page.getByRole('complementary', { name: 'Request of the provider' })
    await entry.getByRole('region', { name: 'Body' }).getByText('"whatsapp:+12025550143"').waitFor()
    await entry.getByRole('button', { name: 'Work on it again' }).click()
    await page.getByRole('status').getByText('It is worked on again').waitFor()
    await entry.getByText('Worked on once').waitFor()
    expect(troubles).toEqual([])
  })

  test('webhooks: picked, tested, signed, changed, paused, sent again one by one and by the hour, deleted', async () => {
    const { page, at: address, troubles } = owner
    await page.goto(address('developers/webhooks'))
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address (https)').fill(receiver.url)
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Booking')
    await dialog.getByRole('searchbox').fill('task')
    await dialog.getByLabel('task.created').check()
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    await page
      .getByRole('dialog', { name: 'Signing secret' })
      .getByText(/^whsec_/)
      .waitFor()
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('heading', { name: /Booking/ }).waitFor()

    answer = 503
    await page.getByRole('button', { name: 'Send test' }).click()
    const deliveries = page.getByRole('list', { name: 'Deliveries' })
    await deliveries.getByRole('link').first().click()
    const panel = page.getByRole('complementary', { name: 'Delivery' })
    await panel.getByText('Given up').waitFor()
    await expect.poll(() => panel.getByText('503', { exact: true }).count()).toBe(8)
    await panel.getByText('Thanks').first().waitFor()
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
    await panel.getByText(String(receiver.received[0]?.headers['x-service-signature'])).first().waitFor()
    answer = 204
    await panel.getByRole('button', { name: 'Send again' }).click()
    await panel.getByText('Delivered').waitFor()
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Change' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Bookings')
    await dialog.getByLabel('task.created').uncheck()
    await dialog.getByLabel('note.added').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: /Bookings/ }).waitFor()
    const [webhook] = (await api().get('/webhooks')).body.data
    expect(webhook).toMatchObject({ name: 'Bookings', eventTypes: ['note.added'] })
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()

    await page.getByRole('button', { name: 'Send many again' }).click()
    await dialog.getByLabel('Which').selectOption('all')
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await dialog.getByText('1 are back in the queue').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Change' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
    expect(troubles).toEqual([])
  })

  test('any record gives its own request, and the examples speak of the reader’s own ids', async () => {
    const person = (await api().post('/people', { displayName: 'Ana Lima' })).body
    const { page, at: address, troubles } = owner
    await page.goto(address(`people/${person.id}`))
    await page.getByRole('button', { name: 'For developers' }).click()
    await page.getByRole('menuitem', { name: 'Copy as curl' }).click()
    const url = `${at.service.url}/api/v1/people/${person.id}`
    await expect.poll(clipboard).toBe(`curl "${url}" -H "Authorization: Bearer $PARLEY_API_KEY"`)
    await page.getByRole('button', { name: 'For developers' }).click()
    await page.getByRole('menuitem', { name: 'See examples' }).click()
    await page.getByText(`parley.people.get('${person.id}')`).waitFor()
    await page.getByText('"Ana Lima"').waitFor()
    await page.getByLabel('Records').selectOption('work-type-definitions')
    await page.getByText(/parley\.workTypeDefinitions\.get\('[0-9a-f-]{36}'\)/).waitFor()
    expect(troubles).toEqual([])
  })

  test('events: found by the record they are about, each with an address of its own', async () => {
    const task = (await api().post('/tasks', { title: 'Ring Maria back' })).body
    const { page, at: address, troubles } = owner
    await page.goto(address('developers/events'))
    await page.getByRole('searchbox').fill(task.id)
    const rows = page.getByRole('list', { name: 'Events' }).getByRole('link')
    await expect
      .poll(() => rows.allTextContents().then((all) => all.map((one) => one.includes('task.created'))))
      .toEqual([true])
    await rows.click()
    const panel = page.getByRole('complementary', { name: 'Event' })
    await panel.getByText(`"${task.id}"`).first().waitFor()
    await page.reload()
    await panel.getByText(`"${task.id}"`).first().waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(troubles).toEqual([])
  })

  test('requests: seen as they end, with who asked and why they were refused', async () => {
    const { page, at: address, troubles } = owner
    await page.goto(address('developers/requests'))
    await page.getByRole('main').getByText('Live', { exact: true }).waitFor()
    await api().post('/tasks', { priority: 'soon' })
    const rows = page.getByRole('list', { name: 'Requests' }).getByRole('listitem')
    await rows.filter({ hasText: 'POST /api/v1/tasks' }).filter({ hasText: '400' }).first().waitFor()
    await page.getByLabel('Outcome').selectOption('failed')
    await page.waitForURL(/outcome=failed/)
    await expect.poll(async () => (await rows.allTextContents()).every((row) => /4\d\d/.test(row))).toBe(true)
    await page.reload()
    await rows.filter({ hasText: 'POST /api/v1/tasks' }).first().waitFor()
    expect(troubles).toEqual([])
  })
})
