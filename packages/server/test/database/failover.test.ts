// The primary dies under load and its standby takes over: two nodes go on without a restart, nothing acknowledged is
// lost, and a reader of the event stream sees every event once.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/pool.js'
import { prepareDatabase } from '../../src/server/server.js'
import { type EventSource, openEvents } from '../support/event-source.js'
import { eventsOf } from '../support/events.js'
import { type ReplicatedPostgres, startReplicated, whyNoStandby } from '../support/servers/replicated-postgres.js'
import { type Client, clientOf, type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

if (whyNoStandby) console.warn(`Skipped: ${whyNoStandby}`)
const BEFORE = Number(process.env['FAILOVER_WRITES'] ?? 40)
const WRITERS = 6

describe.skipIf(whyNoStandby !== undefined)('when the primary dies', () => {
  let pair: ReplicatedPostgres
  let service: Service
  let nodes: Client[]
  beforeAll(async () => {
    pair = await startReplicated()
    const database = openDatabase({ url: pair.url, connections: 2, statementTimeoutMs: 30_000 })
    await prepareDatabase(database)
    await database.close()
    service = await startService({}, { through: async () => pair.url })
    nodes = [service.api, clientOf((await service.node()).url, service.api.key)]
  })
  afterAll(async () => {
    await service?.stop()
    await pair?.stop()
  })

  /** Sends each write again under its key until it is acknowledged, as a client should. */
  function load() {
    const acknowledged: string[] = []
    let refused = 0
    let isOver = false
    const writer = async (at: number) => {
      for (let number = 0; !isOver; number++) {
        const key = randomUUID()
        for (let answered = false; !answered && !isOver; ) {
          const node = nodes[(at + number) % nodes.length] ?? service.api
          const answer = await node.post('/tasks', { title: key }, { 'idempotency-key': key })
          answered = answer.status === 201
          if (answered) acknowledged.push(answer.body.id)
          else {
            expect(answer.status).toBe(503)
            refused++
            await sleep(20)
          }
        }
      }
    }
    const writers = Array.from({ length: WRITERS }, (_, at) => writer(at))
    const stop = async () => {
      isOver = true
      await Promise.all(writers)
    }
    return { acknowledged, refused: () => refused, stop }
  }

  /** Follows the events from the first, and goes on after the last one when the stream ends. */
  function follow(url: string) {
    const streams: EventSource[] = []
    let isOver = false
    const reading = (async () => {
      for (let lastId = '0'; !isOver; ) {
        const stream = await openEvents(url, service.api.key, { 'last-event-id': lastId })
        streams.push(stream)
        await stream.ended
        lastId = stream.lastId ?? lastId
        if (stream.status !== 200) await sleep(20)
      }
    })()
    const seen = (): string[] =>
      streams
        .flatMap(({ frames }) => frames.filter(({ event }) => event === 'task.created'))
        .map(({ data }) => data.eventId)
    const stop = async () => {
      isOver = true
      streams.at(-1)?.close()
      await reading
    }
    return { seen, stop }
  }

  test('nothing acknowledged is lost, and no event is skipped or repeated', async () => {
    const created = async () => (await eventsOf(service, service.api)).filter(({ type }) => type === 'task.created')
    const first = (await service.api.post('/tasks', { title: 'First' })).body.id
    const stream = follow(`${service.url}/api/v1/events/stream`)
    const writing = load()
    await until(
      async () => writing.acknowledged.length,
      (count) => count >= BEFORE,
    )
    pair.killPrimary()
    const before = writing.acknowledged.length
    await until(
      async () => writing.refused(),
      (count) => count >= WRITERS,
    )
    await pair.promote()
    const promotedAt = Date.now()
    await until(
      async () => writing.acknowledged.length,
      (count) => count > before + WRITERS,
    )
    const backMs = Date.now() - promotedAt
    await until(
      async () => writing.acknowledged.length,
      (count) => count >= before + BEFORE,
    )
    await writing.stop()
    const events = await created()
    const known = new Set(events.map(({ data }) => data.taskId))
    expect([first, ...writing.acknowledged].filter((id) => !known.has(id))).toEqual([])
    expect(known.size).toBe(events.length)
    const last = await service.api.post('/tasks', { title: 'Marker' })
    const log = await created()
    expect(log.at(-1)?.data.taskId).toBe(last.body.id)
    const seen = await until(
      async () => stream.seen(),
      (ids) => ids.includes(log.at(-1)?.eventId ?? ''),
    )
    await stream.stop()
    console.log(
      `${writing.acknowledged.length} acknowledged, ${writing.refused()} refused meanwhile, back ${backMs} ms`,
    )
    expect(seen).toEqual(log.map(({ eventId }) => eventId))
  })
})
