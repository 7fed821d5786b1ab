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

    // Whether the page has shown the beginning without the end: what came in one piece would be there at once.
    await page.evaluate(() => {
      const look = () => {
        const said = document.querySelector('[role=log]')?.textContent ?? ''
        if (said.includes('my kitchen sink is leaking') && !said.includes('Perfect, thank you so much'))
          document.documentElement.dataset['cameInPieces'] = 'yes'
      }
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
    })
    await page.getByRole('button', { name: 'Play a call' }).last().click()
    await page.getByRole('heading', { level: 2, name: 'Maria Alvarez' }).waitFor()
    const transcript = page.getByRole('log', { name: 'Transcript' })
    await transcript.getByText('my kitchen sink is leaking').waitFor()
    await transcript.getByText('Perfect, thank you so much').waitFor()
    expect(await page.evaluate(() => document.documentElement.dataset['cameInPieces'])).toBe('yes')
    await page.getByText('Summary').waitFor()

    // One key after the other within a second, which a machine that has much else to do may miss.
    const isThere = () => page.waitForURL('**/review', { timeout: 10_000 }).catch(() => undefined)
    for (; !page.url().endsWith('/review'); await isThere()) {
      await page.keyboard.press('g')
      await page.keyboard.press('r')
    }
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
