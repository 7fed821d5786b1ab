// A newcomer's first minute: from the one-time link to a webhook that was delivered.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificate } from '../../server/test/support/webhooks/sending.js'
import { type Subscriber, startSubscriber } from '../../server/test/support/webhooks/subscriber.js'
import { subscribe } from '../../server/test/support/webhooks/webhooks.js'
import { inBrowser, stage } from './support/browser.js'

inBrowser('the first minute', () => {
  const at = stage()
  let receiver: Subscriber
  beforeAll(async () => {
    receiver = await startSubscriber(certificate, (_request, response) => response.writeHead(204).end())
  })
  afterAll(() => receiver?.close())

  test('link, play a call, watch it arrive, approve by keyboard, see the delivery', async () => {
    const webhook = await subscribe(at.service.api, receiver.url, { name: 'Booking', eventTypes: ['draft.approved'] })
    const { page, troubles } = await at.stranger()
    await page.goto(await at.signInLink())
    await page.waitForURL('**/live')
    expect(page.url()).not.toContain('#')

    await page.getByRole('button', { name: 'Play a call' }).last().click()
    await page.getByRole('heading', { level: 2, name: 'Maria Alvarez' }).waitFor()
    const transcript = page.getByRole('log', { name: 'Transcript' })
    await transcript.getByText('my kitchen sink is leaking').waitFor()
    // What came in one piece would be there at once.
    expect(await transcript.getByText('Perfect, thank you so much').count()).toBe(0)
    await transcript.getByText('Perfect, thank you so much').waitFor()
    await page.getByText('Summary').waitFor()

    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('status').getByText('Approved: Repair leaking kitchen sink').waitFor()
    await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor()

    await page.goto(`/o/${at.service.demo.id}/sandbox/developers/webhooks/${webhook.id}`)
    await page.getByRole('link', { name: /Delivered draft\.approved/ }).click()
    await page.getByText('First try').waitFor()
    expect(receiver.received).toHaveLength(1)
    expect(troubles).toEqual([])
  })
})
