// Prepared statements are bounded: whatever varies freely in a request is a parameter and never text, so that no client
// fills a connection with them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../src/database/pool.js'
import { compile, type Sql } from '../../../src/database/sql.js'
import type { QueryParameter } from '../../../src/http/endpoint.js'
import { endpoints } from '../../../src/resources/index.js'
import { eachOf } from '../../support/every-endpoint.js'
import { type Service, startService } from '../../support/service.js'

let service: Service
const kept = new Set<string>()
beforeAll(async () => {
  // Without what works in the background, whose statements come when they come; what counts requests comes at once.
  service = await startService({ PARLEY_ROLE: 'api', PARLEY_USAGE_INTERVAL: '10ms' })
  watch(service.database)
})
afterAll(() => service.stop())

/** Notes the text of every statement that a connection would keep. */
function watch(database: Database): void {
  const { read, query } = database
  const note = (statement: Sql) => kept.add(compile(statement).text)
  Object.assign(database, {
    read: (statement: Sql) => (note(statement), read(statement)),
    query: (statement: Sql, options?: { prepared?: boolean }) => (
      options?.prepared && note(statement), query(statement, options)
    ),
  })
}

const lists = endpoints.filter(
  ({ method, path, query }) =>
    method === 'GET' && !path.includes('{') && query !== undefined && !path.includes('stream'),
)

/** Another value in each round; a list of known values is gone through whole in the first. */
function valuesOf(name: string, { schema }: QueryParameter, round: number): string[] {
  const { format, type, enum: known } = schema as { format?: string; type?: unknown; enum?: readonly unknown[] }
  const all = type === 'boolean' ? ['true', 'false'] : known?.map(String)
  if (all !== undefined) return round === 0 ? all : []
  if (name === 'limit') return [String(round + 1)]
  if (format === 'uuid') return [`01a1dd5e-5c8f-71ba-a307-13a342da36${String(round).padStart(2, '0')}`]
  if (format === 'date-time') return [new Date(Date.UTC(2026, 0, round + 1)).toISOString()]
  return [`v${round}`, `v${round},w${round}`, `one${round} two three`]
}

async function sweep(round: number): Promise<number> {
  const answers = await eachOf(lists, async ({ path, query = {} }) => {
    const asked = Object.entries(query).flatMap(([name, parameter]) =>
      valuesOf(name, parameter, round).map((value) => ({ name, value })),
    )
    const statuses: number[] = []
    for (const { name, value } of asked)
      statuses.push((await service.api.get(`${path}?${name}=${encodeURIComponent(value)}`)).status)
    return statuses.filter((status) => status === 200).length
  })
  return answers.reduce((sum, count) => sum + count, 0)
}

test('every parameter of every list with another value leaves no other statement than with the first', async () => {
  expect(await sweep(0)).toBeGreaterThan(lists.length * 5)
  const before = new Set(kept)
  expect(await sweep(1)).toBeGreaterThan(lists.length)
  expect([...kept].filter((text) => !before.has(text))).toEqual([])
})
