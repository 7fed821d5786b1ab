// Pictures of the screens for the documentation, made from a demo organization. Only when asked for: PICTURES=1.
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { inBrowser, stage } from './support/browser.js'
import { furnish } from './support/demo.js'

const folder = fileURLToPath(new URL('../../../docs/pictures', import.meta.url))
const isWanted = process.env['PICTURES'] !== undefined

inBrowser('pictures', () => {
  if (!isWanted) return test.skip('set PICTURES=1 to make them')
  const at = stage()
  let screens: readonly string[]
  beforeAll(async () => {
    screens = await furnish(at.service)
    mkdirSync(folder, { recursive: true })
  })

  test.each(['light', 'dark'] as const)('%s', async (theme) => {
    const visit = await at.visit({ theme, width: 1280, height: 800 })
    await visit.page.evaluate(() =>
      fetch('/api/v1/session/user', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Dana Reyes' }),
      }),
    )
    const found = (start: string) => screens.find((screen) => screen.startsWith(start)) ?? start
    const shown = [
      'live/',
      'review',
      'inbox/texts',
      'people/',
      'work/board',
      'overview',
      'developers/events',
      'settings/types/',
    ]
    for (const screen of shown.map(found)) {
      await visit.page.goto(visit.at(screen))
      await visit.page.locator('#content h1').first().waitFor()
      await expect.poll(() => visit.page.locator('[aria-busy]').count()).toBe(0)
      await visit.page.waitForLoadState('load')
      // Longer than any skeleton: what a picture needs is what a reader sees, not the first paint.
      await visit.page.waitForTimeout(800)
      await visit.page.screenshot({ path: `${folder}/${screen.split('/')[0]}-${theme}.png` })
    }
  })
})
