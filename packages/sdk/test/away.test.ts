// Whole files in and out when the service is away: said in one sentence, and soon; a short absence is waited out.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../server/test/support/service.js'
import { Parley } from '../src/index.js'
import { type Cli, createCli, type Ended, type Running } from './support/cli.js'
import { type FlakyProxy, startFlakyProxy } from './support/flaky-proxy.js'
import { startRestartable } from './support/restartable.js'

let service: Service
let cli: Cli
let proxy: FlakyProxy

beforeAll(async () => {
  service = await startService()
  proxy = await startFlakyProxy(service.url)
  cli = await createCli({ PARLEY_BASE_URL: proxy.url, PARLEY_API_KEY: service.api.key })
  const parley = new Parley({ apiKey: service.api.key, baseUrl: service.url })
  for (let index = 0; index < 120; index += 1) await parley.tasks.create({ title: `Task ${index}` })
})
afterAll(async () => {
  await proxy?.stop()
  await cli?.remove()
  await service?.stop()
})

const rowsIn = async (name: string, count: number): Promise<string> => {
  const file = join(cli.home, name)
  await writeFile(
    file,
    Array.from({ length: count }, (_, index) => JSON.stringify({ title: `${name} ${index}` })).join('\n'),
  )
  return file
}

/** How a command ended, if it did so by itself: none of these takes half a minute where nothing else is to be done. */
async function endedByItself({ child, ended }: Running): Promise<Ended> {
  const timer = setTimeout(() => child.kill('SIGKILL'), 120_000)
  const end = await ended
  clearTimeout(timer)
  return end
}

test.each(['export', 'import'])('%s from a service that is not there fails soon, in one sentence', async (name) => {
  const args =
    name === 'export' ? ['export', 'tasks'] : ['import', await rowsIn('nobody.ndjson', 2), '--entity', 'tasks']
  const { code, stdout, stderr } = await endedByItself(
    cli.start(args, { env: { PARLEY_BASE_URL: 'http://127.0.0.1:9' } }),
  )
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^error: http:\/\/127\.0\.0\.1:9 did not answer\. .*\nIs the service running there\? .*\n$/)
})

test('an import whose service goes away for good stops, says so, and goes on later', async () => {
  const organization = await service.organization('Gone')
  const node = await startRestartable(service)
  const args = ['import', await rowsIn('gone.ndjson', 1_500), '--entity', 'tasks']
  const env = { PARLEY_BASE_URL: node.url, PARLEY_API_KEY: organization.sandbox.key }
  const running = await service.database.withClient(async (holder) => {
    // One of the last rows waits until nobody is there to tell of the end.
    await holder.query(`create function wait_in_line() returns trigger language plpgsql as
      $$ begin if new::text like '%gone.ndjson 1400%' then perform pg_advisory_xact_lock(77); end if; return new; end $$;
      create trigger wait_in_line before insert on tasks for each row execute function wait_in_line();
      select pg_advisory_lock(77)`)
    const begun = cli.start(args, { env })
    await expect
      .poll(async () => (await organization.sandbox.get('/imports')).body.data[0]?.created ?? 0, { interval: 10 })
      .toBeGreaterThan(0)
    await node.stop()
    await holder.query('select pg_advisory_unlock(77)')
    return begun
  })
  const { code, stderr } = await endedByItself(running)
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /The service is away; coming back…\nThe service goes on with import \S+\. Run the same .*\nerror: \S+ did not answer\. .*\nIs the /,
  )

  proxy.plan('pass', ...Array.from({ length: 100 }, () => 'reset' as const))
  const stopped = cli.start(args, { env: { ...env, PARLEY_BASE_URL: proxy.url } })
  await stopped.says('The service is away')
  stopped.child.kill('SIGINT')
  const end = await endedByItself(stopped)
  expect({ code: end.code, isTold: end.stderr.endsWith('error: Stopped.\n') }).toEqual({ code: 1, isTold: true })

  proxy.plan()
  await node.start()
  expect((await cli.run(args, { env })).stdout).toMatch(
    /^(1500 rows imported|This file was imported already: 1500 rows)/,
  )
  const tasks = new Parley({ apiKey: organization.sandbox.key, baseUrl: service.url }).tasks
  expect(await tasks.list({ limit: 100 }).toArray()).toHaveLength(1_500)
  await node.stop()
})

test('an export waits out full buckets and a short absence, but not a long one', async () => {
  const busy = { status: 429, headers: { 'retry-after': '0' } }
  const run = () => endedByItself(cli.start(['export', 'tasks']))
  proxy.plan('pass', ...Array.from({ length: 12 }, () => busy), 'reset', 'reset')
  const good = await run()
  expect({ code: good.code, lines: good.stdout.trim().split('\n').length }).toEqual({ code: 0, lines: 120 })
  expect(good.stderr).toBe('The service is away; coming back…\n120 records exported.\n')

  proxy.plan('pass', ...Array.from({ length: 100 }, () => 'reset' as const))
  const bad = await run()
  expect(bad.code).toBe(1)
  expect(bad.stderr).toMatch(
    /^The service is away; coming back…\nerror: \S+ did not answer\. .*\nIs the service running there\? .*\n$/,
  )
  expect(proxy.seen.length).toBeLessThan(10)

  // What broke off is no file; on the screen it is said that more should have come.
  const out = join(cli.home, 'tasks.csv')
  proxy.plan('pass', 'cut')
  const whole = await cli.run(['export', 'tasks', '--out', out])
  expect(whole.stderr).toBe(`The export broke off; it begins again.\n120 records exported to ${out}.\n`)
  expect((await readFile(out, 'utf8')).trim().split('\r\n')).toHaveLength(121)
  proxy.plan('pass', 'cut')
  const half = await run()
  expect([half.code, half.stderr]).toEqual([1, expect.stringContaining('error: The export broke off before its end.')])
  proxy.plan('pass', 'cut', 'cut', 'cut')
  const never = join(cli.home, 'never.ndjson')
  expect((await cli.run(['export', 'tasks', '--out', never])).code).toBe(1)
  expect((await readdir(cli.home)).filter((name) => name.startsWith('never'))).toEqual([])
})
