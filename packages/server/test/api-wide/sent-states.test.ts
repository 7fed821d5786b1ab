// A state that is sent with PATCH acts, or 409 tells why: nobody is told 200 for what did not happen. A status that
// tells of a call late is the exception, and calls.test.ts shows it.
import { annotationsOf, calls } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/resources/index.js'
import { propertiesOf, slugOf, smallestBody } from '../support/endpoint-requests.js'
import { type Service, startService } from '../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const stateFields = ['status', 'recordState']

/** Every list of states that PATCH answers with, whether or not its body says that it takes one. */
const machines = endpoints
  .filter(({ method, path }) => method === 'PATCH' && path.endsWith('/{id}'))
  .flatMap((endpoint) => {
    const properties = propertiesOf(endpoint.returns.schema ?? {})
    return stateFields.flatMap((field) => {
      const { enum: states } = annotationsOf(properties[field] ?? {})
      return states ? [[slugOf(endpoint), field, states as string[]] as const] : []
    })
  })

test('all that have states are looked at', () => {
  const slugs = machines.map(([slug, field]) => `${slug}.${field}`)
  for (const known of [
    'calls.status',
    'drafts.status',
    'work-records.recordState',
    'phone-numbers.status',
    'webhooks.status',
    'tasks.status',
  ]) {
    expect(slugs).toContain(known)
  }
})

let made = 0
/** A new one each time, where two may not be the same; and who calls, which a rule wants said. */
const particular = (slug: string): object => {
  if (slug === calls.slug) return { from: '+15550100200' }
  return slug === 'phone-numbers' ? { e164: `+1555${String(++made).padStart(7, '0')}` } : {}
}

async function create(slug: string): Promise<{ id: string }> {
  const creation = endpoints.find(({ method, path }) => method === 'POST' && path === `/${slug}`)
  if (creation === undefined) throw new Error(`Nothing makes ${slug}`)
  const answer = await service.api.post(`/${slug}`, { ...smallestBody(creation), ...particular(slug) })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

describe.each(machines)('%s.%s', (slug, field, states) => {
  const isReported = slug === calls.slug
  const ways = states.flatMap((first) => (isReported ? [[first]] : states.map((second) => [first, second])))

  test.each(ways.map((way) => [way.join(', then '), way] as const))('%s', async (_name, way) => {
    const { id } = await create(slug)
    for (const state of way) {
      const answer = await service.api.patch(`/${slug}/${id}`, { [field]: state })
      const read = (await service.api.get(`/${slug}/${id}`)).body
      if (answer.status === 409)
        expect(answer.body.error.details).toMatchObject({ reason: 'state', from: read[field], to: state })
      else expect([answer.status, answer.body[field], read[field]], answer.text).toEqual([200, state, state])
    }
  })
})
