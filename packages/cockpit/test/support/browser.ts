// A real browser on the real server: Debian's Chromium, driven by playwright-core. Every page is watched: an error in
// the console, a request that fails or goes elsewhere, a breach of the content policy ends the test.
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { type Service } from '../../../server/test/support/service.js'

const places = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
export const executablePath = places.find((path) => path !== undefined && existsSync(path))

if (executablePath === undefined)
  console.warn('The tests in a browser are skipped: there is no Chromium. Install one (apt-get install chromium).')

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage'] })

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** What went wrong in the page so far. */
  readonly troubles: string[]
}

export interface Visitor {
  readonly width?: number
  readonly height?: number
  readonly theme?: 'light' | 'dark'
}

export async function visit(
  browser: Browser,
  service: Service,
  { width = 1400, height = 900, theme = 'light' }: Visitor = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: service.url,
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-US',
  })
  const page = await context.newPage()
  return { page, context, troubles: watch(page, service.url) }
}

export function watch(page: Page, origin: string): string[] {
  const troubles: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) troubles.push(`elsewhere: ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`${response.status()}: ${response.url()}`)
  })
  return troubles
}
