// The command line as a user types it: what it prints, how it ends, and what it says when something is wrong.
import { execFileSync, spawn } from 'node:child_process'
import { stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { eventTypes } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../server/test/support/service.js'
import { triggers } from '../src/cli/events/triggers.js'
import { Parley } from '../src/index.js'
import { type Cli, createCli } from './support/cli.js'
import { until } from './support/until.js'

let service: Service
let cli: Cli
let parley: Parley

beforeAll(async () => {
  service = await startService()
  cli = await createCli({})
  parley = new Parley({ apiKey: service.api.key, baseUrl: service.url })
})
afterAll(async () => {
  await cli?.remove()
  await service?.stop()
})

const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const times = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
/** Output without what differs from run to run. */
const steady = (text: string) =>
  text.replace(ids, '<id>').replace(times, '<time>').replaceAll(service.url, '<url>').replaceAll(cli.home, '<home>')

test('before anyone has logged in, it says how', async () => {
  const { code, stdout, stderr } = await cli.run(['status'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toBe(
    'error: You are not logged in.\nRun `parley login`, give --api-key, or set PARLEY_API_KEY and PARLEY_BASE_URL.\n',
  )
})

test('login tries the key, stores it for its owner alone, and status shows where one is', async () => {
  const { code, stdout } = await cli.run(['login', '--base-url', service.url], { input: `${service.api.key}\n` })
  expect({ code, stdout: steady(stdout) }).toEqual({
    code: 0,
    stdout: 'Logged in to Demo (sandbox, ADMIN) at <url>.\n',
  })
  const file = await stat(join(cli.home, '.config/parley/config.json'))
  expect(file.mode & 0o777).toBe(0o600)
  const status = await cli.run(['status'])
  expect(status.code).toBe(0)
  expect(steady(status.stdout)).toMatchInlineSnapshot(`
    "baseUrl       <url>
    organization  Demo
    environment   sandbox
    scope         ADMIN
    keyFrom       <home>/.config/parley/config.json
    clock         in step
    "
  `)
})

test('PARLEY_API_KEY wins over what was stored', async () => {
  const read = await service.keyOf(service.demo.id, 'production', 'READ')
  const { stdout } = await cli.run(['status', '--json'], { env: { PARLEY_API_KEY: read.key } })
  expect(JSON.parse(stdout)).toMatchObject({ scope: 'READ', environment: 'production', keyFrom: 'PARLEY_API_KEY' })
})

test('a list by time shows the time that it is sorted by', async () => {
  for (const [title, day] of [
    ['Later', '02'],
    ['Sooner', '01'],
  ])
    await cli.run([
      'create',
      'money-records',
      'recordType=invoice',
      'amountCents:=100',
      `number=${title}`,
      `dueAt=2026-06-${day}T09:00:00Z`,
    ])
  const numbers = async (...args: string[]) =>
    JSON.parse((await cli.run(['list', 'money-records', ...args, '--json'])).stdout).map(
      ({ number }: { number: string }) => number,
    )
  expect(await numbers('--sort', 'dueAt')).toEqual(['Sooner', 'Later'])
  expect(await numbers('--sort', '-dueAt', '-f', 'dueAtBefore=2026-06-02T09:00:00Z')).toEqual(['Sooner'])
  expect((await cli.run(['list', 'money-records', '--sort', 'dueAt'])).stdout).toMatch(/DUEAT.*\n.*2026-06-01/)
  expect((await cli.run(['schema', 'money-records'])).stdout).toMatch(/sort and ranges\s+dueAt, createdAt, updatedAt/)
  expect((await cli.run(['list', 'money-records', '--sort', 'title'])).stderr).toContain('must be one of: dueAt')
})

test('records: create, list, get, update, delete', async () => {
  const created = await cli.run(['create', 'tasks', 'title=Call Dana', 'priority=high', '--json'])
  expect(created.code).toBe(0)
  const { id } = JSON.parse(created.stdout)
  const listed = await cli.run(['list', 'tasks', '--filter', 'priority=high'])
  expect(
    steady(listed.stdout)
      .split('\n')
      .map((line) => line.trimEnd()),
  ).toEqual([
    'ID                                    TITLE      STATUS  CREATEDAT',
    '<id>  Call Dana  open    <time>',
    '',
  ])
  const updated = await cli.run(['update', 'tasks', id, 'status=done', 'personId:=null'])
  expect(updated.stdout).toMatch(/^status\s+done$/m)
  expect(JSON.parse((await cli.run(['get', 'tasks', id, '--json'])).stdout)).toMatchObject({
    status: 'done',
    priority: 'high',
  })
  const piped = await cli.run(['create', 'tasks', '--data', '-', '--json'], { input: '{"title":"From a pipe"}' })
  expect(JSON.parse(piped.stdout).title).toBe('From a pipe')
  expect((await cli.run(['delete', 'tasks', id])).stdout).toBe(`${id} is deleted.\n`)
  expect((await cli.run(['get', 'tasks', id])).code).toBe(1)
})

test('schema: all entities, and the fields of one', async () => {
  const all = await cli.run(['schema'])
  expect(all.stdout).toMatch(/^work-records\s+GET,POST,PATCH,PUT,DELETE/m)
  const one = await cli.run(['schema', 'tasks'])
  expect(one.stdout).toMatch(/^title\s+string\s+required$/m)
  expect(one.stdout).toMatch(/^filters\s+status, priority/m)
  const none = await cli.run(['schema', 'dragons'])
  expect(none.code).toBe(2)
  expect(none.stderr).toContain('There is no entity dragons.\nKnown: people')
})

test('keys: mint one, see it, rotate and revoke it', async () => {
  const minted = await cli.run(['keys', 'create', 'laptop', '--scope', 'write'])
  expect(minted.stdout).toMatch(/^ak_test_\w{32}\n$/)
  const [key] = JSON.parse((await cli.run(['keys', '--json'])).stdout)
  expect(key).toMatchObject({ name: 'laptop', scope: 'WRITE' })
  expect((await cli.run(['keys', 'list'])).stdout).toContain('laptop')
  expect((await cli.run(['keys', 'rotate', key.id, '--grace', '0'])).stdout).toMatch(/^ak_test_/)
  const rotated = JSON.parse((await cli.run(['keys', '--json'])).stdout)[0]
  expect((await cli.run(['keys', 'revoke', rotated.id])).stdout).toContain('is revoked')
})

test('open prints the address of the documentation', async () => {
  const { stdout } = await cli.run(['open'])
  expect(stdout).toBe(`${service.url}/docs\n`)
  expect((await fetch(stdout.trim())).status).toBe(200)
})

test('completion knows every command, in scripts that shells accept', async () => {
  const { stdout } = await cli.run(['completion', 'bash'])
  for (const name of ['login', 'listen', 'trigger', 'import', 'rotate-secret', '--forward-to'])
    expect(stdout).toContain(name)
  const script = `${stdout}\nCOMP_WORDS=(parley keys r); COMP_CWORD=2; _parley; echo "\${COMPREPLY[@]}"`
  expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' })).toBe('rotate revoke\n')
  expect((await cli.run(['completion', 'tcsh'])).code).toBe(2)
})

test('export writes every record, one on a line', async () => {
  for (let index = 0; index < 120; index += 1)
    await parley.notes.create({ body: `note ${index}`, subjectType: 'person', subjectId: service.demo.id })
  const { code, stdout, stderr } = await cli.run(['export', 'notes'])
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect({ code, count: lines.length, first: lines[0].body }).toEqual({ code: 0, count: 120, first: 'note 119' })
  expect(stderr).toContain('120 records exported.')
  const file = join(cli.home, 'notes.ndjson')
  expect(JSON.parse((await cli.run(['export', 'notes', '--out', file, '--json'])).stdout)).toEqual({
    exported: 120,
    file,
  })
})

test('events tail begins with the latest and stops when told', async () => {
  await until(async () => (await parley.events.list({ type: 'note.added' }).toArray()).length === 120)
  const { stdout } = await cli.run(['events', 'tail', '--last', '2', '--limit', '2', '--json'])
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).data.note.body),
  ).toEqual(['note 118', 'note 119'])
  const tail = cli.start(['events', 'tail', '--last', '0', '--limit', '1'])
  // Nothing tells when it has begun to follow, so things happen until it has seen one.
  let hasEnded = false
  void tail.ended.then(() => (hasEnded = true))
  await until(async () => {
    await parley.tasks.create({ title: 'tailed' })
    return hasEnded
  })
  expect((await tail.ended).stdout).toMatch(/^\S+Z {2}task\.created {11}\S{26} {2}/)
})

