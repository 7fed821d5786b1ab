// Clients that ask and do not read, send and do not finish, or connect without end: what they may cost, and that nobody
// else pays for it.
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { tenantOf } from '../support/events.js'
import { expectRefusal } from '../support/every-endpoint.js'
import { openSocket, plainGet, sayOnSocket } from '../support/raw-http.js'
import { type Client, clientOf, type Service, startService } from '../support/service.js'

/** A page of these is cut at 4 MiB, far more than the system takes from a client that does not read. */
async function plantPage(api: Client): Promise<void> {
  const { body: person } = await api.post('/people', { firstName: 'Ada' })
  const note = { body: '語'.repeat(19_000), subjectType: 'person', subjectId: person.id }
  for (let made = 0; made < 80; made += 10)
    await Promise.all(Array.from({ length: 10 }, () => api.post('/notes', note)))
}

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
/** A connection that is closed after the test at the latest. */
function connection(url: string): Socket {
  const socket = openSocket(url)
  sockets.push(socket)
  return socket
}

const openConnections = ({ server }: Service): Promise<number> =>
  new Promise((resolve, reject) =>
    server.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

describe('time without progress', () => {
  let service: Service
  let dataDir: string
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'parley-slow-'))
    service = await startService({ PARLEY_STALL_TIMEOUT: '600ms', PARLEY_DATA_DIR: dataDir })
    await plantPage(service.api)
  })
  afterAll(async () => {
    await service.stop()
    await rm(dataDir, { recursive: true })
  })

  const head = (method: string, path: string, headers: string) =>
    `${method} /api/v1${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${service.api.key}\r\n${headers}\r\n`
  const taskHead = (bytes: number) =>
    head('POST', '/tasks', `content-type: application/json\r\nconnection: close\r\ncontent-length: ${bytes}\r\n`)

  test('ends a connection whose answer is not read', async () => {
    const before = await openConnections(service)
    for (let count = 0; count < 5; count++) connection(service.url).write(plainGet('/notes?limit=100', service.api.key))
    await expect.poll(() => openConnections(service)).toBeGreaterThanOrEqual(before + 5)
    await expect.poll(() => openConnections(service)).toBeLessThanOrEqual(before)
  })

  test('does not end one that reads slowly', async () => {
    const socket = connection(service.url)
    socket.write(plainGet('/notes?limit=100', service.api.key, 'connection: close\r\n'))
    await once(socket, 'readable')
    const chunks: Buffer[] = []
    for (let isOver = false; !isOver; await delay(20)) {
      const chunk: Buffer | null = socket.read(Math.min(64 * 1024, socket.readableLength || 1))
      if (chunk) chunks.push(chunk)
      isOver = socket.readableEnded || socket.destroyed
    }
    const [top = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n')
    expect(top).toContain(`content-length: ${Buffer.byteLength(body)}`)
    expect(JSON.parse(body).data.length).toBeGreaterThan(70)
  })

  test('ends a request whose body stops coming, with 408', async () => {
    const [answer] = await sayOnSocket(service.url, `${taskHead(100)}{"title"`)
    expect([answer?.status, answer?.body.error.code]).toEqual([408, 'request_timeout'])
    expect(answer?.head).toContain(`x-request-id: ${answer?.body.meta.requestId}`)
  })

  test('ends a recording that stops coming, and leaves nothing of it behind', async () => {
    const { body: voicemail } = await service.api.post('/voicemails', { callerNumber: '+15550100300', transcript: 'x' })
    const path = `/voicemails/${voicemail.id}/recording`
    const [answer] = await sayOnSocket(
      service.url,
      `${head('PUT', path, 'content-type: audio/wav\r\ncontent-length: 1000\r\n')}RIFF`,
    )
    expect(answer?.status).toBe(408)
    const tenantId = await tenantOf(service, service.api)
    await expect.poll(() => readdir(join(dataDir, 'recordings', tenantId, voicemail.id))).toEqual([])
    expect((await service.api.get(path)).status).toBe(404)
  })

  test('does not end a request whose body comes slowly', async () => {
    const socket = connection(service.url)
    const body = '{"title":"slow"}'
    socket.write(taskHead(body.length))
    for (const letter of body) {
      await delay(100)
      socket.write(letter)
    }
    let answer = ''
    for await (const chunk of socket) answer += chunk
    expect(answer).toContain('HTTP/1.1 201')
  })

  test('is not counted while a connection rests between two requests', async () => {
    const socket = connection(service.url)
    const answers: string[] = []
    socket.on('data', (chunk) => answers.push(String(chunk)))
    for (let asked = 1; asked <= 2; asked++) {
      socket.write(plainGet('/organization', service.api.key))
      await expect.poll(() => answers.join('').split('HTTP/1.1 200').length - 1).toBe(asked)
      await delay(1_000)
    }
    expect(socket.destroyed).toBe(false)
  })
})

