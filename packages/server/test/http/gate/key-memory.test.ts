// What a node remembers of keys: a change makes it look up those that are concerned and no others, on this node and on
// every other.

import { defaultSettings } from '@parley/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { hashKey } from '../../../src/http/gate/api-keys.js'
import { type AuthenticatedCaller, createDirectory, type Directory } from '../../../src/http/gate/authenticate.js'
import { createKeyMemory, type KeyMemory } from '../../../src/http/gate/key-memory.js'
import { setEnabled } from '../../../src/program/create-organization.js'
import { type Client, clientOf, type Service, startService } from '../../support/service.js'

const holder = (organizationId: string, keyId: string): AuthenticatedCaller => ({
  tenantId: `side of ${organizationId}`,
  organizationId,
  organizationName: organizationId,
  environment: 'sandbox',
  scope: 'READ',
  actor: { type: 'key', id: keyId },
  settings: defaultSettings,
  apiEnabled: true,
  expiresAt: null,
  limits: {},
})

describe('the memory', () => {
  let memory: KeyMemory
  beforeEach(() => {
    // Nothing is believed for longer than a second: the clock stands still, whatever the machine does.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    memory = createKeyMemory()
    memory.hear(7, [], Date.now())
    for (const [hash, organization] of [
      ['a1', 'a'],
      ['a2', 'a'],
      ['b1', 'b'],
    ] as const) {
      memory.keep(hash, holder(organization, `key ${hash}`), 7, memory.mark())
    }
  })
  afterEach(() => void vi.useRealTimers())
  const sure = () => ['a1', 'a2', 'b1'].filter((hash) => memory.recall(hash))

  test('doubts the one key that changed, here or elsewhere', () => {
    memory.doubt({ organizationId: 'a', keyId: 'key a1' })
    expect(sure()).toEqual(['a2', 'b1'])
    expect(memory.hear(8, [{ organizationId: 'b', keyId: 'key b1' }], Date.now())?.(holder('b', 'key b1'))).toBe(true)
    expect(sure()).toEqual(['a2'])
    expect(memory.isFamiliar('a1')).toBe(true)
  })

  test('doubts all keys of an organization that changed, and no others', () => {
    const isConcerned = memory.hear(8, [{ organizationId: 'a', keyId: null }], Date.now())
    expect(sure()).toEqual(['b1'])
    expect([isConcerned?.(holder('a', 'any')), isConcerned?.(holder('b', 'any'))]).toEqual([true, false])
  })

  test('doubts everything when steps are missing, or the revision went back', () => {
    expect(memory.hear(9, [{ organizationId: 'nobody', keyId: null }], Date.now())?.(holder('b', 'any'))).toBe(true)
    expect(sure()).toEqual([])
    memory.keep('b1', holder('b', 'key b1'), 9, memory.mark())
    expect(sure()).toEqual(['b1'])
    memory.hear(5, [], Date.now())
    expect(sure()).toEqual([])
  })

  test('does not believe a look-up that was overtaken by a change', () => {
    const mark = memory.mark()
    memory.doubt({ organizationId: 'a', keyId: 'key a1' })
    memory.keep('a1', holder('a', 'key a1'), 7, mark)
    memory.hear(8, [{ organizationId: 'a', keyId: 'key a1' }], Date.now())
    memory.keep('a2', holder('a', 'key a2'), 7, memory.mark())
    expect(sure()).toEqual(['b1'])
    memory.keep('a1', holder('a', 'key a1'), 8, memory.mark())
    expect(sure()).toEqual(['a1', 'b1'])
  })

  test('trusts nothing when it has not heard for a second', () => {
    memory.hear(7, [], Date.now() - 1_001)
    expect(sure()).toEqual([])
    memory.hear(7, [], Date.now())
    expect(sure()).toEqual(['a1', 'a2', 'b1'])
  })
})