test('trigger makes each type of event happen for real', async () => {
  // Without the command line around it, which takes a second each time.
  const happened = eventTypes.map(async (type) => {
    const subjectId = await triggers[type](parley, {})
    await until(async () => (await parley.events.list({ type, subjectId })).data.length > 0, type)
    return type
  })
  expect(await Promise.all(happened)).toEqual(eventTypes)
  const { code, stdout, stderr } = await cli.run(['trigger', 'fact.superseded', '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const event = JSON.parse(stdout)
  expect(event).toMatchObject({ type: 'fact.superseded', environment: 'sandbox' })
  expect(await parley.events.get(event.eventId)).toEqual(event)
})

test('simulate plays a call and shows what is said, learned and drafted', async () => {
  const { code, stdout, stderr } = await cli.run(['simulate', 'full_intake', '--speed', '200'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^caller {3}\S/m)
  expect(stdout).toMatch(/^fact {5}\w+ = /m)
  expect(stdout).toMatch(/^draft {4}\S/m)
  expect(stdout).toMatch(/^completed: `parley get calls /m)
})

test('wrong usage ends with 2 and says what is right', async () => {
  const cases = [
    [['frobnicate'], /unknown command 'frobnicate'/],
    [['list'], /missing required argument 'entity'/],
    [['listen'], /--forward-to <url> is needed/],
    [['listen', '--forward-to', 'http://localhost:1', '--format', 'xml'], /neither text nor json/],
    [['listen', '--forward-to', 'http://localhost:1', '-H', 'mine'], /not of the form name: value/],
    [['trigger', 'call.ended', '--override', 'summary'], /--override summary is not of the form/],
    [['get', 'people'], /The id is missing\.\nFor example: parley get people 0190/],
    [['get', 'http://localhost/people'], /whole address/],
    [['list', 'tasks', '--where', 'status=open'], /it is called --filter <name=value>/],
    [['list', 'tasks', 'status=open'], /narrow a list with --filter name=value/],
    [['status', '--profile', 'nowhere'], /no profile nowhere\.\nMake it with `parley login --name nowhere`/],
    [['login', '--name', '../x', '--key', 'ak_test_x'], /is no name/],
    [['listen', '--forward-to', 'localhost:4000'], /is no http address/],
    [['listen', '--forward-to', 'http://localhost:1', '--events', 'call.begun'], /There is no event call.begun/],
    [['trigger', 'call.begun'], /There is no event call.begun.\nKnown: call.ended/],
    [['create', 'tasks'], /No fields were given/],
    [['create', 'tasks', 'title'], /is not of the form name=text/],
    [['create', 'tasks', '--data', '{'], /--data is no JSON/],
    [['list', 'tasks', '--filter', 'x'], /not of the form name=value/],
    [['list', 'tasks', '-n', 'abc'], /--limit abc is no number/],
    [['deliveries', '0190', '-n', 'abc'], /--limit abc is no number/],
    [['deliveries', '0190', '-n', '0'], /--limit 0 is no whole number from 1 on/],
    [['simulate', 'full_intake', '--speed', 'abc'], /--speed abc is no number/],
    [['keys', 'rotate', '0190', '--grace', 'abc'], /--grace abc is no number/],
    [['webhooks', 'rotate-secret', '0190', '--grace', '1.5'], /--grace 1\.5 is no whole number/],
    [['events', 'tail', '--last', 'abc', '--limit', '1'], /--last abc is no number/],
    [['events', 'tail', '--limit', 'abc'], /--limit abc is no number/],
    [['events', 'tail', '--events', 'bogus', '--limit', '1'], /There is no event bogus\.\nKnown: call\.ended/],
    [['import', 'x.xlsx', '--entity', 'people'], /x\.xlsx is no file/],
  ] as const
  for (const [args, message] of cases) {
    const { code, stderr } = await cli.run([...args])
    expect(stderr, args.join(' ')).toMatch(message)
    expect(stderr).not.toMatch(/^\s+at /m)
    expect(code, args.join(' ')).toBe(args[0] === 'import' ? 1 : 2)
  }
  expect((await cli.run(['--help'])).code).toBe(0)
  expect((await cli.run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('trouble is one sentence with the next step, exit code 1, and no stack trace', async () => {
  const run = (args: string[], env: Record<string, string>) => cli.run(args, { env })
  const stranger = { PARLEY_API_KEY: `ak_test_${'0'.repeat(32)}` }
  const page = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'),
  )
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  const elsewhere = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
  const reader = (await service.keyOf(service.demo.id, 'sandbox', 'READ')).key
  const cases = [
    [['status'], stranger, /does not know this key\.\n.*`parley login`/],
    [['status'], { PARLEY_BASE_URL: 'http://127.0.0.1:9' }, /did not answer.*\nIs the service running there\?/],
    [['status'], { PARLEY_BASE_URL: elsewhere }, /The answer is no JSON.*\nName the address/],
    [['status'], { PARLEY_BASE_URL: 'parley.example.com' }, /must be an http or https address/],
    [['create', 'tasks', 'title=x'], { PARLEY_API_KEY: reader }, /WRITE.*\nUse a key of scope WRITE/],
    [['get', 'tasks', '01900000-0000-7000-8000-000000000000'], {}, /nothing like that.*\nCheck the id and the key/],
    [['create', 'tasks', 'titel=x'], {}, /titel.*\n`parley schema ENTITY`/],
    [
      ['trigger', 'call.ended'],
      { PARLEY_API_KEY: service.demo.live.key },
      /live key: events are triggered in the sandbox only\.\n.*ak_test_.*--profile/,
    ],
    [['simulate', 'full_intake'], { PARLEY_API_KEY: service.demo.live.key }, /live key.*\n.*ak_test_/],
    [['login', '--key', 'hunter2'], {}, /no API key: keys begin with/],
  ] as const
  for (const [args, env, message] of cases) {
    const { code, stdout, stderr } = await run([...args], env)
    expect(stderr, args.join(' ')).toMatch(message)
    expect(stderr).not.toMatch(/^\s+at /m)
    expect({ code, stdout }, args.join(' ')).toEqual({ code: 1, stdout: '' })
  }
  const inJson = await run(['status', '--json'], stranger)
  expect(JSON.parse(inJson.stderr).error).toMatchObject({
    code: 'unauthorized',
    message: 'The service does not know this key.',
  })
  await new Promise((resolve) => page.close(resolve))
})

test('a clock that is more than five minutes off is trouble for status and listen', async () => {
  const skewed = createServer(async (request, response) => {
    const answer = await fetch(service.url + request.url, {
      headers: { authorization: request.headers.authorization ?? '' },
    })
    response
      .writeHead(answer.status, {
        'content-type': 'application/json',
        date: new Date(Date.now() - 420_000).toUTCString(),
      })
      .end(await answer.text())
  })
  await new Promise<void>((resolve) => skewed.listen(0, '127.0.0.1', resolve))
  const env = { PARLEY_BASE_URL: `http://127.0.0.1:${(skewed.address() as AddressInfo).port}` }
  for (const args of [['status'], ['listen', '--forward-to', 'http://127.0.0.1:9/hooks']]) {
    const { code, stderr } = await cli.run(args, { env })
    expect(stderr).toMatch(/clock of this machine is 7 minutes ahead.*\nSet the clock/)
    expect(code).toBe(1)
  }
  await new Promise((resolve) => skewed.close(resolve))
})

test('colours come where they are wanted and nowhere else', async () => {
  const coloured = await cli.run(['get', 'tasks', 'x'], { env: { FORCE_COLOR: '1' } })
  expect(coloured.stderr).toContain('\u001b[31merror:')
  const plain = await cli.run(['get', 'tasks', 'x'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })
  expect(plain.stderr).not.toContain('\u001b[')
})

test('a damaged file of settings is said to be damaged', async () => {
  const other = join(cli.home, 'other')
  await cli.run(['login', '--base-url', service.url, '--key', service.api.key], { env: { XDG_CONFIG_HOME: other } })
  await writeFile(join(other, 'parley/config.json'), '{')
  const { code, stderr } = await cli.run(['status'], { env: { XDG_CONFIG_HOME: other } })
  expect({ code, stderr: steady(stderr) }).toEqual({
    code: 1,
    stderr: 'error: <home>/other/parley/config.json is damaged.\nDelete it and run `parley login` again.\n',
  })
})

/** Runs a command in a pseudo-terminal of 60 columns, and types `keys` when it asks. */
async function atTerminal(
  args: readonly string[],
  keys = '',
  env: Record<string, string> = {},
): Promise<{ code: number | null; screen: string }> {
  const command = `stty cols 60; exec "${process.execPath}" "${join(cli.home, 'parley.mjs')}" ${args.join(' ')}`
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...cli.env, TERM: 'xterm', ...env },
    cwd: cli.home,
  })
  let screen = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (keys !== '' && !screen.includes('): ') && (screen + text).includes('): '))
      setTimeout(() => child.stdin.write(keys), 100)
    screen += text
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, screen: screen.replaceAll('\r\n', '\n').replaceAll('\r\u001b[2K', '\n') }
}

