// What holds on every screen: accessible in both themes, quiet in the console, usable on a phone, small to load.
import { beforeAll, expect, test } from 'vitest'
import { violations } from './support/axe.js'
import { inBrowser, stage } from './support/browser.js'

const screens = [
  'live',
  'review',
  'developers/simulator',
  'developers/webhooks',
  'developers/events',
  'developers/keys',
  'developers/examples',
]
const SCRIPT_BUDGET = 180 * 1_024

inBrowser('every screen', () => {
  const at = stage()
  beforeAll(async () => {
    const scripts = ['leaking_sink', 'legal_matter', 'tow']
    for (const script of scripts)
      await at.service.api.post('/sandbox/simulate', { scenario: 'full_intake', script, speed: 1_000 })
    for (const scenario of ['voicemail', 'inbound_sms', 'missed_call'])
      await at.service.api.post('/sandbox/simulate', { scenario, speed: 1_000 })
    await expect
      .poll(async () => (await at.service.api.get('/drafts?status=pending_review')).body.data.length)
      .toBe(scripts.length)
  })

  test.each(['light', 'dark'] as const)('axe finds nothing, the console says nothing: %s', async (theme) => {
    const visit = await at.visit({ theme })
    const found: Record<string, string[]> = {}
    for (const screen of screens) {
      await visit.page.goto(visit.at(screen))
      await visit.page.locator('h1').waitFor()
      await visit.page.waitForLoadState('domcontentloaded')
      await visit.page.locator('[aria-busy]').waitFor({ state: 'detached' })
      const wrong = await violations(visit.page)
      if (wrong.length > 0) found[screen] = wrong
    }
    expect(found).toEqual({})
    expect(visit.troubles).toEqual([])
  })

  test('on a phone nothing is wider than the screen', async () => {
    const visit = await at.visit({ width: 360, height: 740 })
    for (const screen of screens) {
      await visit.page.goto(visit.at(screen))
      await visit.page.locator('h1').waitFor()
      const width = await visit.page.evaluate(() => document.documentElement.scrollWidth)
      expect([screen, width]).toEqual([screen, 360])
    }
    expect(await violations(visit.page)).toEqual([])
  })

  test('the first load takes at most 180 kB of script, all of it from here', async () => {
    const { page } = await at.stranger()
    const visit = await at.visit()
    await page.close()
    const scripts: number[] = []
    visit.page.on('response', async (response) => {
      if (!response.url().endsWith('.js')) return
      const { 'content-encoding': encoding, 'cache-control': caching } = response.headers()
      expect([encoding, caching]).toEqual(['br', expect.stringContaining('immutable')])
      const answer = await fetch(response.url(), { headers: { 'accept-encoding': 'br' } })
      scripts.push(Number(answer.headers.get('content-length')))
    })
    await visit.page.goto(visit.at('live'))
    await visit.page.getByRole('heading', { name: 'Live' }).waitFor()
    await visit.page.waitForTimeout(500)
    const sum = scripts.reduce((total, bytes) => total + bytes, 0)
    console.log(`script of the first load: ${sum} bytes in ${scripts.length} files`)
    expect(sum).toBeGreaterThan(0)
    expect(sum).toBeLessThanOrEqual(SCRIPT_BUDGET)
  })

  test('? shows the keys, and the command bar goes anywhere', async () => {
    const { page, troubles } = await at.visit()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('review')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/review')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Maria')
    await page.getByRole('option', { name: /Maria Alvarez/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/people/*')
    expect(troubles).toEqual([])
  })
})
