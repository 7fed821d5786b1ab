// Many tabs, two environments, and a server that goes away: one stream for all, nothing mixed, nothing stale shown as
// live.
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../server/test/support/databases.js'
import { freePort } from '../../server/test/support/free-port.js'
import { endPrograms, serveProgram } from '../../server/test/support/program.js'
import { secret } from '../../server/test/support/service.js'
import { inBrowser, stage } from './support/browser.js'

inBrowser('tabs', () => {
  const at = stage()
  afterAll(endPrograms)

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
    const first = await at.visit({ screen: '/docs' })
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
    const { page, context, at: sandboxAt, troubles } = await at.visit({ screen: 'people' })
    const other = await context.newPage()
    await other.goto(sandboxAt('people').replace('/sandbox/', '/production/'))
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

  test('a server that is killed under an open call is said so, and everything catches up when it is back', async () => {
    const database = await createTestDatabase()
    const env = { DATABASE_URL: database.url, PARLEY_SECRET: secret, PORT: String(await freePort()) }
    const program = await serveProgram(env)
    const { signInUrl, organizationId } = await program.firstRun()
    const api = await program.client()
    const call = await ring(api, 'Tom Becker')
    const say = (sequence: number, text: string) =>
      api.post(`/calls/${call}/segments`, { segments: [{ sequence, speaker: 'caller', text, startMs: sequence }] })
    const { page } = await at.stranger()
    await page.goto(signInUrl)
    await page.waitForURL('**/live')
    await page.goto(`${program.url}/o/${organizationId}/sandbox/live/${call}`)
    await say(0, 'Before the break.')
    await page.getByText('Before the break.').waitFor()
    const badge = page.getByRole('article').getByText('Live', { exact: true })
    await badge.waitFor()
    const running = page.getByRole('region', { name: 'Live' }).locator('svg.text-good')
    await expect.poll(() => running.count()).toBe(1)

    program.signal('SIGKILL')
    await program.finished
    await page.getByText('Not live: reconnecting').waitFor()
    await page.getByText('Reconnecting. What you see may be old').waitFor()
    expect([await badge.count(), await running.count()]).toEqual([0, 0])
    await page.getByText('Before the break.').waitFor()

    const again = await serveProgram({ ...env, PARLEY_DATA_DIR: program.dataDir })
    await say(1, 'After the break.')
    await page.getByText('After the break.').waitFor()
    await page.getByText('Not live: reconnecting').waitFor({ state: 'detached' })
    await badge.waitFor()
    await expect.poll(() => running.count()).toBe(1)
    const next = await ring(api, 'Priya Raman')
    await page.getByRole('link', { name: /Priya Raman/ }).waitFor()
    expect(next).not.toBe(call)
    await page.close()
    await again.stop()
    await database.drop()
  })
})
