// What holds on every screen: accessible in both themes, quiet in the console, usable on a phone, right-to-left and very
// wide, small to load.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { violations, violationsByTheme } from './support/axe.js'
import { inBrowser, stage } from './support/browser.js'
import { furnish } from './support/demo.js'

const SCRIPT_BUDGET = 180_000
const onPhone = { width: 360, height: 740 }

/** The router of the application, which it leaves for its tools to be found. */
declare const __TSR_ROUTER__: {
  readonly state: { readonly status: string; readonly resolvedLocation?: { readonly pathname: string } }
  navigate(to: { href: string }): Promise<void>
}

/** Goes to another screen as a link does, without loading the application again, and waits for what it shows. */
async function go(page: Page, href: string): Promise<void> {
  await page.evaluate((to) => __TSR_ROUTER__.navigate({ href: to }), href)
  const isThere = (path: string) => {
    const { status, resolvedLocation } = __TSR_ROUTER__.state
    return status === 'idle' && resolvedLocation?.pathname === path
  }
  await page.waitForFunction(isThere, href.split('?')[0] ?? '', { polling: 20 })
  await page.locator('#content h1').first().waitFor({ state: 'attached' })
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
}

/** How many bytes a script takes on the wire. */
async function bytesOf(url: string): Promise<number> {
  const answer = await fetch(url, { headers: { 'accept-encoding': 'br' } })
  await answer.body?.cancel()
  return Number(answer.headers.get('content-length'))
}

/** How far the page reaches at a size, and where its rail begins. */
async function extent(page: Page, size: { width: number; height: number }, dir: string) {
  await page.setViewportSize(size)
  return page.evaluate(async (direction) => {
    document.documentElement.dir = direction
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const { scrollWidth, scrollHeight } = document.documentElement
    const rail = document.querySelector('nav')?.getBoundingClientRect()
    return { scrollWidth, scrollHeight, railEnd: direction === 'rtl' ? rail?.right : rail?.left }
  }, dir)
}

/** What inside scrolls sideways but is not meant to, as tabs, the board and code are. */
const scrolledSideways = (page: Page): Promise<string[]> =>
  page.locator('#content *:not(nav, pre, [role=region])').evaluateAll((all) =>
    all.flatMap((one) => {
      const isScrolled = /auto|scroll/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth
      return isScrolled ? [one.className] : []
    }),
  )

inBrowser('every screen', () => {
  const at = stage()
  let screens: readonly string[]
  beforeAll(async () => {
    screens = await furnish(at.service)
  })

  test('axe finds nothing in either theme; a phone, right-to-left and 4k are filled and mirrored', async () => {
    const { page, at: address, troubles } = await at.visit(onPhone)
    await page.getByRole('heading', { name: 'Live' }).waitFor()
    const found: Record<string, string[]> = {}
    for (const screen of screens) {
      await page.setViewportSize(onPhone)
      await go(page, address(screen))
      const phone = { scrollWidth: 360, scrollHeight: 740 }
      expect([screen, await extent(page, onPhone, 'ltr')]).toMatchObject([screen, phone])
      expect([screen, await scrolledSideways(page)]).toEqual([screen, []])
      expect([screen, await extent(page, onPhone, 'rtl')]).toMatchObject([screen, phone])
      const mirrored = { scrollWidth: 1_280, scrollHeight: 800, railEnd: 1_280 }
      expect([screen, await extent(page, { width: 1_280, height: 800 }, 'rtl')]).toEqual([screen, mirrored])
      const wide = { scrollWidth: 3_840, scrollHeight: 2_160, railEnd: 0 }
      expect([screen, await extent(page, { width: 3_840, height: 2_160 }, 'ltr')]).toEqual([screen, wide])
      await page.setViewportSize({ width: 1_400, height: 900 })
      Object.assign(found, await violationsByTheme(page, screen))
    }
    await page.setViewportSize(onPhone)
    expect(await violations(page)).toEqual([])
    expect(found).toEqual({})
    expect(troubles).toEqual([])
  })

  test('the first load takes at most 180 kB of script, all of it from here', async () => {
    const visit = await at.visit()
    const loaded = new Set<string>()
    const wrong: string[] = []
    await visit.page.getByRole('heading', { name: 'Live' }).waitFor()
    await visit.page.goto('about:blank')
    visit.page.on('response', (response) => {
      if (!response.url().endsWith('.js')) return
      loaded.add(response.url())
      const { 'content-encoding': encoding, 'cache-control': caching = '' } = response.headers()
      if (encoding !== 'br' || !caching.includes('immutable')) wrong.push(response.url())
    })
    await visit.page.goto(visit.at('live'))
    await visit.page.getByRole('heading', { name: 'Live' }).waitFor()
    await visit.page.getByText('Maria Alvarez').first().waitFor()
    const sizes = await Promise.all([...loaded].map(bytesOf))
    const sum = sizes.reduce((total, bytes) => total + bytes, 0)
    console.log(`script of the first load: ${sum} bytes in ${sizes.length} files`)
    expect(wrong).toEqual([])
    expect(sum).toBeGreaterThan(0)
    expect(sum).toBeLessThanOrEqual(SCRIPT_BUDGET)
  })

  test('? shows the keys, and the command bar goes anywhere', async () => {
    const { page, troubles, at: address } = await at.visit()
    await page.getByRole('heading', { name: 'Live' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.locator('[role=combobox]:focus').waitFor()
    await page.keyboard.type('review')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/review')
    await page.keyboard.press('Control+k')
    await page.locator('[role=combobox]:focus').waitFor()
    await page.keyboard.type('Maria')
    await page.getByRole('option', { name: /Maria Alvarez.*Person/ }).click()
    await page.waitForURL('**/people/*')
    await page.keyboard.press('Control+k')
    await page.locator('[role=combobox]:focus').waitFor()
    await page.keyboard.type('thank you so much')
    await page
      .getByRole('option', { name: /Perfect, thank you so much.*Call/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/live/*')
    // What only this page can do is found by its name as well.
    await go(page, address('work/table'))
    await page.getByRole('button', { name: 'Views' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.locator('[role=combobox]:focus').waitFor()
    await page.keyboard.type('save this')
    await page.getByRole('option', { name: /Save this view/ }).click()
    await page.getByRole('dialog', { name: 'Save this view' }).waitFor()
    expect(troubles).toEqual([])
  })
})