describe('on a database', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  const hashOf = ({ key }: Client) => hashKey(key).toString('base64')
  /** Whether the node of this directory knows a key without asking. */
  const knows = (directory: Directory, client: Client) => directory.remembered(hashOf(client), new Date()) !== undefined

  test('another node forgets what changed and keeps the rest, however it was changed', async () => {
    const heard: boolean[] = []
    const directory = createDirectory({
      database: service.database,
      onTrouble: () => undefined,
      onChange: (isConcerned) =>
        heard.push(isConcerned({ organizationId: service.demo.id, actor: { type: 'key', id: 'any' } })),
    })
    await directory.start()
    heard.splice(0)
    try {
      const [one, two] = [await service.organization('One'), await service.organization('Two')]
      // What is found while a change is heard of is not remembered.
      const learn = (client: Client) =>
        expect
          .poll(async () => (await directory.byKey(hashOf(client), new Date())) && knows(directory, client))
          .toBe(true)
      // What setting the organizations up has changed is heard once this later change is.
      await learn(service.api)
      await setEnabled(service.database, service.demo.id, true)
      await expect.poll(() => knows(directory, service.api)).toBe(false)
      heard.splice(0)
      const changes: [() => Promise<unknown>, Client][] = [
        [() => setEnabled(service.database, one.id, true), one.sandbox],
        [() => one.sandbox.patch('/organization', { settings: { timezone: 'Europe/Berlin' } }), one.live],
        [
          () =>
            service.database.query(sql`update api_keys set expires_at = null where hash = ${hashKey(one.live.key)}`),
          one.live,
        ],
      ]
      for (const [change, changed] of changes) {
        await Promise.all([one.sandbox, one.live, two.sandbox, service.api].map(learn))
        await change()
        await expect.poll(() => knows(directory, changed)).toBe(false)
        await expect.poll(() => knows(directory, two.sandbox) && knows(directory, service.api)).toBe(true)
      }
      await Promise.all([one.sandbox, two.sandbox].map(learn))
      await service.database.query(sql`update auth_revision set revision = revision + 5`)
      await expect.poll(() => knows(directory, two.sandbox)).toBe(false)
      // On a machine that stood still for long, it may have forgotten everything in between.
      expect(heard.filter((isConcerned) => !isConcerned)).toHaveLength(3)
      expect(heard.at(-1)).toBe(true)
    } finally {
      await directory.stop()
    }
  })

  test('a flood of bad keys refuses no good one, whatever is minted, rotated and changed meanwhile', async () => {
    const { api } = service
    const { sandbox: neighbour } = await service.organization('Neighbour')
    const bad = clientOf(service.url, 'ak_test_0123456789ABCDEFGHJKMNPQRSTVWXYZ')
    expect((await Promise.all([api.get('/tasks'), neighbour.get('/tasks')])).map(({ status }) => status)).toEqual([
      200, 200,
    ])
    let isOver = false
    const refused: number[] = []
    const flood = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (!isOver) refused.push((await bad.get('/tasks')).status)
      }),
    )
    const statuses: number[] = []
    for (let round = 0; round < 20; round++) {
      // In every round of it the flood is too much.
      refused.length = 0
      await expect.poll(() => refused.includes(429), { interval: 10 }).toBe(true)
      const { body: minted, status } = await api.post('/api-keys', { name: 'x', scope: 'READ' })
      const rotated = await api.post(`/api-keys/${minted.id}/rotate`, { gracePeriodSeconds: 60 })
      const settings = await neighbour.patch('/organization', { settings: { timezone: 'Europe/Berlin' } })
      const used = await Promise.all(
        [minted.key, rotated.body.key, neighbour.key, api.key].map((key) => clientOf(service.url, key).get('/tasks')),
      )
      statuses.push(status, rotated.status, settings.status, ...used.map((answer) => answer.status))
    }
    isOver = true
    await flood
    expect(new Set(statuses)).toEqual(new Set([201, 200]))
  })
})
