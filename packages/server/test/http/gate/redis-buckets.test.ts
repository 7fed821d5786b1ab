// The token bucket's promises through a real Redis that is stopped, killed and started again.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Buckets, Limit } from '../../../src/http/gate/rate-limit.js'
import { redisBuckets } from '../../../src/http/gate/redis-buckets.js'
import { freePort } from '../../support/free-port.js'
import { clientOf, startService } from '../../support/service.js'
import { freeze } from '../../support/waiting/freeze.js'

test('without @redis/client installed, the error says what to do', () => {
  // The module is built into a folder from which no node_modules can be found, so that the import really fails.
  const folder = mkdtempSync(join(tmpdir(), 'parley-no-redis-'))
  try {
    const source = join(import.meta.dirname, '../../../src/http/gate/redis-buckets.ts')
    const tsc = join(import.meta.dirname, '../../../../../node_modules/.bin/tsc')
    execFileSync(tsc, [
      source,
      '--ignoreConfig',
      '--noCheck',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--outDir',
      folder,
    ])
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(
      join(folder, 'run.js'),
      "import { redisBuckets } from './http/gate/redis-buckets.js'\nawait redisBuckets('redis://127.0.0.1:1', {}).catch((error) => console.log(error.message))",
    )
    expect(execFileSync(process.execPath, [join(folder, 'run.js')], { encoding: 'utf8' })).toBe(
      'REDIS_URL is set, but the optional package @redis/client is not installed. Install it (npm install @redis/client) or unset REDIS_URL.\n',
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const hasRedis = spawnSync('redis-server', ['--version']).status === 0
if (!hasRedis) console.warn('Skipped: buckets in Redis, because there is no redis-server on PATH.')

describe.skipIf(!hasRedis)('buckets in Redis', () => {
  // So rare a token does not come back while a test runs.
  const scarce: Limit = { sustained: 1 / 3600, burst: 60 }
  let folder = ''
  const opened: Buckets[] = []
  let tryKey = ''
  let port = 0
  let server: ChildProcess | undefined

  function isRunning(): boolean {
    return server !== undefined && server.exitCode === null && server.signalCode === null
  }

  async function startRedis(): Promise<void> {
    server = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let log = ''
    for await (const chunk of server.stdout ?? []) {
      log += chunk
      if (log.includes('Ready to accept connections')) break
    }
    server.stdout?.resume()
  }

  async function killRedis(): Promise<void> {
    if (!server || !isRunning()) return
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
  }

  /**
   * Waits for Redis longer than usual: a machine under load may be slower than the 50 ms after which a take falls back.
   */
  async function openNode(slowMs = 10_000) {
    const troubles: Error[] = []
    let fallbacks = 0
    const buckets = await redisBuckets(`redis://127.0.0.1:${port}`, {
      onTrouble: (error) => troubles.push(error),
      onFallback: () => fallbacks++,
      slowMs,
    })
    opened.push(buckets)
    return {
      take: (limit: Limit, key = tryKey) => buckets.take(key, limit, Date.now()),
      troubles,
      fallbacks: () => fallbacks,
    }
  }

  /** Once Redis has answered it: on a busy machine the first answer may take longer than a node waits for at its start. */
  async function openShared(slowMs?: number) {
    const node = await openNode(slowMs)
    await untilShared(node)
    const before = node.fallbacks()
    node.troubles.length = 0
    return { ...node, fallbacks: () => node.fallbacks() - before }
  }

  /** Takes until one is answered by Redis: the count of answers from memory stands still. */
  async function untilShared(node: Awaited<ReturnType<typeof openNode>>): Promise<void> {
    await vi.waitFor(
      async () => {
        const before = node.fallbacks()
        await node.take({ sustained: 100, burst: 200 }, 'probe')
        expect(node.fallbacks()).toBe(before)
      },
      { timeout: 120_000, interval: 20 },
    )
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-redis-'))
    port = await freePort()
  })
  beforeEach(async () => {
    tryKey = randomUUID()
    if (!isRunning()) await startRedis()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((buckets) => buckets.close()))
  })
  afterAll(async () => {
    await killRedis()
    rmSync(folder, { recursive: true })
  })

  test('exactly the burst is allowed, then nothing, and the numbers are those of the memory buckets', async () => {
    const node = await openShared()
    const beforeSeconds = Math.floor(Date.now() / 1000)
    const first = await node.take(scarce)
    expect(first).toMatchObject({ allowed: true, limit: 60, remaining: 59, retryAfter: 1 })
    expect(first.resetAt).toBeGreaterThanOrEqual(beforeSeconds + 3600)
    expect(first.resetAt).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 3600)
    const rest = await Promise.all(Array.from({ length: 99 }, () => node.take(scarce)))
    expect(rest.filter(({ allowed }) => allowed)).toHaveLength(59)
    const refused = await node.take(scarce)
    expect(refused).toMatchObject({ allowed: false, remaining: 0 })
    expect(refused.retryAfter).toBeGreaterThan(3590)
    expect(refused.retryAfter).toBeLessThanOrEqual(3600)
    expect(node.fallbacks()).toBe(0)
  })

  test('two servers with REDIS_URL refuse together, and when Redis is killed each goes on by itself and says so in its metrics', async () => {
    const limits = { PARLEY_RATE_LIMIT_READ: '1:30', PARLEY_RATE_LIMIT_BATCH: '1:30' }
    const service = await startService({ REDIS_URL: `redis://127.0.0.1:${port}`, ...limits })
    const other = await service.node()
    const second = clientOf(other.url, service.api.key)
    const fallbacks = async (url: string) => {
      const metrics = await (await fetch(`${url}/metrics`)).text()
      return Number(/^parley_rate_limit_fallbacks_total (\d+)$/m.exec(metrics)?.[1])
    }
    const ask = async (times: number) => {
      const answers = await Promise.all(
        Array.from({ length: times }, (_, index) => (index % 2 ? service.api : second).get('/tasks?limit=1')),
      )
      return answers.filter(({ status }) => status === 200).length
    }
    // Items of batches have a bucket of their own, shared just so: twenty and twenty are too many.
    const items = Array.from({ length: 20 }, (_, n) => ({ op: 'create', data: { title: `Item ${n}` } }))
    const batches = [await service.api.post('/tasks/batch', { items }), await second.post('/tasks/batch', { items })]
    const isAlone = (await fallbacks(service.url)) + (await fallbacks(other.url)) > 0
    expect(batches.map(({ status }) => status)).toEqual(isAlone ? [200, expect.any(Number)] : [200, 429])
    // A second may give a token back; two buckets would allow twice as many. A busy machine may make a node go on by
    // itself now and then, as it should, and tells of it.
    const allowed = await ask(60)
    expect(allowed).toBeGreaterThanOrEqual(30)
    expect(allowed).toBeLessThan(45 + (await fallbacks(service.url)) + (await fallbacks(other.url)))
    await killRedis()
    expect(await ask(40)).toBeGreaterThan(20)
    expect(await fallbacks(service.url)).toBeGreaterThan(0)
    await service.stop()
  })

  test('two nodes share one bucket to the token', async () => {
    const [one, two] = [await openShared(), await openShared()]
    const taken = await Promise.all(Array.from({ length: 200 }, (_, index) => (index % 2 ? one : two).take(scarce)))
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(60)
    expect(one.fallbacks() + two.fallbacks()).toBe(0)
  })

  test('tokens come back on the clock of Redis, never more than burst + sustained × time', async () => {
    const node = await openShared()
    const quick = { sustained: 50, burst: 5 }
    const began = performance.now()
    for (let admitted = 0; admitted < 25; ) if ((await node.take(quick)).allowed) admitted++
    expect((performance.now() - began) / 1000).toBeGreaterThanOrEqual((25 - 5) / 50)
    expect(node.fallbacks()).toBe(0)
  })

  test('a bucket leaves Redis when it is full', async () => {
    const node = await openShared()
    await node.take({ sustained: 20, burst: 5 })
    const held = () =>
      execFileSync('redis-cli', ['-p', String(port), 'exists', `parley:rate:${tryKey}`], { encoding: 'utf8' }).trim()
    await vi.waitFor(() => expect(held()).toBe('0'), { timeout: 120_000, interval: 10 })
  })

  test('Redis killed in the middle: every take is still answered, from memory, and Redis is used again when it is back', async () => {
    const node = await openShared()
    await node.take(scarce)
    expect(node.fallbacks()).toBe(0)

    const during = Array.from({ length: 30 }, () => node.take(scarce))
    await killRedis()
    expect((await Promise.all(during)).every(({ limit }) => limit === 60)).toBe(true)
    const alone = await Promise.all(Array.from({ length: 100 }, () => node.take(scarce, `${tryKey} alone`)))
    expect(alone.filter(({ allowed }) => allowed)).toHaveLength(60)
    expect(node.fallbacks()).toBeGreaterThanOrEqual(100)
    expect(node.troubles).toHaveLength(1)

    await startRedis()
    await untilShared(node)
    const other = await openShared()
    const taken = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 ? node : other).take(scarce, `${tryKey} again`)),
    )
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(60)
    expect(node.troubles).toHaveLength(1)
  })

  test('a hung Redis costs one short wait, not one for every take, and is used again when it goes on', async () => {
    const node = await openShared(50)
    await freeze(server?.pid ?? Number.NaN)
    try {
      const began = performance.now()
      expect(await node.take(scarce)).toMatchObject({ allowed: true, limit: 60 })
      expect(performance.now() - began).toBeGreaterThanOrEqual(45)
      const answers = Array.from({ length: 1_000 }, () => node.take(scarce))
      expect(answers.filter((answer) => answer instanceof Promise)).toEqual([])
      expect(node.troubles.map(({ message }) => message)).toEqual(['Redis did not answer within 50 ms'])
    } finally {
      server?.kill('SIGCONT')
    }
    await untilShared(node)
  })

  test('Redis away at the start is no error, and it is found once it is there', async () => {
    await killRedis()
    const node = await openNode()
    expect(await node.take(scarce)).toMatchObject({ allowed: true })
    expect(node.fallbacks()).toBe(1)
    expect(node.troubles).toHaveLength(1)
    await startRedis()
    await untilShared(node)
  })
})
