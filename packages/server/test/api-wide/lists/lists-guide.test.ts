// The commands of docs/guides/lists.md, run as they are written, one after the other.
import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { limits } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../support/service.js'

const hasCurl = spawnSync('curl', ['--version']).status === 0
let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test.skipIf(!hasCurl)('each question is one request, and is answered as the guide says', async () => {
  const guide = await readFile(new URL('../../../../../docs/guides/lists.md', import.meta.url), 'utf8')
  const blocks = [...guide.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) =>
    block.replaceAll('http://127.0.0.1:3000', service.url),
  )
  const [setUp = '', ...questions] = blocks
  const [helpers, orders] = [setUp.split('\n').slice(0, 2).join('\n'), setUp.split('\n').slice(2).join('\n')]
  const run = async (script: string): Promise<any[]> => {
    const env = { ...process.env, KEY: service.api.key }
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', `${helpers}\n${script}`], { env })
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)))
  }
  expect(await run(orders)).toHaveLength(5)
  const [[tomorrow], [week], [changed], [counted], [feed]] = (await Promise.all(questions.map(run))) as [
    any[],
    any[],
    any[],
    any[],
    any[],
  ]
  const titles = ({ data }: { data: { title: string }[] }) => data.map(({ title }) => title)
  expect(titles(tomorrow)).toEqual(['Survey'])
  expect(titles(week)).toEqual(['Order the pump', 'Send the quote'])
  expect(titles(changed)).toEqual(['Send the quote', 'Order the pump', 'Tidy the van'])
  expect(counted.pagination).toMatchObject({ limit: 1, count: 3, countIsExact: true })
  expect(await (await fetch(feed.url)).text()).toMatch(/^BEGIN:VCALENDAR/)
  for (const number of [limits.calendarDaysBack, limits.calendarDaysAhead, limits.calendarEvents, limits.countMax])
    expect(guide).toContain(number.toLocaleString('en'))
})
