// `parley listen`: a receiver that is down, a service that restarts, a listener that is killed, and still every event
// arrives, signed.

import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../server/src/database/sql.js'
import { type Service, startService } from '../../server/test/support/service.js'
import { Parley, verifyWebhook } from '../src/index.js'
import { type Cli, createCli } from './support/cli.js'
import { type Got, type Receiver, startReceiver } from './support/receiver.js'
import { type Restartable, startRestartable } from './support/restartable.js'
import { startTlsReceiver } from './support/tls-receiver.js'
import { until } from './support/until.js'

let service: Service
let node: Restartable
let cli: Cli
let parley: Parley
let receiver: Receiver

beforeAll(async () => {
  service = await startService()
  node = await startRestartable(service)
  cli = await createCli({ PARLEY_API_KEY: service.api.key, PARLEY_BASE_URL: node.url })
  parley = new Parley({ apiKey: service.api.key, baseUrl: service.url })
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver?.down()
  await cli?.remove()
  await node?.stop()
  await service?.stop()
})

const addTask = (title: string) => parley.tasks.create({ title })

/** An organization where nothing has happened yet, and a receiver that has got nothing. */
async function fresh(name: string): Promise<{ env: Record<string, string>; own: Parley }> {
  const { sandbox } = await service.organization(name)
  receiver.got.length = 0
  return { env: { PARLEY_API_KEY: sandbox.key }, own: new Parley({ apiKey: sandbox.key, baseUrl: service.url }) }
}
const titleOf = ({ body }: Got): string => JSON.parse(body).data.task.title

const arrived = (count: number) =>
  until(() => receiver.got.length >= count, `${count} events, got ${receiver.got.length}`)
const listenArgs = () => ['listen', '--forward-to', receiver.url, '--events', 'task.created']

test('nothing is lost when the receiver, the service or the listener goes away and comes back', async () => {
  const first = cli.start(listenArgs())
  await first.says('Signing secret: whsec_')
  await addTask('one')
  await arrived(1)

  await receiver.down()
  for (const title of ['two', 'three']) await addTask(title)
  await first.says('task.created waits until it does')
  await receiver.up()
  await arrived(3)

  receiver.status = 503
  await addTask('four')
  await until(() => receiver.refused > 0, 'a refusal')
  receiver.status = 200
  await arrived(4)

  await node.stop()
  await addTask('five')
  await first.says('The service is away')
  await node.start()
  await arrived(5)

  // A line is printed when the position is written down; whoever is killed before that sends once more, as the service
  // does.
  await until(() => first.output.stdout.split('\n').length > 5, 'five lines')
  first.child.kill('SIGKILL')
  await first.ended
  for (const title of ['six', 'seven']) await addTask(title)
  const second = cli.start(listenArgs())
  await second.says('Going on where the last run stopped')
  await arrived(7)
  await addTask('eight')
  await arrived(8)
  second.child.kill('SIGINT')
  expect((await second.ended).code).toBe(0)
  expect(receiver.got.map(titleOf)).toEqual(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'])
  const lines = first.output.stdout.trim().split('\n')
  expect(lines).toHaveLength(5)
  for (const line of lines)
    expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}task\.created {11}200 {2}[ \d]{5} ms {2}\w{26}$/)
  expect(secretOf(second.output.stderr)).toBe(secretOf(first.output.stderr))
})

const secretOf = (text: string): string => /whsec_\S+/.exec(text)?.[0] ?? ''

test('what is forwarded verifies as the real thing does, and has the bytes of the log', async () => {
  const { env, own } = await fresh('Signed')
  const listening = cli.start([...listenArgs(), '--limit', '1'], { env })
  await listening.says('Signing secret')
  await own.tasks.create({ title: 'signed — ü' })
  const { code, stderr } = await listening.ended
  expect(code).toBe(0)
  const [got] = receiver.got
  const { body, headers } = got as Got
  const event = await verifyWebhook(body, headers, secretOf(stderr))
  expect(new Webhook(secretOf(stderr)).verify(body, headers as Record<string, string>)).toEqual(event)
  expect(headers).toMatchObject({
    'x-service-event': 'task.created',
    'x-service-event-id': event.eventId,
    'x-service-attempt': '1',
    'content-type': 'application/json',
  })
  const logged = await service.client(env['PARLEY_API_KEY'] ?? '').get(`/events/${event.eventId}`)
  expect(body).toBe(logged.text)
})

test('a receiver that answers with an error is shown, and the next event goes on', async () => {
  const { env, own } = await fresh('Refusing')
  const listening = cli.start([...listenArgs(), '--limit', '2', '--json'], { env })
  await listening.says('Signing secret')
  receiver.status = 500
  await own.tasks.create({ title: 'refused' })
  await listening.says('"status":500')
  receiver.status = 200
  await own.tasks.create({ title: 'taken' })
  const lines = (await listening.ended).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toEqual([
    expect.objectContaining({ type: 'task.created', status: 500 }),
    expect.objectContaining({ status: 200, ms: expect.any(Number) }),
  ])
})

test('a listener that was killed before it heard anything, on a log without events, loses nothing either', async () => {
  const { env, own } = await fresh('Quiet')
  const first = cli.start(listenArgs(), { env })
  await first.says('Signing secret')
  first.child.kill('SIGKILL')
  await first.ended
  for (const title of ['a', 'b']) await own.tasks.create({ title })
  const second = cli.start([...listenArgs(), '--limit', '2'], { env })
  expect((await second.ended).code).toBe(0)
  expect(receiver.got.map(titleOf)).toEqual(['a', 'b'])
})

