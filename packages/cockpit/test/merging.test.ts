// The story of two who turn out to be one: suggested, compared, merged, taken back.
import { expect, test } from 'vitest'
import { violations } from './support/axe.js'
import { holdUndo, inBrowser, stage } from './support/browser.js'

inBrowser('merging', () => {
  const at = stage()
  const make = async (path: string, body: object): Promise<{ id: string }> =>
    (await at.service.api.post(path, body)).body

  test('people: compared side by side, merged with one press, undone, and separated later', async () => {
    const kept = await make('/people', { firstName: 'Rosa', lastName: 'Park', primaryPhone: '+15550140001' })
    const old = await make('/people', {
      displayName: 'Rosa P.',
      primaryPhone: '+15550140001',
      primaryEmail: 'rosa@example.com',
    })
    await make('/notes', { subjectType: 'person', subjectId: old.id, body: 'Has two dogs' })
    const { page, at: address, troubles } = await at.visit({ screen: `people/${kept.id}` })
    await holdUndo(page)
    await page.getByRole('button', { name: 'Compare with Rosa P.' }).click()
    const dialog = page.getByRole('dialog', { name: 'Are these the same?' })
    await dialog.getByRole('row', { name: /rosa@example.com/ }).waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Keep Rosa Park' }).click()
    const timeline = page.getByRole('list', { name: 'Timeline' })
    await timeline.getByText('Has two dogs').waitFor()
    await page.getByRole('heading', { name: 'Merged into this' }).waitFor()
    await page.getByRole('button', { name: /Undo/ }).click()
    await page.getByRole('button', { name: 'Compare with Rosa P.' }).waitFor()
    await timeline.getByText('Has two dogs').waitFor({ state: 'detached' })
    expect((await at.service.api.get(`/people/${old.id}`)).body.id).toBe(old.id)

    // From the other page one may keep the first just as well; the old address leads there.
    await page.goto(address(`people/${old.id}`))
    await page.getByRole('button', { name: 'Compare with Rosa Park' }).click()
    await page.getByRole('button', { name: 'Keep Rosa Park' }).click()
    await page.waitForURL(`**/people/${kept.id}`)
    await page.goto(address(`people/${old.id}`))
    await page.waitForURL(`**/people/${kept.id}`)
    await page.getByRole('button', { name: 'Separate Rosa P. again' }).click()
    await page.getByRole('button', { name: 'Compare with Rosa P.' }).waitFor()
    expect(troubles).toEqual([])
  })

  test('customers: the same, by keyboard alone', async () => {
    const kept = await make('/customers', { displayName: 'Harbor Cafe', primaryEmail: 'hello@harbor.example' })
    const old = await make('/customers', { displayName: 'Harbor Café', primaryEmail: 'hello@harbor.example' })
    const { page, troubles } = await at.visit({ screen: `people/customers/${kept.id}` })
    await holdUndo(page)
    const compare = page.getByRole('button', { name: 'Compare with Harbor Café' })
    await compare.waitFor()
    await compare.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Keep Harbor Cafe', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Merged into this' }).waitFor()
    expect((await at.service.api.get(`/customers/${old.id}`)).body.id).toBe(kept.id)
    await page.keyboard.press('u')
    await expect.poll(async () => (await at.service.api.get(`/customers/${old.id}`)).body.id).toBe(old.id)
    expect(troubles).toEqual([])
  })
})
