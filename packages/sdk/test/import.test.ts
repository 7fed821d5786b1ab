// `parley import`: the service writes the file, whatever becomes of who sent it; no row twice and none missing; bad rows
// in a file of their own.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Organization, type Service, startService } from '../../server/test/support/service.js'
import { Parley } from '../src/index.js'
import { type Cli, createCli } from './support/cli.js'
import { startRestartable } from './support/restartable.js'

let service: Service
let cli: Cli

beforeAll(async () => {
  service = await startService()
  cli = await createCli({ PARLEY_BASE_URL: service.url, PARLEY_API_KEY: service.api.key })
})
afterAll(async () => {
  await cli?.remove()
  await service?.stop()
})

const fileOf = async (name: string, text: string): Promise<string> => {
  const path = join(cli.home, name)
  await writeFile(path, text)
  return path
}
const clientOf = ({ sandbox }: Organization) => new Parley({ apiKey: sandbox.key, baseUrl: service.url })
const errorsOf = async (file: string) => (await readFile(`${file}.errors.csv`, 'utf8')).trim().split('\r\n').slice(1)

test('the service takes a mapped file, gives refused rows back, and makes nobody twice', async () => {
  const organization = await service.organization('Background')
  const env = { PARLEY_API_KEY: organization.sandbox.key }
  const rows = Array.from({ length: 300 }, (_, n) => `c${n},Person ${n},(202) 555-${1000 + n},x`)
  const file = await fileOf('background.csv', `Id,Name,Phone,Notes\n${rows.join('\n')}\n,,,\nbad,Bad,12,x\n`)
  const names = ['--map', 'Name=firstName', '--map', 'Phone=primaryPhone', '--skip', 'Notes', '--country', 'US']
  const args = ['import', file, '--entity', 'people', '--external-id', 'Id', '--system', 'crm', ...names, '--json']
  const dry = await cli.run([...args, '--dry-run'], { env })
  expect(JSON.parse(dry.stdout)).toMatchObject({ status: 'completed', created: 300, skipped: 1, failed: 1 })
  expect((await clientOf(organization).people.list()).data).toEqual([])
  const first = await cli.run([...args, '--silent'], { env })
  expect([first.code, JSON.parse(first.stdout)]).toEqual([
    1,
    expect.objectContaining({ created: 300, failed: 1, errorFile: `${file}.errors.csv` }),
  ])
  expect(await readFile(`${file}.errors.csv`, 'utf8')).toMatch(/^Id,Name,Phone,Notes,reason\r\nbad,Bad,12,x,/)
  const again = await cli.run([...args, '--restart'], { env })
  expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, updated: 300, failed: 1 })
  // What scripts may still say changes nothing.
  const old = ['--background', '--concurrency', '8']
  const wrong = await cli.run(['import', file, '--entity', 'people', ...old], { env })
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('people has no field for "Id"')])
})

/** Until the service has written some of its rows. */
const begun = (organization: Organization) =>
  expect
    .poll(async () => (await organization.sandbox.get('/imports')).body.data[0]?.created ?? 0, { interval: 10 })
    .toBeGreaterThan(0)

const big = Number(process.env['IMPORT_ROWS'] ?? 1_500)

test(`${big} rows, whose sender is killed and interrupted on the way: no row twice, none missing`, async () => {
  const organization = await service.organization('Big')
  const rows = Array.from({ length: big }, (_, index) =>
    JSON.stringify({ title: `Row ${index % (big - 10)}`, priority: 'low' }),
  )
  const file = await fileOf('rows.ndjson', `${rows.join('\n')}\n`)
  const args = ['import', file, '--entity', 'tasks']
  const env = { PARLEY_API_KEY: organization.sandbox.key }
  const killed = cli.start(args, { env })
  await begun(organization)
  killed.child.kill('SIGKILL')
  await killed.ended
  const interrupted = cli.start(args, { env })
  await interrupted.says(/^(Going on after row|This file was imported)/m, 200_000)
  interrupted.child.kill('SIGINT')
  await interrupted.ended
  const last = await cli.run(args, { env })
  expect(last.code).toBe(0)
  expect(last.stdout).toMatch(
    new RegExp(`^(${big} rows imported into tasks: ${big} created, 0 updated|This file was imported already)`),
  )
  const titles = (await clientOf(organization).tasks.list({ limit: 100 }).toArray()).map(({ title }) => title)
  expect(titles).toHaveLength(big)
  expect(titles.sort()).toEqual(rows.map((row) => JSON.parse(row).title).sort())
  const again = await cli.run(args, { env })
  expect({ code: again.code, stdout: again.stdout }).toEqual({
    code: 0,
    stdout: `This file was imported already: ${big} rows. --restart imports it again.\n`,
  })
})

