// A real browser on the real server: Debian's Chromium, driven by playwright-core. Every page is watched: an error in
// the console, a request that fails or goes elsewhere, a breach of the content policy is written down.
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { makeSignInLink } from '../../../server/src/program/operator-sign-in.js'
import type { Service } from '../../../server/test/support/service.js'
import { makeUser } from '../../../server/test/support/sign-in/browser.js'
import { startSending } from '../../../server/test/support/webhooks/webhooks.js'

const places = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = places.find((path) => path !== undefined && existsSync(path))

if (executablePath === undefined)
  console.warn('The tests in a browser are skipped: there is no Chromium. Install one (apt-get install chromium).')

/** Stories of a browser; skipped where there is none. */
export const inBrowser = describe.skipIf(executablePath === undefined)

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** What went wrong in the page so far. */
  readonly troubles: string[]
  /** The address of a screen. */
  at(screen: string): string
}

export interface Visitor {
  readonly width?: number
  readonly height?: number
  readonly theme?: 'light' | 'dark'
  readonly role?: 'owner' | 'agent' | 'viewer'
  /** Sees no other organization than this. */
  readonly organizationId?: string
}

export interface Stage {
  readonly service: Service
  /** A browser of its own in which somebody has signed in by a one-time link, on the Live screen of the sandbox. */
  visit(visitor?: Visitor): Promise<Visit>
  /** A browser in which nobody has signed in. */
  stranger(visitor?: Visitor): Promise<Visit>
}

type Settings = Record<string, string>

/** The server with the pages built, and a browser, for the stories of one file. */
export function stage(env: Settings | (() => Promise<Settings>) = {}): Stage {
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    service = await startSending(typeof env === 'function' ? await env() : env)
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })
  const stranger = async (visitor: Visitor = {}): Promise<Visit> => {
    const { width = 1400, height = 900, theme = 'light', organizationId = service.demo.id } = visitor
    const context = await browser.newContext({
      baseURL: service.url,
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: 'reduce',
      locale: 'en-US',
    })
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    return {
      page,
      context,
      troubles: watch(page, service.url),
      at: (screen) => `/o/${organizationId}/sandbox/${screen}`,
    }
  }
  return {
    get service() {
      return service
    },
    stranger,
    async visit(visitor = {}) {
      const visit = await stranger(visitor)
      const user = await makeUser(service, visitor.organizationId ?? service.demo.id, visitor.role)
      const link = await makeSignInLink(service.database, service.url, { email: user.email }, new Date())
      await visit.page.goto(link.url)
      await visit.page.waitForURL('**/live')
      return visit
    },
  }
}

function watch(page: Page, origin: string): string[] {
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
