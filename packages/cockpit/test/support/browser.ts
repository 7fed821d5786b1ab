// A real browser on the real server: Debian's Chromium, driven by playwright-core. Every page is watched: an error in
// the console, a request that fails or goes elsewhere, a breach of the content policy is written down.
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest'
import { makeSignInLink } from '../../../server/src/program/operator-sign-in.js'
import type { Service } from '../../../server/test/support/service.js'
import { makeUser, tokenOf } from '../../../server/test/support/sign-in/browser.js'
import { startSending } from '../../../server/test/support/webhooks/webhooks.js'

// The shell has no windows of its own to draw, which takes a third of the work.
const programs = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
const places = [process.env['CHROMIUM'], ...programs.map((program) => `/usr/bin/${program}`)]
const executablePath = places.find((path) => path !== undefined && existsSync(path))

if (executablePath === undefined)
  console.warn(
    'The tests in a browser are skipped: there is none. Install one: apt-get install chromium-headless-shell',
  )

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
  readonly environment?: 'sandbox' | 'production'
  /** Where they begin, which is Live when it is not said: a screen, or a path from the root. */
  readonly screen?: string
}

export interface Stage {
  readonly service: Service
  /** A browser of its own in which somebody has signed in and opened a screen. A test's own are closed after it. */
  visit(visitor?: Visitor): Promise<Visit>
  /** A browser in which nobody has signed in. */
  stranger(visitor?: Visitor): Promise<Visit>
  /** A one-time link for somebody new. */
  signInLink(visitor?: Visitor): Promise<string>
}

type Settings = Record<string, string>

/** The server with the pages built, and a browser, for the stories of one file. */
export function stage(env: Settings | (() => Promise<Settings>) = {}): Stage {
  let service: Service
  let browser: Browser
  let opened: BrowserContext[] = []
  beforeAll(async () => {
    service = await startSending(typeof env === 'function' ? await env() : env)
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    })
  })
  // What was opened before the first test stays; pages that nobody looks at any more would go on hearing of everything.
  beforeEach(() => {
    opened = []
  })
  afterEach(async () => {
    for (const context of opened) await context.close()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })
  const stranger = async (visitor: Visitor = {}): Promise<Visit> => {
    const { width = 1400, height = 900, theme = 'light' } = visitor
    const { organizationId = service.demo.id, environment = 'sandbox' } = visitor
    const context = await browser.newContext({
      baseURL: service.url,
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: 'reduce',
      locale: 'en-US',
    })
    opened.push(context)
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    return {
      page,
      context,
      troubles: watch(page, service.url),
      at: (screen) => `/o/${organizationId}/${environment}/${screen}`,
    }
  }
  const signInLink = async ({ organizationId = service.demo.id, role }: Visitor = {}): Promise<string> => {
    const user = await makeUser(service, organizationId, role)
    return (await makeSignInLink(service.database, service.url, { email: user.email }, new Date())).url
  }
  return {
    get service() {
      return service
    },
    stranger,
    signInLink,
    async visit(visitor = {}) {
      const visit = await stranger(visitor)
      // As the page of the link does, but without loading it.
      const answer = await visit.context.request.post('/api/v1/session/exchange', {
        data: { token: tokenOf(await signInLink(visitor)) },
        headers: { 'sec-fetch-site': 'same-origin' },
      })
      if (!answer.ok()) throw new Error(`Could not sign in: ${await answer.text()}`)
      const { screen = 'live' } = visitor
      await visit.page.goto(screen.startsWith('/') ? screen : visit.at(screen))
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
