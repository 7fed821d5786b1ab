// Reads from a standby that is late, paused or gone: whoever has written, or has heard of what was written, finds it on
// every node.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/pool.js'
import { openStandbys } from '../../src/database/standbys.js'
import { prepareDatabase } from '../../src/server/server.js'
import { queryDatabase } from '../support/empty-database.js'
import { type ReplicatedPostgres, startReplicated, whyNoStandby } from '../support/servers/replicated-postgres.js'
import { type Client, clientOf, type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

if (whyNoStandby) console.warn(`Skipped: ${whyNoStandby}`)

describe.skipIf(whyNoStandby !== undefined)('reads from a standby', () => {
  let pair: ReplicatedPostgres
  let service: Service
  let otherUrl: string
  let other: Client
  beforeAll(async () => {
    pair = await startReplicated(false)
    const limits = { connections: 4, statementTimeoutMs: 30_000 }
    const database = openDatabase({ url: pair.primaryUrl, ...limits })
    await prepareDatabase(database)
    await database.close()
    service = await startService(
      {},
      {
        through: async () => pair.primaryUrl,
        reads: (primary) => openStandbys({ url: pair.standbyUrl, primary, waitMs: 1_000, ...limits }),
      },
    )
    otherUrl = (await service.node()).url
    other = clientOf(otherUrl, service.api.key)
  })
  afterAll(async () => {
    await service?.stop()
    await pair?.stop()
  })

  /** How many reads of the second node went where. */
  async function reads(from: 'standby' | 'late' | 'away'): Promise<number> {
    const page = await (await fetch(`${otherUrl}/metrics`)).text()
    return Number(new RegExp(`parley_standby_reads_total\\{from="${from}"\\} (\\d+)`).exec(page)?.[1] ?? 0)
  }

  /** Everything that one node acknowledged is there at the other, in each kind of read. */
  async function writeAndRead(title: string): Promise<void> {
    const { id } = (await service.api.post('/tasks', { title })).body
    const changed = (await service.api.patch(`/tasks/${id}`, { description: 'changed' })).body
    expect((await other.get(`/tasks/${id}`)).body).toEqual(changed)
    expect((await other.get('/tasks?limit=1')).body.data[0]).toEqual(changed)
    expect((await other.get(`/tasks?q=${title}`)).body.data).toEqual([changed])
    const exported = (await other.get('/tasks/export?format=ndjson')).text.split('\n')
    expect(JSON.parse(exported[0] ?? '{}')).toEqual(changed)
    await service.api.delete(`/tasks/${id}`)
    expect((await other.get(`/tasks/${id}`)).status).toBe(404)
  }

  test('are answered there, and show what was written before on another node', async () => {
    for (let round = 0; round < 6; round++) await writeAndRead(`plain${round}`)
    // Unless it was late each time.
    await until(
      async () => [(await other.get('/tasks')).status, await reads('standby')],
      ([, count]) => (count ?? 0) > 0,
    )
  })

  test('go to the primary while the replay is paused, and come back after it', async () => {
    await queryDatabase(pair.standbyUrl, 'select pg_wal_replay_pause()')
    await until(
      () => queryDatabase(pair.standbyUrl, 'select pg_get_wal_replay_pause_state() as state'),
      ([row]) => row?.['state'] === 'paused',
    )
    const before = await reads('standby')
    await writeAndRead('paused')
    expect(await reads('standby')).toBe(before)
    expect(await reads('late')).toBeGreaterThan(0)
    await queryDatabase(pair.standbyUrl, 'select pg_wal_replay_resume()')
    await until(
      async () => [(await other.get('/tasks')).status, await reads('standby')],
      ([, count]) => (count ?? 0) > before,
    )
  })

  test('go to the primary when the standby is gone', async () => {
    pair.killStandby()
    await writeAndRead('gone')
    expect(await reads('away')).toBeGreaterThan(0)
  })
})
