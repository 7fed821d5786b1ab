// Live: a call as it is spoken, its facts and its words, and a stream that comes back.
import { expect, test } from 'vitest'
import { inBrowser, stage } from './support/browser.js'

inBrowser('live', () => {
  const at = stage()

  const begin = async (from = '+15550142201') => {
    const call = await at.service.api.post('/calls', {
      direction: 'inbound',
      status: 'in_progress',
      from,
      to: '+15550100000',
      callerName: 'Maria Alvarez',
    })
    const say = (sequence: number, text: string, speaker = 'caller') =>
      at.service.api.post(`/calls/${call.body.id}/segments`, {
        segments: [{ sequence, speaker, text, startMs: sequence * 1_000, endMs: sequence * 1_000 + 900 }],
      })
    return { id: call.body.id, say }
  }

  test('a call appears by itself, and its words within a moment of being said', async () => {
    const { page, troubles } = await at.visit()
    await page.getByText('The line is quiet').waitFor()
    const call = await begin()
    await page.getByRole('heading', { level: 2, name: 'Maria Alvarez' }).waitFor()
    await call.say(0, 'The boiler is cold.')
    await page.getByText('The boiler is cold.').waitFor()
    const times: number[] = []
    for (let index = 1; index <= 8; index++) {
      const shown = page.evaluate(
        (words) =>
          new Promise<number>((resolve) => {
            const look = () =>
              document.body.innerText.includes(words) && (resolve(performance.timeOrigin + performance.now()), true)
            if (!look())
              new MutationObserver((_, observer) => look() && observer.disconnect()).observe(document.body, {
                childList: true,
                subtree: true,
                characterData: true,
              })
          }),
        `Line number ${index}.`,
      )
      await call.say(index, `Line number ${index}.`)
      const said = Date.now()
      times.push((await shown) - said)
    }
    console.log(`segment to screen after its answer: ${times.map((ms) => Math.round(ms)).join(', ')} ms`)
    expect(times.length).toBe(8)
    await at.service.api.post(`/calls/${call.id}/end`, { summary: 'A cold boiler.' })
    await page.getByText('A cold boiler.').first().waitFor()
    expect(troubles).toEqual([])
  })

  test('a fact lights up its words, and the words their fact; it is accepted, edited and rejected in place', async () => {
    const call = await begin('+15550142299')
    const { page, troubles } = await at.visit({ screen: `live/${call.id}` })
    await call.say(0, 'I live at 18 Quay Street and my sink leaks.')
    const quote = 'I live at 18 Quay Street and my sink leaks.'
    const evidence = [{ callSessionId: call.id, quote, startMs: 0, endMs: 900, speaker: 'caller' }]
    await at.service.api.post(`/calls/${call.id}/facts`, {
      facts: [
        { key: 'address', value: '18 Quay Street', confidence: 0.95, evidence },
        { key: 'issue', value: 'sink leaks', confidence: 0.8, evidence },
        { key: 'mood', value: 'calm', confidence: 0.5 },
      ],
    })
    const words = page.locator('mark', { hasText: '18 Quay Street' })
    const row = page.getByRole('listitem').filter({ hasText: 'Address' })
    await words.waitFor()
    expect(await words.textContent()).toBe('18 Quay Street')
    await row.hover()
    await expect.poll(() => words.getAttribute('class')).toContain('bg-accent-soft')
    await words.hover()
    await expect.poll(() => row.getAttribute('class')).toContain('bg-accent-soft')

    const facts = async () =>
      Object.fromEntries(
        (
          await at.service.api.get(`/facts?sourceCallSessionId=${call.id}&status=proposed,confirmed,rejected`)
        ).body.data.map((fact: { key: string; value: unknown; status: string }) => [
          `${fact.key} ${fact.value}`,
          fact.status,
        ]),
      )
    await page.getByRole('button', { name: 'Accept address' }).click()
    await page.getByRole('button', { name: 'Reject mood' }).click()
    await page.getByRole('button', { name: 'Edit issue' }).click()
    await page.getByRole('textbox', { name: 'Issue' }).last().fill('pipe leaks')
    await page.keyboard.press('Enter')
    await expect.poll(facts).toMatchObject({
      'address 18 Quay Street': 'confirmed',
      'mood calm': 'rejected',
      'issue pipe leaks': 'confirmed',
    })
    expect(troubles).toEqual([])
  })

  test('who scrolls up is not pulled down, and told what is new', async () => {
    const call = await begin('+15550142298')
    for (let index = 0; index < 40; index++)
      await call.say(index, `Sentence ${index} of a long call.`, index % 2 ? 'agent' : 'caller')
    const { page } = await at.visit({ screen: `live/${call.id}` })
    const log = page.getByRole('log')
    await page.getByText('Sentence 39').waitFor()
    // The page hears of it a moment later, and a line that came in between would take the reader along.
    await log.evaluate(
      (box) =>
        new Promise((resolve) => {
          box.addEventListener('scroll', () => requestAnimationFrame(resolve), { once: true })
          box.scrollTo(0, 0)
        }),
    )
    await call.say(40, 'Sentence 40 of a long call.')
    await call.say(41, 'Sentence 41 of a long call.')
    await page.getByRole('button', { name: '2 new' }).click()
    await page.getByText('Sentence 41').waitFor()
    const isAtEnd = () => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight < 10)
    await expect.poll(isAtEnd).toBe(true)
  })

  test('a call of three hours and 5,000 segments opens, scrolls and grows', async () => {
    const call = await begin('+15550142297')
    for (let batch = 0; batch < 10; batch++) {
      const segments = Array.from({ length: 500 }, (_, index) => {
        const sequence = batch * 500 + index
        const speaker = sequence % 3 === 0 ? 'agent' : 'caller'
        return { sequence, speaker, text: `Sentence ${sequence} of three hours of talk.`, startMs: sequence * 2_000 }
      })
      expect((await at.service.api.post(`/calls/${call.id}/segments`, { segments })).status).toBe(200)
    }
    const { page, troubles } = await at.visit({ screen: `live/${call.id}` })
    await page.getByText('Sentence 4999 of').waitFor()
    const nodes = () => page.evaluate(() => document.querySelectorAll('*').length)
    const drawn = [await nodes()]
    const slowest = await page.getByRole('log').evaluate(async (box) => {
      let longest = 0
      for (let step = 0; step < 60; step++) {
        const begun = performance.now()
        box.scrollTo(0, (box.scrollHeight / 60) * step)
        await new Promise((resolve) => requestAnimationFrame(resolve))
        longest = Math.max(longest, performance.now() - begun)
      }
      box.scrollTo(0, box.scrollHeight)
      return longest
    })
    drawn.push(await nodes())
    await page.getByRole('log').evaluate((box) => box.scrollTo(0, box.scrollHeight / 2))
    // What has not been in sight yet is as high as it was guessed to be, so the middle is not quite that of the words.
    await page
      .getByText(/Sentence [123]\d{3} of/)
      .first()
      .waitFor()
    drawn.push(await nodes())
    console.log(`elements drawn of 5,000 segments: ${drawn.join(', ')}`)
    expect(Math.max(...drawn)).toBeLessThan(2_500)
    await page.getByRole('log').evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await page.getByText('Sentence 4999 of').waitFor()
    console.log(`slowest of 60 jumps through 5,000 segments: ${Math.round(slowest)} ms`)
    await call.say(5_000, 'And one more.')
    await page.getByText('And one more.').waitFor()
    expect(troubles).toEqual([])
  })
})
