// Many tabs, two environments, and a server that goes away: one stream for all, nothing mixed, nothing stale shown as
// live.
import { expect, test } from 'vitest'
import { makeSignInLink } from '../../server/src/program/operator-sign-in.js'
import { makeUser } from '../../server/test/support/sign-in/browser.js'
import { inBrowser, stage } from './support/browser.js'
import { unsteadyLine } from './support/unsteady-line.js'

inBrowser('tabs', () => {
  const at = stage()

  const ring = async (api = at.service.api, callerName = 'Priya Raman') =>
    (
      await api.post('/calls', {
        direction: 'inbound',
        status: 'in_progress',
        from: '+15550142203',
        to: '+15550100000',
        callerName,
      })
    ).body.id

  test('ten tabs share one stream of events, and all of them hear of a draft', async () => {
    const first = await at.visit()
    let streams = 0
    first.context.on('request', (request) => {
      if (request.url().includes('/events/stream')) streams += 1
    })
    await first.page.goto(first.at('review'))
    const tabs = [first.page]
    for (let index = 1; index < 10; index++) tabs.push(await first.context.newPage())
    for (const tab of tabs.slice(1)) await tab.goto(first.at('review'))
    for (const tab of tabs) await tab.getByRole('heading', { name: 'Nothing waits for you' }).first().waitFor()
    const call = await ring()
    await at.service.api.post(`/calls/${call}/end`, {
      draft: { title: 'Tow a Civic', canonicalKind: 'service_request' },
    })
    for (const tab of tabs) await tab.getByRole('heading', { name: 'Tow a Civic' }).waitFor()
    expect(streams).toBe(1)

    // Whoever reads the stream leaves: the next takes over.
    await tabs[0]?.close()
    const later = await ring()
    await at.service.api.post(`/calls/${later}/end`, {
      draft: { title: 'Tow a Golf', canonicalKind: 'service_request' },
    })
    for (const tab of tabs.slice(1)) await tab.getByText('Tow a Golf').waitFor()
    await first.context.close()
  })

  test('two tabs in different environments never mix', async () => {
    const { page, context, at: sandboxAt, troubles } = await at.visit()
    const other = await context.newPage()
    await other.goto(sandboxAt('people').replace('/sandbox/', '/production/'))
    await page.goto(sandboxAt('people'))
    await at.service.api.post('/people', { displayName: 'Only in the sandbox' })
    await at.service.demo.live.post('/people', { displayName: 'Only in production' })
    await page.getByText('Only in the sandbox').waitFor()
    await other.getByText('Only in production').waitFor()
    expect(await page.getByText('Only in production').count()).toBe(0)
    expect(await other.getByText('Only in the sandbox').count()).toBe(0)
    expect(await page.getByRole('button', { name: /Sandbox/ }).count()).toBe(1)
    expect(await other.getByRole('button', { name: /Production/ }).count()).toBe(1)
    expect(troubles).toEqual([])
  })

  test('a server that goes away is said so, and everything catches up when it is back', async () => {
    const line = await unsteadyLine(at.service.url)
    const { page } = await at.stranger()
    const user = await makeUser(at.service, at.service.demo.id)
    const link = await makeSignInLink(at.service.database, line.url, { email: user.email }, new Date())
    await page.goto(link.url)
    await page.waitForURL('**/live')
    const call = await ring(at.service.api, 'Tom Becker')
    const say = (sequence: number, text: string) =>
      at.service.api.post(`/calls/${call}/segments`, {
        segments: [{ sequence, speaker: 'caller', text, startMs: sequence }],
      })
    await page.goto(`${line.url}/o/${at.service.demo.id}/sandbox/live/${call}`)
    await say(0, 'Before the break.')
    await page.getByText('Before the break.').waitFor()

    await line.cut()
    await page.getByText('Not live: reconnecting').waitFor()
    await say(1, 'During the break.')
    await line.mend()
    await page.getByText('During the break.').waitFor()
    await page.getByText('Not live: reconnecting').waitFor({ state: 'detached' })
    await say(2, 'After the break.')
    await page.getByText('After the break.').waitFor()
    await page.close()
    await line.close()
  })
})
