// Stories of Work, Inbox and Overview: carry a card, keep a view, read what is new, follow a number to its rows.
import { beforeAll, expect, test } from 'vitest'
import { holdUndo, inBrowser, stage } from './support/browser.js'
import { furnish } from './support/demo.js'

inBrowser('work, inbox and overview', () => {
  const at = stage()
  let api: typeof at.service.api
  beforeAll(async () => {
    api = at.service.api
    await api.post('/phone-numbers', { e164: '+15550100000', isDefault: true })
    await furnish(at.service)
  })

  const makeWork = async (title: string, more: object = {}) =>
    (await api.post('/work-records', { canonicalKind: 'job', title, ...more })).body
  const stateOf = async (id: string) => (await api.get(`/work-records/${id}`)).body.recordState

  test('the board: a card is dragged, another carried by the keyboard; a column that refuses says why; undo', async () => {
    const customer = (await api.post('/customers', { displayName: 'Board' })).body.id
    const [dragged, carried] = [
      await makeWork('Drag me', { customerId: customer }),
      await makeWork('Carry me', { customerId: customer }),
    ]
    const { page, troubles } = await at.visit({ screen: `work/board?customerId=${customer}` })
    await holdUndo(page)
    const column = (state: string) => page.locator(`[data-column=${state}]`)
    await column('active').getByText('Drag me').dragTo(column('completed'))
    await column('completed').getByText('Drag me').waitFor()
    await expect.poll(() => stateOf(dragged.id)).toBe('completed')

    // What is completed can only become active: while it is held over another column, that one says so.
    await column('completed').getByText('Drag me').hover()
    await page.mouse.down()
    await column('blocked').hover()
    await column('blocked').hover()
    await column('blocked').getByText('Completed work cannot become blocked; it can become active.').waitFor()
    await page.mouse.up()
    expect(await stateOf(dragged.id)).toBe('completed')

    await page.getByRole('button', { name: /^Move Carry me/ }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.getByText('Carry me: enter puts it into Blocked').waitFor()
    await page.keyboard.press('Enter')
    await column('blocked').getByText('Carry me').waitFor()
    await expect.poll(() => stateOf(carried.id)).toBe('blocked')
    await page.getByRole('button', { name: /^Move Carry me/ }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Escape')
    await column('blocked').getByText('Carry me').waitFor()
    await page.getByRole('combobox', { name: /Move Carry me/ }).selectOption('canceled')
    await expect.poll(() => stateOf(carried.id)).toBe('canceled')
    // Canceled work cannot become blocked at once; undo takes the way that there is.
    await page.getByText('Carry me moved to canceled').waitFor()
    await page.getByRole('status').getByRole('button', { name: /Undo/ }).last().click()
    await expect.poll(() => stateOf(carried.id)).toBe('blocked')
    expect(troubles).toEqual([])
  })

  test('the board: a card that is moved on before the service has answered goes where it was sent last', async () => {
    const customerId = (await api.post('/customers', { displayName: 'Hasty' })).body.id
    const { id } = await makeWork('Move me', { customerId })
    const { page, troubles } = await at.visit({ screen: `work/board?customerId=${customerId}` })
    await page.locator('[data-column=active]').getByText('Move me').waitFor()
    let letGo = () => {}
    const isLetGo = new Promise<void>((resolve) => (letGo = resolve))
    await page.route(/work-records/, async (route) => {
      await isLetGo
      await route.continue().catch(() => undefined)
    })
    for (const state of ['blocked', 'canceled', 'active', 'completed']) {
      await page.getByRole('combobox', { name: /Move Move me/ }).selectOption(state)
      await page.locator(`[data-column=${state}]`).getByText('Move me').waitFor()
    }
    letGo()
    await expect.poll(() => stateOf(id)).toBe('completed')
    await page.getByText('Move me moved to completed').waitFor()
    expect((await api.get(`/work-records/${id}`)).body.version).toBe(5)
    expect(troubles).toEqual([])
  })

  test('saved views: kept under a name, opened by a colleague, changed, renamed, deleted and brought back', async () => {
    await makeWork('Burst pipe', { priority: 'urgent', customerId: (await api.get('/customers')).body.data[0].id })
    const { page, troubles } = await at.visit({ role: 'agent', screen: 'work/table?priority=urgent&status=new' })
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Urgent and new')
    await page.keyboard.press('Enter')
    await page.waitForURL(/view=/)
    const views = async () => (await api.get('/saved-views')).body.data
    expect(await views()).toMatchObject([
      { name: 'Urgent and new', layout: 'table', filters: { priority: 'urgent', status: 'new', recordState: null } },
    ])

    const colleague = await at.visit({ screen: 'work/board' })
    await holdUndo(colleague.page)
    await colleague.page.getByRole('button', { name: 'Views' }).click()
    await colleague.page.getByRole('menuitem', { name: 'Urgent and new' }).click()
    await colleague.page.waitForURL(/work\/table\?.*priority=urgent/)
    await colleague.page.getByRole('list', { name: 'Work' }).getByText('Burst pipe').waitFor()
    await colleague.page.getByRole('button', { name: 'Leave out Status: New' }).click()
    await colleague.page.getByRole('button', { name: /Urgent and new.*changed/ }).click()
    await colleague.page.getByRole('menuitem', { name: 'Save changes to Urgent and new' }).click()
    await expect.poll(async () => (await views())[0].filters.status).toBe(null)
    await colleague.page.getByRole('button', { name: 'Urgent and new' }).click()
    await colleague.page.getByRole('menuitem', { name: 'Delete Urgent and new' }).click()
    await expect.poll(async () => (await views()).length).toBe(0)
    await colleague.page.getByRole('button', { name: /Undo/ }).click()
    await expect.poll(views).toMatchObject([{ name: 'Urgent and new', filters: { priority: 'urgent' } }])
    expect([...troubles, ...colleague.troubles]).toEqual([])
  })

  test('several at once: what can move does, and what cannot is told', async () => {
    const customerId = (await api.post('/customers', { displayName: 'Bulk' })).body.id
    const [open, done] = [await makeWork('Open one', { customerId }), await makeWork('Done one', { customerId })]
    await api.patch(`/work-records/${done.id}`, { recordState: 'completed' })
    const { page } = await at.visit({ screen: `work/table?customerId=${customerId}` })
    await page.getByRole('checkbox', { name: 'Choose all that are shown' }).check()
    await page.getByRole('button', { name: 'Block' }).click()
    await page.getByText('1 changed').waitFor()
    await page.getByText('1 not changed: Completed work cannot become blocked').waitFor()
    expect([await stateOf(open.id), await stateOf(done.id)]).toEqual(['blocked', 'completed'])
  })

  test('the detail of work has its history as differences, and a timeline that is narrowed by kind', async () => {
    const [work] = (await api.get('/work-records?priority=urgent&source=call')).body.data
    for (const stage of ['Urgent first', 'Urgent now']) await api.patch(`/work-records/${work.id}`, { stage })
    await api.post('/notes', { body: 'Bring a wrench', subjectType: 'work_record', subjectId: work.id })
    const { page, troubles } = await at.visit({ screen: `work/table/${work.id}` })
    await page.locator('del', { hasText: 'Urgent first' }).waitFor()
    await page.locator('ins', { hasText: 'Urgent now' }).waitFor()
    const timeline = page.getByRole('list', { name: 'Timeline' })
    await timeline.getByText('Bring a wrench').waitFor()
    await expect.poll(() => timeline.getByRole('listitem').count()).toBeGreaterThan(1)
    await page.getByRole('button', { name: /Everything/ }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Note' }).click()
    await page.waitForURL(/types=note/)
    await expect.poll(() => timeline.getByRole('listitem').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Everything' }).click()
    await expect.poll(() => timeline.getByRole('listitem').count()).toBeGreaterThan(1)
    expect(troubles).toEqual([])
  })

  test('a thread is unread until somebody reads it, and stands first', async () => {
    const write = (from: string, body: string) => api.post('/sms/inbound', { from, to: '+15550100000', body })
    const older = (await write('+15550142250', 'The first to write')).body.threadId
    await write('+15550142251', 'The second to write')
    const thread = async () => (await api.get(`/conversations/${older}`)).body
    const { page, at: address, troubles } = await at.visit({ screen: `inbox/texts/${older}` })
    await expect.poll(async () => (await thread()).isUnread).toBe(false)
    const rows = page.getByRole('list', { name: 'Texts' }).getByRole('listitem')
    const unread = () => rows.filter({ hasText: 'unread' })
    await expect.poll(() => unread().filter({ hasText: 'The first to write' }).count()).toBe(0)
    await expect.poll(() => unread().filter({ hasText: 'The second to write' }).count()).toBe(1)
    await page.goto(address('inbox'))
    await expect.poll(() => rows.first().textContent()).toContain('unread')

    const count = page.getByRole('link', { name: /Inbox/ }).first()
    const shown = async () => Number(/\d+/.exec((await count.textContent()) ?? '')?.[0])
    await expect.poll(shown).toBeGreaterThan(0)
    const before = await shown()
    await write('+15550142250', 'Are you there?')
    await expect.poll(() => unread().filter({ hasText: 'Are you there?' }).count()).toBe(1)
    await expect.poll(shown).toBe(before + 1)

    await page.getByRole('link', { name: /Are you there/ }).click()
    await expect.poll(async () => (await thread()).unreadCount).toBe(0)
    await page.getByRole('button', { name: 'Mark as unread' }).click()
    await expect.poll(async () => (await thread()).unreadCount).toBe(1)
    await page.waitForURL('**/inbox/texts')
    expect(troubles).toEqual([])

    const viewer = await at.visit({ role: 'viewer', screen: `inbox/texts/${older}` })
    await viewer.page.getByRole('log').getByText('Are you there?').waitFor()
    expect((await thread()).unreadCount).toBe(1)
    expect(viewer.troubles).toEqual([])
  })

  test('every number of the overview leads to exactly the rows that it counts', async () => {
    const { page, troubles } = await at.visit({ screen: 'overview' })
    await page.getByText('Drafts waiting').waitFor()
    const links = await page.locator('#content a').evaluateAll((all) =>
      all.map((link) => {
        const name = link.getAttribute('aria-label') ?? link.textContent ?? ''
        const said = /: (\d+) (?:answered|missed|accepted|rejected)|^(\d+) in seven|today(\d+)$|waiting(\d+)$/.exec(
          name,
        )
        return { href: link.getAttribute('href') ?? '', name, value: said?.slice(1).find(Boolean) }
      }),
    )
    const counted = links.filter(({ href }) => href.includes('/overview/'))
    expect(counted.length).toBeGreaterThan(15)
    for (const { href, name, value } of counted) {
      const path = href.slice(href.indexOf('/overview/') + '/overview'.length)
      const { pagination } = (await api.get(`${path}&count=true&limit=1`)).body
      if (value !== undefined) expect([name, pagination.count]).toEqual([name, Number(value)])
      else expect(name).toMatch(/Time to answer/)
    }
    // One of each kind of list as the page shows it.
    const kinds = new Map(
      counted.filter(({ value }) => Number(value) > 0).map((one) => [/overview\/(\w+)/.exec(one.href)?.[1], one]),
    )
    expect([...kinds.keys()].sort()).toEqual(['calls', 'drafts', 'sms'])
    for (const { href, value } of kinds.values()) {
      await page.goto(href)
      await page.getByRole('heading', { level: 1, name: new RegExp(`^${value} `) }).waitFor()
      await expect.poll(() => page.locator('#content [role=listitem]').count()).toBe(Number(value))
    }
    expect(troubles).toEqual([])
  })
})
