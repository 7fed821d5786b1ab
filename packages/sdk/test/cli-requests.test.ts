// The command line with several logins, with paths that have no command of their own, with one event, and with what a
// triggered event shall say.
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../server/src/database/sql.js'
import { type Service, startService } from '../../server/test/support/service.js'
import { durationOf, progressLine } from '../src/cli/progress-line.js'
import { ApiError, Parley } from '../src/index.js'
import { type Cli, createCli } from './support/cli.js'
import { until } from './support/until.js'

let service: Service
let cli: Cli
let parley: Parley

beforeAll(async () => {
  service = await startService()
  cli = await createCli({})
  parley = new Parley({ apiKey: service.api.key, baseUrl: service.url })
  await cli.run(['login', '--base-url', service.url, '--key', service.api.key])
})
afterAll(async () => {
  await cli?.remove()
  await service?.stop()
})

const json = async (args: readonly string[], env: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await cli.run([...args, '--json'], { env })
  expect({ code, stderr }, args.join(' ')).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

test('logins have names; a flag wins over the environment, and that over what is stored', async () => {
  const live = service.demo.live.key
  const login = await cli.run(['login', '--name', 'production', '--base-url', service.url], { input: live })
  expect(login.stdout).toMatch(/production, ADMIN\) at \S+; --profile production acts by it\.\n$/)
  const environment = async (args: readonly string[], env?: Record<string, string>) =>
    (await json(['status', ...args], env)).environment
  expect(await environment([])).toBe('sandbox')
  expect(await environment(['--profile', 'production'])).toBe('production')
  expect(await environment([], { PARLEY_PROFILE: 'production' })).toBe('production')
  expect(await environment(['--api-key', live])).toBe('production')
  const elsewhere = { PARLEY_API_KEY: 'ak_test_nobody', PARLEY_BASE_URL: 'http://127.0.0.1:9' }
  expect(await environment(['--profile', 'production'], elsewhere)).toBe('production')
  expect(await json(['status', '--profile', 'production'])).toMatchObject({
    keyFrom: `${join(cli.home, '.config/parley/config.json')} (production)`,
  })
  const listed = await cli.run(['profiles'])
  expect(listed.stdout).toMatch(/^\(none\) .*\nproduction .*…\w{4}$/m)
  expect(listed.stdout).not.toContain(live)
  expect((await stat(join(cli.home, '.config/parley/config.json'))).mode & 0o777).toBe(0o600)
  await cli.run(['logout', '--profile', 'production'])
  expect((await cli.run(['status', '--profile', 'production'])).code).toBe(2)
  expect(await environment([])).toBe('sandbox')
})

test('any path: get, post, patch, put and delete, with fields, data and queries', async () => {
  const made = await json(['post', '/tasks', 'title=By path', 'priority=high', '--idempotency-key', 'once'])
  const again = await json(['post', 'tasks', 'title=By path', 'priority=high', '--idempotency-key', 'once'])
  expect(again.id).toBe(made.id)
  const patched = await json(['patch', `/api/v1/tasks/${made.id}`, '--data', '{"status":"done"}'])
  expect(patched).toMatchObject({ status: 'done', priority: 'high' })
  expect((await json(['get', '/tasks?q=path&limit=1'])).data[0].id).toBe(made.id)
  expect(await json(['put', `/tasks/${made.id}`, 'title=Anew'])).toMatchObject({ title: 'Anew', priority: 'normal' })
  const person = await json([
    'post',
    'people',
    'displayName=Dana',
    'customFields.tier=gold',
    'customFields.since:=2020',
  ])
  expect(person.customFields).toEqual({ tier: 'gold', since: 2020 })
  const gone = await cli.run(['delete', `/tasks/${made.id}`])
  expect(gone).toMatchObject({ code: 0, stdout: '', stderr: '204, without a body.\n' })
  expect((await cli.run(['get', `/tasks/${made.id}`])).code).toBe(1)
  const call = await parley.calls.create({ direction: 'inbound', from: '+12025550143', to: '+12025550100' })
  await parley.calls.addSegments(call.id, [{ sequence: 0, speaker: 'caller', text: 'Hello.', startMs: 0 }])
  expect((await cli.run(['get', `/calls/${call.id}/transcript?format=text`])).stdout).toBe('Caller: Hello.\n')
})

test('trigger says of the record what it is told to', async () => {
  const event = await json([
    ...['trigger', 'person.created', '--override', 'displayName=Dana Reyes', '--override', 'customFields.tier=gold'],
  ])
  expect(event.data.person).toMatchObject({ displayName: 'Dana Reyes', customFields: { tier: 'gold' } })
  const ended = await json(['trigger', 'call.ended', '--override', 'from=+12025550199', '--override', 'summary=Short.'])
  expect(ended.data).toMatchObject({ from: '+12025550199', summary: 'Short.' })
  const wrong = await cli.run(['trigger', 'task.created', '--override', 'titel=x'])
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('titel') })
})

