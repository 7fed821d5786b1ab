// How often the busiest writes wait for the database before they commit. A trip is a wait: reads that are sent together
// share one. Statements are counted too, because a trip may carry several.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, Row } from '../../src/database/pool.js'
import type { Sql } from '../../src/database/sql.js'
import { type Endpoint, handleWrite, type Input } from '../../src/http/endpoint.js'
import { approveEndpoint } from '../../src/resources/drafts/draft-approval.js'
import { inboundSmsEndpoints } from '../../src/resources/messaging/receive-sms.js'
import { taskEndpoints } from '../../src/resources/work/work-items.js'
import { commit } from '../../src/store/commit.js'
import { Work } from '../../src/store/work.js'
import { committing, systemWork } from '../support/committing.js'
import { tenantOf } from '../support/events.js'
import { type Service, startService } from '../support/service.js'

let service: Service
let tenantId: string
beforeAll(async () => {
  service = await startService()
  tenantId = await tenantOf(service, service.api)
})
afterAll(() => service.stop())

interface Trips {
  readonly waits: number
  readonly statements: number
}

/** A database that counts. A statement waits for all that were answered before it was sent, whether it needs them or not. */
function counting(database: Database): { database: Database; trips: () => Trips } {
  let statements = 0
  let answered = 0
  const count = async <T>(ask: () => Promise<T>): Promise<T> => {
    statements++
    const waits = answered + 1
    const answer = await ask()
    answered = Math.max(answered, waits)
    return answer
  }
  const counted: Database = {
    ...database,
    read: <T extends unknown[]>(statement: Sql) => count(() => database.read<T>(statement)),
    query: <T extends Row>(statement: Sql, options?: { prepared?: boolean }) =>
      count(() => database.query<T>(statement, options)),
  }
  return { database: counted, trips: () => ({ waits: answered, statements }) }
}

/** Runs a write to its end and tells what it asked before its commit, which is one trip and one statement more. */
async function tripsOf(endpoint: Endpoint | undefined, body: object, params: object = {}): Promise<Trips> {
  if (endpoint === undefined) throw new Error('Nothing to run')
  const { database, trips } = counting(service.database)
  const { caller, now, requestId } = await systemWork(service.database, tenantId)
  const work = new Work(database, caller, now, requestId)
  const parts = committing(service.database)
  const input = { work, caller, now, requestId, params, query: {}, body, ifMatch: undefined }
  const answer = await handleWrite(endpoint, input as unknown as Input)
  expect(await commit(parts, work, answer)).toBe(true)
  return trips()
}

const us = '+15550109000'
const texts = (from: string, body = 'Hello') => ({
  from,
  to: us,
  body,
  providerMessageId: `id-${from}-${Math.random()}`,
})

test('a task is one statement: nothing is read before its commit', async () => {
  const create = taskEndpoints.find(({ method }) => method === 'POST')
  expect(await tripsOf(create, { title: 'Call back' })).toEqual({ waits: 0, statements: 0 })
})

test('an inbound SMS waits once before its commit, from a new number and from a known one', async () => {
  const [receive] = inboundSmsEndpoints
  expect(await tripsOf(receive, texts('+15550100777'))).toEqual({ waits: 1, statements: 1 })
  expect(await tripsOf(receive, texts('+15550100777'))).toEqual({ waits: 1, statements: 1 })
  // STOP looks at the contact methods of the number under a fence of its own.
  expect((await tripsOf(receive, texts('+15550100778', 'STOP'))).waits).toBeLessThanOrEqual(4)
  const { body } = await service.api.get('/people?q=15550100777')
  expect(body.data).toHaveLength(1)
})

test('a draft with facts is approved after at most five waits', async () => {
  const { body: call } = await service.api.post('/calls', { direction: 'inbound', from: '+15550100888', to: us })
  const captured = await service.api.post(`/calls/${call.id}/facts`, {
    facts: ['colour', 'size', 'place'].map((key) => ({ key, value: `a ${key}`, confidence: 0.5 })),
  })
  const [colour, size, place] = captured.body.data.map(({ id }: { id: string }) => id)
  const { body: draft } = await service.api.post('/drafts', { callSessionId: call.id, summary: 'A new roof.' })
  const decision = { payload: { title: 'Roof' }, acceptFactIds: [colour, size], rejectFactIds: [place] }
  const trips = await tripsOf(approveEndpoint, decision, { id: draft.id })
  expect(trips.waits).toBeLessThanOrEqual(5)
  expect(trips.statements).toBeLessThanOrEqual(8)
  const { body: approved } = await service.api.get(`/drafts/${draft.id}`)
  expect(approved).toMatchObject({ status: 'approved' })
  expect((await service.api.get(`/facts/${colour}`)).body.status).toBe('confirmed')
  expect((await service.api.get(`/facts/${place}`)).body.status).toBe('rejected')
})