test('a position that is no longer kept: it goes on with the oldest event that is', async () => {
  const { env, own } = await fresh('Long away')
  const listening = cli.start([...listenArgs(), '--limit', '1'], { env })
  await listening.says('Signing secret')
  await own.tasks.create({ title: 'heard' })
  expect((await listening.ended).code).toBe(0)
  for (const title of ['a', 'b']) await own.tasks.create({ title })
  await service.database.query(sql`delete from events where id = ${JSON.parse(receiver.got[0]?.body ?? '').eventId}`)
  const later = cli.start([...listenArgs(), '--limit', '2'], { env })
  await later.says('going on with the oldest that it keeps')
  await arrived(3)
  expect((await later.ended).code).toBe(0)
  expect(receiver.got.map(titleOf)).toEqual(['heard', 'a', 'b'])
})

test('--from-now forgets what happened while nobody listened', async () => {
  const { env, own } = await fresh('Forgetful')
  await own.tasks.create({ title: 'before' })
  await until(async () => (await own.events.list()).data.length === 1)
  const listening = cli.start([...listenArgs(), '--from-now', '--limit', '1'], { env })
  await listening.says('Signing secret')
  await own.tasks.create({ title: 'after' })
  await listening.ended
  expect(receiver.got.map(titleOf)).toEqual(['after'])
})

test('the same events as a subscription unless said, more headers, and the event itself as JSON', async () => {
  const { env, own } = await fresh('Standard')
  const args = ['listen', '--forward-to', receiver.url, '-H', 'X-Branch: mine', '--headers', 'x-service-event: forged']
  const listening = cli.start([...args, '--format', 'json', '--limit', '1'], { env })
  await listening.says('Signing secret')
  // Renaming a person is told to those who ask for it; adding one to everyone.
  const { id } = await own.people.create({ displayName: 'Dana' })
  const { stdout, code } = await listening.ended
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    type: 'person.created',
    url: receiver.url,
    event: { data: { personId: id } },
  })
  expect(receiver.got[0]?.headers).toMatchObject({ 'x-branch': 'mine', 'x-service-event': 'person.created' })
  await own.people.update(id, { displayName: 'Dana Reyes' })
  await own.tasks.create({ title: 'marker' })
  const second = cli.start(['listen', '--forward-to', receiver.url, '--limit', '1'], { env })
  expect((await second.ended).code).toBe(0)
  expect(receiver.got.map(({ body }) => JSON.parse(body).type)).toEqual(['person.created', 'task.created'])
  const all = cli.start(['listen', '--forward-to', receiver.url, '--events', 'all', '--limit', '1'], { env })
  await all.says('Signing secret')
  await own.people.update(id, { displayName: 'Dana R.' })
  await all.ended
  expect(JSON.parse(receiver.got.at(-1)?.body ?? '').type).toBe('person.updated')
})

test('--print-secret prints what the next run signs with, and nothing else', async () => {
  const { stdout, stderr, code } = await cli.run(['listen', '--print-secret'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^whsec_\S+\n$/)
  expect((await cli.run(['listen', '--print-secret'])).stdout).toBe(stdout)
})

test('--use-configured-webhooks takes types and paths from the active subscriptions', async () => {
  const { env, own } = await fresh('Configured')
  const args = ['listen', '--forward-to', receiver.url, '--use-configured-webhooks', '--limit', '2', '--json']
  expect((await cli.run(args, { env })).stderr).toContain('There is no active webhook')
  await own.webhooks.create({ url: 'https://example.com/a?x=1', eventTypes: ['task.created'] })
  await own.webhooks.create({ url: 'https://example.com/b', eventTypes: ['task.created', 'note.added'] })
  await own.webhooks.create({ url: 'https://example.com/c', eventTypes: ['person.created'], status: 'paused' })
  const listening = cli.start(args, { env })
  await listening.says('Signing secret')
  const { id } = await own.people.create({ displayName: 'Unheard' })
  await own.notes.create({ body: 'For b.', subjectType: 'person', subjectId: id })
  await own.tasks.create({ title: 'For both' })
  const lines = (await listening.ended).stdout.trim().split('\n')
  const told = lines.map((line) => JSON.parse(line)).map(({ type, url }) => `${type} ${new URL(url).pathname}`)
  expect(told.sort()).toEqual(['note.added /b', 'task.created /a', 'task.created /b'])
})

test('a receiver with a certificate of its own is refused, and taken with --skip-verify', async () => {
  const { env, own } = await fresh('Certified')
  const tls = await startTlsReceiver(cli.home)
  try {
    const args = ['listen', '--forward-to', tls.url, '--events', 'task.created', '--limit', '1']
    const refused = cli.start(args, { env })
    await refused.says('Signing secret')
    await own.tasks.create({ title: 'secret' })
    await refused.says('--skip-verify takes any certificate')
    refused.child.kill('SIGINT')
    await refused.ended
    expect(tls.got).toEqual([])
    expect((await cli.run([...args, '--skip-verify'], { env })).code).toBe(0)
    expect(tls.got.map((body) => JSON.parse(body).data.task.title)).toEqual(['secret'])
  } finally {
    await tls.stop()
  }
})
