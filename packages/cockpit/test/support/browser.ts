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

interface Watched {
  readonly page: Page
  /** What went wrong in the page so far. */
  readonly troubles: string[]
}

export interface Visit extends Watched {
  readonly context: BrowserContext
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
  let opened: Watched[] = []
  const emptied: Watched[] = []
  beforeAll(async () => {
    service = await startSending(typeof env === 'function' ? await env() : env)
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--renderer-process-limit=1'],
    })
  })
  // What was opened before the first test stays. A page that a test has done with would go on hearing of everything;
  // emptied it serves the next, which costs half of what a process for a new one does.
  beforeEach(() => {
    opened = []
  })
  afterEach(async () => {
    for (const one of opened) if (await empty(one)) emptied.push(one)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })
  const newPage = async (): Promise<Watched> => {
    const context = await browser.newContext({ baseURL: service.url, locale: 'en-US' })
    context.setDefaultTimeout(120_000)
    return watch(await context.newPage(), service.url)
  }
  const stranger = async (visitor: Visitor = {}): Promise<Visit> => {
    const { width = 1400, height = 900, theme = 'light' } = visitor
    const { organizationId = service.demo.id, environment = 'sandbox' } = visitor
    const watched = emptied.pop() ?? (await newPage())
    opened.push(watched)
    const { page } = watched
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    return {
      ...watched,
      context: page.context(),
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

/** For how long the cockpit lets one undo. */
const UNDO_MS = 10_000

/** However long the machine takes, it is never too late to undo: until the page is loaded anew, that time does not end. */
export const holdUndo = (page: Page): Promise<void> =>
  page.evaluate(`{
    const later = setTimeout
    globalThis.setTimeout = (act, ms, ...more) => later(act, ms === ${UNDO_MS} ? 600_000 : ms, ...more)
  }`)

/** Leaves nothing of whoever sat there, but for the files that the server has said to keep. False when it is gone. */
async function empty({ page, troubles }: Watched): Promise<boolean> {
  if (page.isClosed()) return false
  const context = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.goto('/favicon.svg')
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await context.clearCookies()
  await context.clearPermissions()
  troubles.length = 0
  return true
}

function watch(page: Page, origin: string): Watched {
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
  return { page, troubles }
}
