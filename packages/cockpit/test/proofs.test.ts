// What the cockpit promises of itself: long lists, still for those who want it so, and deaf to other sites.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { sql } from '../../server/src/database/sql.js'
import { inBrowser, stage } from './support/browser.js'

/** `ROWS=10000` for the full size. */
const ROWS = Number(process.env['ROWS'] ?? 2_000)

inBrowser('what is promised', () => {
  const at = stage()

  test('thousands of rows scroll to the last one, and no more are drawn than fit', async () => {
    const organization = await at.service.organization('Many')
    await organization.sandbox.post('/people', { displayName: 'Person 0' })
    await at.service.database.query(sql`
      insert into people (tenant_id, id, version, updated_at, record, shape, search)
      select tenant_id, made, 1, updated_at, (record::jsonb || jsonb_build_object('id', made,
        'displayName', 'Person ' || n, 'createdAt', id_time(made)))::json, shape, search
      from (select p.*, n, uuid_v7(now() - n * interval '1 minute') as made
        from people p, generate_series(1, ${ROWS - 1}::int) n
        where record ->> 'organizationId' = ${organization.id}) as many`)
    const visit = await at.visit({ organizationId: organization.id, screen: 'people' })
    const list = visit.page.getByRole('list', { name: 'People' })
    await list.getByText('Person 0', { exact: true }).waitFor()
    let [most, slowest] = [0, 0]
    const last = list.getByText(`Person ${ROWS - 1}`, { exact: true })
    while ((await last.count()) === 0) {
      const [rows, ms] = await list.evaluate(async (box) => {
        const begun = performance.now()
        box.scrollTo(0, box.scrollHeight)
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        return [box.querySelectorAll('[role=listitem]').length, performance.now() - begun] as const
      })
      most = Math.max(most, rows)
      slowest = Math.max(slowest, ms)
    }
    console.log(`${ROWS} rows: at most ${most} drawn, the slowest jump ${Math.round(slowest)} ms`)
    expect(most).toBeLessThan(80)
    await list.evaluate((box) => box.scrollTo(0, 0))
    await list.getByText('Person 0', { exact: true }).waitFor()

    // An event does not have the whole list read again, page after page; whoever is at the top sees what is new.
    await list.evaluate((box) => box.scrollTo(0, 20_000))
    const asked: string[] = []
    visit.page.on('request', (request) => request.url().includes('/people?') && asked.push(request.url()))
    await organization.sandbox.post('/people', { displayName: 'Somebody new' })
    const line = { from: '+15550142203', to: '+15550100000' }
    await organization.sandbox.post('/calls', { direction: 'inbound', status: 'in_progress', ...line })
    // The list of calls hears of what happened after it, so by then this one has heard as well.
    await visit.page.getByRole('link', { name: /^Live 1/ }).waitFor()
    expect(asked.length).toBeLessThan(3)
    expect(await list.getByText('Somebody new').count()).toBe(0)
    await list.evaluate((box) => box.scrollTo(0, 0))
    await list.getByText('Somebody new').waitFor()
    await organization.sandbox.post('/people', { displayName: 'Somebody newer' })
    await list.getByText('Somebody newer').waitFor()
  })

  test('who wants no motion gets none', async () => {
    const { body } = await at.service.api.post('/calls', {
      direction: 'inbound',
      status: 'in_progress',
      from: '+15550142201',
      to: '+15550100000',
    })
    const { page } = await at.visit({ screen: `live/${body.id}` })
    const dot = page.locator('article .pulse-dot')
    await dot.waitFor()
    const moving = () => page.evaluate(() => document.getAnimations().length)
    expect(await moving()).toBe(0)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await expect.poll(moving).toBeGreaterThan(0)
    await at.service.api.post(`/calls/${body.id}/end`, {})
  })

  test('a page of another site can do nothing in the name of whoever is signed in', async () => {
    const api = `${at.service.url}/api/v1`
    const evil = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><body>evil</body>')
    }).listen(0)
    await once(evil, 'listening')
    const { port } = evil.address() as AddressInfo
    const { page, context, at: address } = await at.visit()
    const count = async () => (await at.service.api.get('/people?count=true&limit=1')).body.pagination.count
    const before = await count()
    const user = () => page.evaluate(async () => (await (await fetch('/api/v1/session')).json()).user?.id)
    const signedIn = await user()
    expect(signedIn).toBeTruthy()
    // Another site, and another origin of the same site, to which the browser does send the cookie.
    for (const host of ['localhost', '127.0.0.1']) {
      const attacker = await context.newPage()
      await attacker.goto(`http://${host}:${port}/`)
      const answers = await attacker.evaluate(
        async ([base, organization]) => {
          const place = { 'x-parley-organization': organization ?? '', 'x-parley-environment': 'sandbox' }
          const tries: [string, RequestInit][] = [
            [
              '/people',
              {
                method: 'POST',
                headers: { ...place, 'content-type': 'application/json' },
                body: '{"displayName":"Evil"}',
              },
            ],
            ['/people', { method: 'POST', mode: 'no-cors', body: '{"displayName":"Evil"}' }],
            ['/people', { headers: place }],
            ['/session', { method: 'DELETE' }],
            ['/session', { method: 'POST', mode: 'no-cors', body: '{"email":"evil@example.com","password":"x"}' }],
            ['/session', {}],
            ['/sessions', {}],
          ]
          return Promise.all(
            tries.map(async ([path, init]) =>
              fetch(`${base}${path}`, { credentials: 'include', ...init }).then(
                (answer) => answer.text(),
                () => 'refused',
              ),
            ),
          )
        },
        [api, at.service.demo.id],
      )
      // What the browser lets through it does not let be read.
      expect(answers.filter((text) => text !== 'refused' && text !== '')).toEqual([])
      // Forms need no permission to be sent, to whatever address.
      const form = await context.newPage()
      for (const path of ['/people', '/session', '/sandbox/simulate', '/members', '/session/user']) {
        await form.goto(`http://${host}:${port}/`)
        const answered = form.waitForResponse((response) => response.url() === api + path)
        await form.evaluate((action) => {
          const made = document.createElement('form')
          Object.assign(made, { action, method: 'post', enctype: 'text/plain' })
          const field = document.createElement('input')
          Object.assign(field, { name: '{"displayName":"Evil","scenario":"missed_call","x":"', value: '"}' })
          made.append(field)
          document.body.append(made)
          made.submit()
        }, api + path)
        // Without the cookie nobody is signed in; with it the request comes from elsewhere.
        expect([401, 403], path).toContain((await answered).status())
        // A page that is closed between an answer and showing it is never said to be closed.
        await form.waitForURL(api + path)
      }
      await form.close()
      await attacker.evaluate((src) => {
        const frame = document.createElement('iframe')
        frame.src = src
        document.body.append(frame)
      }, at.service.url + address('live'))
      await expect.poll(() => attacker.frames().at(-1)?.url()).toBe('chrome-error://chromewebdata/')
      await attacker.close()
    }
    evil.close()
    evil.closeAllConnections()
    expect(await count()).toBe(before)
    expect(await user()).toBe(signedIn)
  })
})