test('one event: shown whole, and sent again to the webhooks that it was for', async () => {
  const { id: late } = await parley.webhooks.create({ url: 'https://example.com/late', eventTypes: ['note.added'] })
  const { id } = await parley.webhooks.create({ url: 'https://example.com/hooks', eventTypes: ['task.created'] })
  const event = await json(['trigger', 'task.created'])
  expect(await json(['events', 'get', event.eventId])).toEqual(event)
  const deliveries = () => parley.webhooks.deliveries(id).toArray()
  await until(async () => (await deliveries())[0]?.status === 'RETRYING', 'an attempt that failed')
  const again = () => json(['events', 'resend', event.eventId])
  expect(await again()).toEqual([expect.objectContaining({ eventId: event.eventId, status: 'RETRYING' })])
  await service.database.query(
    sql`update webhook_deliveries set status = 'DEAD_LETTERED' where subscription_id = ${id}`,
  )
  expect(await again()).toEqual([expect.objectContaining({ eventId: event.eventId, status: 'PENDING' })])
  const to = await cli.run(['events', 'resend', event.eventId, '--webhook', id])
  expect(to.stdout).toMatch(/^task\.created is on its way as delivery \S+\.\n$/)
  const nobody = await cli.run(['events', 'resend', event.eventId, '--webhook', late])
  expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining('was for no such webhook') })
  expect((await cli.run(['events', 'get', '01KDVDNKG00000000000000000'])).code).toBe(1)
})

test('logs tail shows the latest requests and those that follow, with who asked and what was wrong', async () => {
  const failed = await parley.tasks.create({ title: '' }).catch((error: ApiError) => error)
  const requestId = failed instanceof ApiError ? failed.requestId : ''
  await until(async () => (await parley.requestLog.list({ q: requestId ?? '' })).data.length === 1, 'the entry')
  const tail = cli.start(['logs', 'tail', '--failed', '--last', '1', '--limit', '2'])
  await tail.says('POST   /api/v1/tasks')
  await parley.people.get('01900000-0000-7000-8000-000000000000').catch(() => undefined)
  const { code, stdout } = await tail.ended
  expect(code).toBe(0)
  const [first, second] = stdout.split('\n')
  expect(first).toMatch(/Z {2}400 {2}POST {3}\/api\/v1\/tasks {2}\d+ ms {2}key \S+ {2}\S+ {2}bad_request \w+ title$/)
  expect(first).toContain(requestId)
  expect(second).toMatch(/404 {2}GET {4}\/api\/v1\/people\/\S+ .* not_found/)
  const lines = (await cli.run(['logs', 'tail', '--last', '2', '--limit', '2', '--json'])).stdout.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ requestId: expect.any(String) }),
    expect.objectContaining({ status: expect.any(Number) }),
  ])
})

test('export writes CSV that a spreadsheet reads and the import reads back', async () => {
  const { sandbox } = await service.organization('Spreadsheet')
  const env = { PARLEY_API_KEY: sandbox.key, PARLEY_BASE_URL: service.url }
  const own = new Parley({ apiKey: sandbox.key, baseUrl: service.url })
  await own.tasks.create({ title: '=1+1', description: 'a "quoted", line\nand another' })
  await own.people.create({ displayName: 'Dana', primaryPhone: '+12025550143', customFields: { tier: 'gold' } })
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await cli.run(['export', ...args], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '1 records exported.\n' })
    return stdout
  }
  const people = await run('people', '--format', 'csv')
  const [headings = '', row = ''] = people.split('\r\n')
  expect(headings.split(',')).toEqual(expect.arrayContaining(['id', 'displayName', 'customFields:json']))
  expect(row).toContain('+12025550143')
  expect(row).toContain('"{""tier"":""gold""}"')
  const tasks = await run('tasks', '--format', 'csv')
  expect(tasks).toContain(',=1+1,')
  expect(tasks).toContain('"a ""quoted"", line\nand another"')
  expect(await run('tasks', '--format', 'csv', '--quote-formulas')).toContain(",'=1+1,")
  const file = join(cli.home, 'people.csv')
  await cli.run(['export', 'people', '--out', file], { env })
  expect(await readFile(file, 'utf8')).toBe(people)
  for (const args of [['--format', 'xlsx'], ['--quote-formulas']])
    expect((await cli.run(['export', 'people', ...args], { env })).code).toBe(2)
})

test('a line of progress tells how long it will take', () => {
  const line = progressLine({ done: 250, total: 1_000, elapsedMs: 10_000, unit: 'rows' })
  expect(line).toBe('█████░░░░░░░░░░░░░░░ 25 %  250 rows, 25 a second, 30 s left')
  expect(progressLine({ done: 250, total: undefined, elapsedMs: 10_000, unit: 'rows' })).toBe('250 rows, 25 a second')
  expect([0, 59.2, 200, 7_500].map(durationOf)).toEqual(['0 s', '1 min 0 s', '3 min 20 s', '2 h 5 min'])
})
