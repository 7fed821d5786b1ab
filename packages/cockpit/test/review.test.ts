// Review by keyboard alone, with second thoughts, and with somebody else at the same drafts.
import { beforeEach, expect, test } from 'vitest'
import { holdUndo, inBrowser, stage, type Visit } from './support/browser.js'

inBrowser('review', () => {
  const at = stage()
  let organization: Awaited<ReturnType<typeof at.service.organization>>
  let drafts: string[]

  /** Three calls that have left a draft each. */
  beforeEach(async () => {
    organization = await at.service.organization(`Review ${crypto.randomUUID()}`)
    drafts = []
    for (const title of ['First job', 'Second job', 'Third job']) {
      const call = await organization.sandbox.post('/calls', {
        direction: 'inbound',
        from: '+15550142201',
        to: '+15550100000',
      })
      const facts = [{ key: 'address', value: '18 Quay Street', confidence: 0.9 }]
      const draft = { title, canonicalKind: 'job', payload: { priority: 'high' } }
      await organization.sandbox.post(`/calls/${call.body.id}/end`, { summary: `About ${title}`, facts, draft })
      const found = await organization.sandbox.get(`/drafts?callSessionId=${call.body.id}`)
      drafts.push(found.body.data[0].id)
    }
  })

  const draft = async (index: number) => (await organization.sandbox.get(`/drafts/${drafts[index]}`)).body
  const open = async (): Promise<Visit> => {
    const visit = await at.visit({ organizationId: organization.id, screen: 'review' })
    await visit.page.getByRole('heading', { name: 'First job' }).waitFor()
    return visit
  }

  test('j and k move, e edits, a approves with facts, r rejects with a reason, u undoes', async () => {
    const { page, troubles } = await open()
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Second job' }).waitFor()
    await page.keyboard.press('k')
    await page.getByRole('heading', { name: 'First job' }).waitFor()
    await page.keyboard.press('e')
    await page.keyboard.type('First job, mended')
    await page.keyboard.press('Enter')
    await page.keyboard.press('a')
    await page.getByRole('heading', { name: 'Second job' }).waitFor()
    await page.keyboard.press('u')
    await page.getByRole('heading', { name: 'First job' }).waitFor()
    expect((await draft(0)).status).toBe('pending_review')

    await page.keyboard.press('a')
    await page.getByRole('heading', { name: 'Second job' }).waitFor()
    await page.keyboard.press('r')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Not our area')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Rejected: Second job').waitFor()
    expect(await draft(1)).toMatchObject({ status: 'rejected', rejectedReason: 'Not our area' })
    await page.keyboard.press('u')
    await expect.poll(async () => (await draft(1)).status).toBe('pending_review')

    await expect.poll(async () => (await draft(0)).status).toBe('approved')
    const work = (await organization.sandbox.get(`/work-records/${(await draft(0)).workRecordId}`)).body
    expect(work.title).toBe('First job, mended')
    const facts = (await organization.sandbox.get(`/facts?sourceCallSessionId=${(await draft(0)).callSessionId}`)).body
      .data
    expect(facts).toMatchObject([{ status: 'confirmed', confirmedVia: 'draft_approval' }])
    expect(troubles).toEqual([])
  })

  test('leaving the page sends the approval at once; a killed browser leaves the draft waiting', async () => {
    const leaving = await open()
    await leaving.page.keyboard.press('a')
    await leaving.page.getByRole('heading', { name: 'Second job' }).waitFor()
    await leaving.page.goto('/docs')
    await expect.poll(async () => (await draft(0)).status).toBe('approved')

    await leaving.page.goto(leaving.at('review'))
    await leaving.page.getByRole('heading', { name: 'Second job' }).waitFor()
    await holdUndo(leaving.page)
    await leaving.page.keyboard.press('a')
    await leaving.page.getByRole('heading', { name: 'Third job' }).waitFor()
    const session = await leaving.context.newCDPSession(leaving.page)
    const crashed = leaving.page.waitForEvent('crash')
    void session.send('Page.crash').catch(() => undefined)
    await crashed
    await leaving.context.close()
    expect((await draft(1)).status).toBe('pending_review')
  })

  test('who is slower sees what happened', async () => {
    const [one, other] = [await open(), await open()]
    await holdUndo(one.page)
    await one.page.keyboard.press('a')
    await one.page.getByRole('heading', { name: 'Second job' }).waitFor()
    await other.page.keyboard.press('r')
    await other.page.getByRole('dialog').waitFor()
    await other.page.keyboard.press('Enter')
    await one.page.getByText('Somebody else rejected “First job”. Your approval was not sent.').waitFor()
    expect((await draft(0)).status).toBe('rejected')
    expect([...one.troubles, ...other.troubles]).toEqual([])
  })
})
