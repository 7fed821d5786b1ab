// The documentation site in a browser: found by searching, tried with a key or a session, readable by everybody in both
// themes, on a phone and without scripts.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violations, violationsByTheme } from './support/axe.js'
import { inBrowser, stage } from './support/browser.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const shown = ['', '/guides/verify-webhooks', '/api/calendar-feeds', '/errors', '/states']

/** What the browser keeps of this origin, as text. */
const keptBy = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie, location.href, history.state]))

inBrowser('the documentation', () => {
  const at = stage()

  test('the search finds the place, with the keyboard alone', async () => {
    const { page, troubles } = await at.stranger()
    await page.goto('/docs')
    for (const [words, place] of [
      ['POST /drafts', '/docs/api/drafts#createDraft'],
      ['signature', '/docs/guides/verify-webhooks#check-the-signature'],
      ['rate_limited', '/docs/errors#rate_limited'],
      ['call.ended', '/docs/events#callended'],
      ['idempotency', '/docs/guides/requests#idempotency'],
    ] as const) {
      await page.keyboard.press('/')
      const input = page.getByRole('combobox', { name: 'Search the documentation' })
      await input.fill(words)
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(`**${place}`)
    }
    await page.keyboard.press('/')
    await page.getByRole('combobox').fill('dueAt')
    await page.getByRole('option').nth(1).waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    const second = page.getByRole('option').nth(1)
    expect(await second.getAttribute('aria-selected')).toBe('true')
    expect(await page.getByRole('combobox').getAttribute('aria-activedescendant')).toBe(await second.getAttribute('id'))
    await page.keyboard.press('Escape')
    expect(await page.getByRole('combobox').count()).toBe(0)
    expect(troubles).toEqual([])
  })

  test('a pasted key makes a record, and is kept nowhere but in the page', async () => {
    const { page, troubles } = await at.stranger()
    const { key } = at.service.api
    await page.goto('/docs/api/tasks')
    await page.locator('#createTask').getByRole('button', { name: 'Try it' }).click()
    const form = page.locator('#createTask form')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('Paste an API key first.').waitFor()
    await form.getByLabel('API key').fill(key)
    await form.getByLabel('Body').fill('{"title": "Made from the documentation"')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('The body is not JSON').waitFor()
    await form.getByLabel('Body').fill('{"title": "Made from the documentation"}')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText(/^201 /).waitFor()
    expect(await violations(page)).toEqual([])
    const { body } = await at.service.api.get('/tasks?q=documentation')
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual(['Made from the documentation'])
    // The same request again is the same record: its key was made with the form.
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText(/^201 /).waitFor()
    // Another form of the page knows the key.
    await page.locator('#listTasks').getByRole('button', { name: 'Try it' }).click()
    expect(await page.locator('#listTasks form').getByLabel('API key').inputValue()).toBe(key)
    await page.locator('#listTasks form').getByRole('button', { name: 'Send' }).click()
    await page.locator('#listTasks form').getByText('"Made from the documentation"').waitFor()
    expect(await keptBy(page)).not.toContain(key.slice(8))
    // So do the pages that the reader goes to by links, by the search and back, until the page is loaded anew.
    const knownTo = async (operation: string) => {
      await page.locator(operation).getByRole('button', { name: 'Try it' }).click()
      return page.locator(`${operation} form`).getByLabel('API key').inputValue()
    }
    await page.getByRole('navigation').getByRole('link', { name: 'People', exact: true }).click()
    await page.waitForURL('**/docs/api/people')
    expect(await knownTo('#listPeople')).toBe(key)
    expect(await page.title()).toMatch(/^People/)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.locator('h1').click()
    await page.keyboard.press('/')
    await page.getByRole('combobox').fill('POST /drafts')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/api/drafts#createDraft')
    expect(await knownTo('#createDraft')).toBe(key)
    await page.goBack()
    await page.waitForURL('**/docs/api/people')
    expect(await knownTo('#listPeople')).toBe(key)
    expect(await keptBy(page)).not.toContain(key.slice(8))
    await page.reload()
    expect(await knownTo('#listPeople')).toBe('')
    expect(troubles).toEqual([])
  })

  test('who is signed in may use the session, and confirms what is written in production', async () => {
    const { page, troubles } = await at.visit({ screen: '/docs/api/tasks#createTask' })
    await page.locator('#createTask').getByRole('button', { name: 'Try it' }).click()
    const form = page.locator('#createTask form')
    const who = form.getByLabel('Act as')
    expect(await who.locator('option:checked').textContent()).toMatch(/^My session: .+, sandbox$/)
    expect(await form.getByLabel('API key').isVisible()).toBe(false)
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText(/^201 /).waitFor()
    await who.selectOption({ index: 2 })
    expect(await who.locator('option:checked').textContent()).toMatch(/, production$/)
    await form.getByLabel('Idempotency-Key').fill('another')
    await form.getByRole('button', { name: 'Send' }).click()
    const dialog = page.getByRole('dialog', { name: 'This writes to production' })
    await dialog.waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Do not send' }).click()
    await form.getByText('Nothing was sent.').waitFor()
    await form.getByRole('button', { name: 'Send' }).click()
    await dialog.getByRole('button', { name: 'Send to production' }).click()
    await form.getByText(/^201 /).waitFor()
    // Reading asks nothing.
    await page.locator('#listTasks').getByRole('button', { name: 'Try it' }).click()
    await page.locator('#listTasks form').getByRole('button', { name: 'Send' }).click()
    await page.locator('#listTasks form').getByText(/^200 /).waitFor()
    expect(troubles).toEqual([])
  })

  test('axe finds nothing in either theme, the console says nothing', async () => {
    const { page, troubles } = await at.stranger()
    const found: Record<string, string[]> = {}
    for (const path of shown) {
      await page.goto(`/docs${path}`)
      Object.assign(found, await violationsByTheme(page, path))
    }
    expect(found).toEqual({})
    expect(troubles).toEqual([])
  })

  test('the theme is chosen once, for the cockpit too', async () => {
    const { page } = await at.stranger()
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await page.goto('/docs/errors')
    const light = await ground()
    const button = page.getByRole('button', { name: 'Theme' })
    await button.click()
    await button.click()
    expect(await button.textContent()).toBe('Theme: dark')
    expect(await ground()).not.toBe(light)
    await page.goto('/docs/events')
    expect(await ground()).not.toBe(light)
    expect(await page.evaluate(() => localStorage.getItem('parley theme'))).toBe('dark')
  })

  test('on a phone nothing is wider than the screen, and the contents open and close', async () => {
    const { page } = await at.stranger({ width: 360, height: 740 })
    const pages = readdirSync(`${root}packages/server/web-docs`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.html') && name !== 'index.html')
      .map((name) => `/${name.replace('.html', '')}`)
    expect(pages.length).toBeGreaterThan(70)
    await page.goto('/docs')
    // One after the other in the same page, which is quicker than a visit to each, and none of them is painted.
    const wide = await page.evaluate(async (paths) => {
      const found: string[] = []
      const texts = await Promise.all(
        paths.map(async (path) => [path, await (await fetch(`/docs${path}`)).text()] as const),
      )
      for (const [path, html] of texts) {
        document.body.replaceWith(new DOMParser().parseFromString(html, 'text/html').body)
        for (const part of document.querySelectorAll('details')) part.open = true
        const { scrollWidth } = document.documentElement
        if (scrollWidth !== 360) found.push(`${path}: ${scrollWidth}`)
      }
      return found
    }, pages)
    expect(wide).toEqual([])
    await page.goto('/docs/api/organization')
    await page.getByRole('link', { name: 'Menu' }).click()
    await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).first().waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Close' }).click()
    expect(await page.getByRole('navigation').isVisible()).toBe(false)
  })

  test('without scripts everything is there to be read, samples in every language too', async () => {
    const { context } = await at.stranger()
    const page = await (
      await context.browser()?.newContext({ baseURL: at.service.url, javaScriptEnabled: false })
    )?.newPage()
    if (page === undefined) throw new Error('no browser')
    await page.goto('/docs/api/tasks#createTask')
    await page.locator('#createTask').getByText('Python').click()
    expect(await page.locator('#createTask .samples pre:visible').textContent()).toContain('from parley import Parley')
    expect(await page.getByRole('button').count()).toBe(0)
    await page.getByRole('link', { name: 'Webhooks' }).first().click()
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
    await page.context().close()
  })

  test('the largest pages cost the main thread little', async () => {
    for (const path of ['', '/api/tasks', '/api/calls', '/events']) {
      const { page, context } = await at.stranger()
      const debug = await context.newCDPSession(page)
      // What the thread worked, not what it waited for the processor.
      await debug.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' })
      await debug.send('Performance.enable')
      await page.goto(`/docs${path}`)
      const { metrics } = await debug.send('Performance.getMetrics')
      const busyMs = (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
      const { painted, sent } = await page.evaluate(() => ({
        painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
        sent: performance
          .getEntries()
          .reduce((sum, entry) => sum + (entry instanceof PerformanceResourceTiming ? entry.encodedBodySize : 0), 0),
      }))
      console.log(
        `/docs${path}: ${Math.round(busyMs)} ms of the main thread, ${Math.round(painted)} ms to the paint, ${sent} B`,
      )
      expect(sent).toBeGreaterThan(0)
      expect(sent).toBeLessThan(45_000)
      await context.close()
    }
  })
})