test.runIf(process.platform === 'linux')(
  'at a terminal: the key is not shown, tables fit, a bar moves, colours are on',
  async () => {
    const env = { XDG_CONFIG_HOME: join(cli.home, 'terminal') }
    const login = await atTerminal(['login', '--base-url', service.url], `${service.api.key}\r`, env)
    expect(login.screen).not.toContain(service.api.key)
    expect({ code: login.code, end: steady(login.screen).trimEnd().split('\n').at(-1) }).toEqual({
      code: 0,
      end: 'Logged in to Demo (sandbox, ADMIN) at <url>.',
    })

    const list = await atTerminal(['list', 'work-type-definitions'], '', env)
    for (const line of list.screen.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
    expect(list.screen).toContain('…')

    await writeFile(
      join(cli.home, 'bar.ndjson'),
      Array.from({ length: 300 }, (_, index) => JSON.stringify({ title: `B ${index}` })).join('\n'),
    )
    const bar = await atTerminal(['import', 'bar.ndjson', '--entity', 'tasks'], '', env)
    expect(bar.screen).toMatch(/[█░]{20} \d+ % {2}\d+ rows, \d+ a second|Checking bar\.ndjson/)
    expect(bar.screen.trimEnd()).toMatch(/300 rows imported into tasks: 300 created, 0 updated\.$/)

    const { id } = await parley.tasks.create({ title: 'Deleted at a terminal' })
    const kept = await atTerminal(['delete', 'tasks', id], 'n\r', env)
    expect({ code: kept.code, screen: kept.screen }).toEqual({
      code: 1,
      screen: expect.stringMatching(/\? \(y\/N\): [\s\S]*Nothing was done\./),
    })
    expect((await parley.tasks.get(id)).id).toBe(id)
    expect((await atTerminal(['delete', 'tasks', id], 'y\r', env)).screen).toContain('is deleted.')
    const sure = await parley.tasks.create({ title: 'Deleted for sure' })
    expect((await atTerminal(['delete', `/tasks/${sure.id}`, '--yes'], '', env)).screen).toMatch(/^204, /)

    const trouble = await atTerminal(['get', 'tasks', 'x'], '', env)
    expect({ code: trouble.code, isRed: trouble.screen.includes('\u001b[31merror:') }).toEqual({ code: 1, isRed: true })
  },
)