describe('unsent bytes', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ PARLEY_UNSENT_BYTES_PER_TENANT: '6000000', PARLEY_UNSENT_BYTES: '9000000' })
    await plantPage(service.api)
  })
  afterAll(() => service.stop())

  /** Asks for pages and reads nothing, until the tenant has too much waiting. */
  async function fillUp(api: Client): Promise<Socket[]> {
    const stalled: Socket[] = []
    await expect
      .poll(
        async () => {
          const socket = connection(service.url)
          stalled.push(socket)
          socket.write(plainGet('/notes?limit=100', api.key))
          return (await api.get('/organization')).status
        },
        { timeout: 120_000 },
      )
      .toBe(503)
    return stalled
  }

  test('over the bound are 503 with Retry-After for that tenant alone, before any row is read, until they are gone', async () => {
    const stalled = await fillUp(service.api)
    const blocker = new pg.Client({ connectionString: service.databaseUrl })
    await blocker.connect()
    await blocker.query('begin; lock table notes in access exclusive mode')
    const refused = await service.api.get('/notes')
    await blocker.end()
    expectRefusal(refused, 503, 'unavailable')
    expect(refused.body.error.message).toContain('wait to be read')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await service.api.post('/tasks', { title: 'x' })).status).toBe(503)
    expect((await service.demo.live.get('/notes')).status).toBe(200)
    for (const socket of stalled) socket.destroy()
    await expect.poll(async () => (await service.api.get('/notes?limit=1')).status).toBe(200)
  })

  test('of all tenants together refuse those with more than their share, and nobody else', async () => {
    const { sandbox: greedy } = await service.organization('Greedy')
    const { sandbox: modest } = await service.organization('Modest')
    await plantPage(greedy)
    await fillUp(service.api)
    await fillUp(greedy)
    expect([
      (await service.api.get('/tasks')).status,
      (await greedy.get('/tasks')).status,
      (await modest.get('/tasks')).status,
    ]).toEqual([503, 503, 200])
  })
})

describe('connections from one address', () => {
  const env = { PARLEY_CONNECTIONS_PER_ADDRESS: '5' }
  let service: Service
  beforeAll(async () => {
    service = await startService(env)
  })
  afterAll(() => service.stop())

  const fill = async (url: string, count: number): Promise<Socket[]> => {
    const opened = Array.from({ length: count }, () => connection(url))
    await Promise.all(opened.map((socket) => once(socket, 'connect')))
    return opened
  }

  test('over the bound are refused with 429, and welcome when others have gone', async () => {
    const [first] = await fill(service.url, 5)
    const [answer] = await sayOnSocket(service.url, '')
    expect([answer?.status, answer?.body.error.code]).toEqual([429, 'rate_limited'])
    expect(answer?.head).toContain('retry-after: 5')
    first?.destroy()
    await expect.poll(async () => fetch(`${service.url}/healthz`).then(({ status }) => status)).toBe(200)
  })

  test.each(['127.0.0.0/8', 'true', '1'])('are not counted where PARLEY_TRUST_PROXY is %s', async (trusted) => {
    const proxied = await service.node({ PARLEY_TRUST_PROXY: trusted })
    await fill(proxied.url, 20)
    expect((await clientOf(proxied.url, service.api.key).get('/organization')).status).toBe(200)
  })

  test('are counted where another proxy is trusted', async () => {
    const proxied = await service.node({ PARLEY_TRUST_PROXY: '10.0.0.0/8, ::1' })
    await fill(proxied.url, 5)
    expect((await sayOnSocket(proxied.url, ''))[0]?.status).toBe(429)
  })
})
