// axe in the page: what WCAG 2.2 AA finds wrong with it, as lines that say where. It comes by the debugger's door, so
// the page's policy stays as strict as it is.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const require = createRequire(import.meta.url)
const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

declare const axe: { run(context: unknown, options: unknown): Promise<{ violations: Finding[] }> }

const all = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
} as const
/** What may be wrong in one theme and right in the other. */
const ofColours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } as const

export async function violations(page: Page, runOnly: typeof all | typeof ofColours = all): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const found = await page.evaluate(async (only) => {
    // Of what is right nothing needs to be told.
    const options = { runOnly: only, resultTypes: ['violations'], selectors: false, preload: false }
    return (await axe.run(document, options)).violations
  }, runOnly)
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary.split('\n')[1] ?? ''}`),
  )
}

/** What is wrong in light and in dark, each named by theme; the theme changes in front of a page that stays. */
export async function violationsByTheme(page: Page, name: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  const grounds = new Set<string>()
  for (const [theme, rules] of [
    ['dark', ofColours],
    ['light', all],
  ] as const) {
    await page.emulateMedia({ colorScheme: theme })
    grounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor))
    const wrong = await violations(page, rules)
    if (wrong.length > 0) found[`${name} ${theme}`] = wrong
  }
  expect(grounds.size, `${name} looks different in the dark`).toBe(2)
  return found
}
