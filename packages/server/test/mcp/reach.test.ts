// What the tools of agents can address, whatever key holds them: every path that they can build, from the table.
import { expect, test } from 'vitest'
import { reachOf } from '../../src/mcp/reach.js'
import { endpoints } from '../../src/resources/index.js'

test('no tool reaches keys, members, secrets, connections, webhooks, exports or the platform, and none deletes', () => {
  const reach = reachOf(endpoints)
  const slugs = reach.found.map(({ slug }) => slug)
  const decided = ['drafts', 'facts'].flatMap((slug) => reach.decisions.map((one) => `POST /${slug}/{id}/${one}`))
  const reached = [
    ...['search', 'stats', 'schema', 'sms', 'facts', 'drafts'].map((one) => `/${one}`),
    ...slugs.flatMap((slug) => [`/${slug}`, `/${slug}/{id}`, ...reach.parts.map((part) => `/${slug}/{id}/${part}`)]),
  ]
  expect(reach.found.filter(({ sealed }) => sealed !== undefined)).toEqual([])
  const written = [...reach.created, ...reach.updated]
  const closed =
    /api-keys|member|invitation|session|connection|inbound|webhook|export$|import|batch|log|platform|feed|sandbox|organ/
  expect([...reached, ...decided].filter((path) => closed.test(path))).toEqual([])
  expect(written.filter((slug) => !slugs.includes(slug))).toEqual([])
  expect(decided.some((path) => path.includes('delete'))).toBe(false)
  expect([slugs.includes('people'), reach.parts, reach.decisions.includes('approve')]).toEqual([
    true,
    ['timeline', 'duplicates', 'transcript', 'surface'],
    true,
  ])
})