test('numbers are read as the country of the organization writes them', async () => {
  const organization = await service.organization('At home')
  await organization.sandbox.patch('/organization', { settings: { defaultCountry: 'US' } })
  const file = await fileOf('people.csv', 'displayName,primaryPhone\nAnn,(555) 010-0300\nBob,555-0100\n')
  await cli.run(['import', file, '--entity', 'people'], { env: { PARLEY_API_KEY: organization.sandbox.key } })
  const people = await clientOf(organization).people.list().toArray()
  expect(people.map(({ displayName, primaryPhone }) => [displayName, primaryPhone])).toEqual([['Ann', '+15550100300']])
  expect(await errorsOf(file)).toEqual([expect.stringMatching(/^Bob,555-0100,"primaryPhone /)])
})

test('a finished file is imported again with --restart only; rows without a reference are then new ones', async () => {
  const organization = await service.organization('Again')
  const env = { PARLEY_API_KEY: organization.sandbox.key }
  const file = await fileOf('again.ndjson', '{"title":"A"}\n{"title":"B"}\n{"title":"A"}\n')
  const run = async (...more: string[]) =>
    JSON.parse((await cli.run(['import', file, '--entity', 'tasks', '--json', ...more], { env })).stdout)
  expect(await run()).toMatchObject({ imported: 3, created: 3, failed: 0 })
  expect(await run()).toMatchObject({ imported: 3, alreadyImported: true })
  expect(await clientOf(organization).tasks.list().toArray()).toHaveLength(3)
  expect(await run('--restart')).toMatchObject({ created: 3 })
  expect(await clientOf(organization).tasks.list().toArray()).toHaveLength(6)
})

test('a service that restarts in the middle is waited for', async () => {
  const organization = await service.organization('Restarted')
  const node = await startRestartable(service)
  const file = await fileOf(
    'restart.ndjson',
    Array.from({ length: 1_500 }, (_, index) => JSON.stringify({ title: `R ${index}` })).join('\n'),
  )
  const running = cli.start(['import', file, '--entity', 'tasks'], {
    env: { PARLEY_BASE_URL: node.url, PARLEY_API_KEY: organization.sandbox.key },
  })
  await begun(organization)
  await node.stop()
  // It may have heard of the last row before.
  await Promise.race([running.says('The service is away'), running.ended])
  await node.start()
  expect((await running.ended).stdout).toBe('1500 rows imported into tasks: 1500 created, 0 updated.\n')
  expect(await clientOf(organization).tasks.list({ limit: 100 }).toArray()).toHaveLength(1_500)
  await node.stop()
})

test('CSV: types, nested keys, JSON cells; bad rows go to the file of errors and the rest goes on', async () => {
  const organization = await service.organization('Sheet')
  const csv = [
    '\uFEFFdisplayName,primaryPhone,customFields.tier,customFields.plan:json,notes',
    '"Reyes, Dana",+12025550143,gold,"{""name"":""A""}",x',
    'Kim,not a number,,,',
    'Too,few',
    '"Lee ""Ace""\nSecond line",,silver,,',
    'Bad,,,{,',
  ].join('\r\n')
  const file = await fileOf('people.csv', csv)
  const env = { PARLEY_API_KEY: organization.sandbox.key }
  const { code, stdout, stderr } = await cli.run(['import', file, '--entity', 'people', '--skip', 'notes'], { env })
  const told = '2 rows imported into people: 2 created, 0 updated, 3 refused.\n'
  expect({ code, stdout }).toEqual({ code: 1, stdout: told })
  expect(stderr).toContain('people.csv.errors.csv says why')
  expect(await errorsOf(file)).toEqual([
    expect.stringMatching(/^Kim,not a number,,,,"primaryPhone /),
    'Too,few,,,,"has 2 cells, but there are 5 columns"',
    'Bad,,,{,,"customFields.plan:json: ""{"" does not fit its type"',
  ])
  const people = await clientOf(organization).people.list().toArray()
  expect(people.map(({ displayName, customFields }) => [displayName, customFields]).sort()).toEqual([
    ['Lee "Ace"\nSecond line', { tier: 'silver' }],
    ['Reyes, Dana', { tier: 'gold', plan: { name: 'A' } }],
  ])
})

test('with --external-id a second import updates', async () => {
  const organization = await service.organization('Refs')
  const env = { PARLEY_API_KEY: organization.sandbox.key }
  const args = ['--entity', 'tasks', '--external-id', 'number', '--system', 'fieldbook']
  await cli.run(['import', await fileOf('v1.csv', 'number,title\n7,Old\n8,Other\n'), ...args], { env })
  const { code } = await cli.run(['import', await fileOf('v2.csv', 'number,title\n7,New\n8,Other\n'), ...args], { env })
  expect(code).toBe(0)
  const tasks = await clientOf(organization).tasks.list().toArray()
  expect(tasks.map(({ title, externalRefs }) => [title, externalRefs[0]?.externalId]).sort()).toEqual([
    ['New', '7'],
    ['Other', '8'],
  ])
})

test('with --external-id the file has the last word, whatever happened to the record since', async () => {
  const organization = await service.organization('Last word')
  const env = { PARLEY_API_KEY: organization.sandbox.key }
  const tasks = clientOf(organization).tasks
  const files = {
    v1: await fileOf('word1.csv', 'number,title\n7,Old\n'),
    v2: await fileOf('word2.csv', 'number,title\n7,New\n'),
  }
  const importing = async (file: string) => {
    const { code } = await cli.run(['import', file, '--entity', 'tasks', '--external-id', 'number', '--restart'], {
      env,
    })
    expect(code).toBe(0)
    return (await tasks.list().toArray()).map(({ title }) => title)
  }
  expect(await importing(files.v1)).toEqual(['Old'])
  expect(await importing(files.v2)).toEqual(['New'])
  expect(await importing(files.v1)).toEqual(['Old'])
  const [task] = (await tasks.list()).data
  await tasks.update(task?.id ?? '', { title: 'Edited by hand' })
  expect(await importing(files.v1)).toEqual(['Old'])
})

test('a row that was refused is taken once the cause is mended', async () => {
  const organization = await service.organization('Mended')
  const env = { PARLEY_API_KEY: organization.sandbox.key }
  const parley = clientOf(organization)
  const { id: customerId } = await parley.customers.create({ displayName: 'Dana' })
  const externalRefs = [{ system: 'import', externalId: '7' }]
  const inTheWay = await parley.workRecords.create({
    title: 'Of another kind',
    canonicalKind: 'service_request',
    customerId,
    externalRefs,
  })
  const file = await fileOf('kinds.csv', `number,title,canonicalKind,customerId\n7,Mend,job,${customerId}\n`)
  const args = ['import', file, '--entity', 'work-records', '--external-id', 'number']
  const refused = (await cli.run(args, { env })).stdout
  expect(refused).toBe('0 rows imported into work-records: 0 created, 0 updated, 1 refused.\n')
  expect(await errorsOf(file)).toEqual([expect.stringMatching(/^7,Mend,job,/)])
  await parley.workRecords.delete(inTheWay.id)
  const taken = (await cli.run([...args, '--restart'], { env })).stdout
  expect(taken).toBe('1 rows imported into work-records: 1 created, 0 updated.\n')
})

test('the same row in another file is another record, and the same file with other options another run', async () => {
  const organization = await service.organization('Files')
  const env = { PARLEY_API_KEY: organization.sandbox.key }
  const run = async (file: string, ...more: string[]) =>
    JSON.parse((await cli.run(['import', file, '--entity', 'tasks', '--json', ...more], { env })).stdout)
  const titles = async () => (await clientOf(organization).tasks.list().toArray()).map(({ title }) => title).sort()
  const file = await fileOf('monday.csv', 'number,title\n,Sweep\n')
  await run(file, '--skip', 'number')
  await run(await fileOf('tuesday.csv', 'number,title\n,Sweep\n,Mop\n'), '--skip', 'number')
  expect(await titles()).toEqual(['Mop', 'Sweep', 'Sweep'])
  const numbered = await fileOf('numbered.csv', 'number,title\n9,Dust\n')
  for (const more of [
    ['--skip', 'number'],
    ['--external-id', 'number'],
    ['--external-id', 'number', '--system', 'fieldbook'],
  ])
    expect(await run(numbered, ...more)).toMatchObject({ imported: 1, failed: 0 })
  expect(await run(numbered, '--external-id', 'number')).toMatchObject({ imported: 1, alreadyImported: true })
  expect(await titles()).toEqual(['Dust', 'Dust', 'Dust', 'Mop', 'Sweep', 'Sweep'])
})

test('rows without an external id are records of their own', async () => {
  const organization = await service.organization('Nameless')
  const env = { PARLEY_API_KEY: organization.sandbox.key }
  const file = await fileOf(
    'nameless.ndjson',
    '{"number":null,"title":"A"}\n{"number":"","title":"B"}\n{"title":"C"}\n{"number":4,"title":"D"}\n',
  )
  await cli.run(['import', file, '--entity', 'tasks', '--external-id', 'number'], { env })
  const tasks = await clientOf(organization).tasks.list().toArray()
  expect(
    tasks.map(({ title, externalRefs }) => [title, externalRefs.map(({ externalId }) => externalId)]).sort(),
  ).toEqual([
    ['A', []],
    ['B', []],
    ['C', []],
    ['D', ['4']],
  ])
})

test('a file that cannot be read says where, and what to do', async () => {
  const cases = [
    ['open.csv', 'displayName\n"never closed\nKim\n', 'people', /row on line 2 opens a quote and never closes it/],
    ['typo.csv', 'displayNmae\nKim\n', 'people', /people has no field for "displayNmae"; rename the column/],
    ['empty.csv', '', 'people', /is empty/],
    ['twice.csv', 'displayName,displayName\na,b\n', 'people', /Two columns fill displayName/],
    ['away.ndjson', '{}\n', 'dragons', /cannot be imported into dragons/],
  ] as const
  for (const [name, text, entity, message] of cases) {
    const { code, stderr } = await cli.run(['import', await fileOf(name, text), '--entity', entity])
    expect(stderr, name).toMatch(message)
    expect(code, name).toBe(entity === 'people' ? 1 : 2)
    expect(stderr).not.toMatch(/^\s+at /m)
  }
  const missing = await cli.run(['import', 'nowhere.csv', '--entity', 'people'])
  expect({ code: missing.code, stderr: missing.stderr }).toEqual({
    code: 1,
    stderr: 'error: nowhere.csv is no file.\nName an .ndjson or .csv file.\n',
  })
})

test('NDJSON: a line that is no object is refused by itself', async () => {
  const file = await fileOf('mixed.ndjson', '{"title":"fine"}\n\n[1]\n{"title":\n{"title":"fine too"}\n')
  const { stdout } = await cli.run(['import', file, '--entity', 'tasks', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ imported: 2, skipped: 1, failed: 2, errorFile: `${file}.errors.csv` })
  expect(await errorsOf(file)).toEqual(['[1],is no JSON object', '"{""title"":",is no JSON object'])
})
