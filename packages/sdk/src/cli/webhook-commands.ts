// Webhook subscriptions, what was delivered to them, and replays.
import type { Command } from 'commander'
import type { Parley } from '../client.js'
import { examples } from './examples.js'
import { UsageError } from './failure.js'
import { countOf } from './number-options.js'
import type { Bind } from './program.js'
import { confirm } from './prompt.js'
import { collect } from './record-commands.js'
import type { Session } from './session.js'
import { fields, table } from './terminal.js'

const webhookExamples = examples(
  'parley webhooks create https://example.com/hooks --events call.ended,draft.approved',
  'parley webhooks test 0190… --event call.ended',
  'parley webhooks rotate-secret 0190… --grace 3600',
  'parley webhooks pause 0190…',
)

export function addWebhookCommands(program: Command, bind: Bind): void {
  const webhooks = program
    .command('webhooks')
    .description('list and manage webhook subscriptions')
    .addHelpText('afterAll', webhookExamples)
  webhooks.command('list', { isDefault: true }).description('list subscriptions').action(bind(listWebhooks))
  webhooks.command('get').argument('<id>').description('show one subscription').action(bind(showWebhook))
  webhooks
    .command('create')
    .argument('<url>', 'https only')
    .option('--name <name>')
    .option('--events <types>', 'separated by commas; all sixteen when left out')
    .description('subscribe a URL; the signing secret is shown once')
    .action(bind(createWebhook))
  for (const [name, status] of [
    ['pause', 'paused'],
    ['resume', 'active'],
  ] as const) {
    webhooks
      .command(name)
      .argument('<id>')
      .description(`${name} a subscription`)
      .action(bind((session: Session, id: string) => setStatus(session, id, status)))
  }
  webhooks
    .command('delete')
    .argument('<id>')
    .option('-y, --yes', 'do not ask at a terminal')
    .description('revoke a subscription for good')
    .action(bind(deleteWebhook))
  webhooks
    .command('rotate-secret')
    .argument('<id>')
    .option('--grace <seconds>', 'how long the old one signs as well')
    .description('exchange the secret')
    .action(bind(rotateSecret))
  webhooks
    .command('test')
    .argument('<id>')
    .option('--event <type>')
    .description('send a signed sample')
    .action(bind(testWebhook))
  program
    .command('deliveries')
    .argument('<webhook>')
    .option('--status <status>', 'PENDING, SUCCEEDED, FAILED, RETRYING or DEAD_LETTERED; several with commas')
    .option('-n, --limit <number>', 'how many at most', '20')
    .description('show what was sent to a subscription, newest first')
    .addHelpText(
      'after',
      examples('parley deliveries 0190…', 'parley deliveries 0190… --status FAILED,DEAD_LETTERED --limit 50'),
    )
    .action(bind(listDeliveries))
  program
    .command('replay')
    .argument('<webhook>')
    .argument('[delivery]', 'one delivery; without it, those since --since')
    .option('--force', 'send one again although it has succeeded')
    .option('--since <time>', 'replay everything that failed since then: a time, or 30m, 2h, 1d ago')
    .option('--status <status>', 'which ones, when not FAILED and DEAD_LETTERED; may be repeated', collect, [])
    .description('send deliveries again')
    .addHelpText('after', examples('parley replay 0190… 0191…', 'parley replay 0190… --since 2h'))
    .action(bind(replay))
}

async function listWebhooks(session: Session): Promise<void> {
  const all = await (await session.client()).webhooks.list({ limit: 100 }).toArray()
  const rows = all.map((one) => [one.id, one.name, one.status, one.url, one.eventTypes.join(',') || 'all'])
  session.print(all, () =>
    all.length === 0
      ? 'No subscriptions yet: `parley webhooks create https://…` makes one.'
      : table(['id', 'name', 'status', 'url', 'events'], rows, session.terminal.width),
  )
}

async function showWebhook(session: Session, id: string): Promise<void> {
  const one = await (await session.client()).webhooks.get(id)
  session.print(one, () => fields(one))
}

async function createWebhook(
  session: Session,
  url: string,
  { name, events }: { name?: string; events?: string },
): Promise<void> {
  const made = await (await session.client()).webhooks.create({
    url,
    ...(name && { name }),
    ...(events && { eventTypes: events.split(',') }),
  })
  session.print(made, () => fields(made))
  if (!session.isJson) session.terminal.note('Keep the secret now: it is not shown again.')
}

async function setStatus(session: Session, id: string, status: string): Promise<void> {
  const one = await (await session.client()).webhooks.update(id, { status })
  session.print(one, () => `${one.name} is ${one.status}.`)
}

async function deleteWebhook(session: Session, id: string, { yes }: { yes?: boolean }): Promise<void> {
  await confirm(session, `Revoke the subscription ${id}`, yes)
  await (await session.client()).webhooks.delete(id)
  session.print({ id, revoked: true }, () => `${id} is revoked.`)
}

async function rotateSecret(session: Session, id: string, { grace }: { grace?: string }): Promise<void> {
  const body = grace === undefined ? {} : { gracePeriodSeconds: countOf(grace, '--grace', 0) }
  const made = await (await session.client()).webhooks.rotateSecret(id, body)
  session.print(made, () => made.secret)
}

async function testWebhook(session: Session, id: string, { event }: { event?: string }): Promise<void> {
  const delivery = await (await session.client()).webhooks.test(id, event ? { eventType: event } : {})
  session.print(
    delivery,
    () =>
      `Queued ${delivery.eventType} as delivery ${delivery.id}; \`parley deliveries ${id}\` shows what became of it.`,
  )
}

async function listDeliveries(
  session: Session,
  id: string,
  { status, limit }: { status?: string; limit: string },
): Promise<void> {
  const max = countOf(limit)
  const all = await (await session.client()).webhooks
    .deliveries(id, { limit: Math.min(max, 100), ...(status && { status }) })
    .toArray({ max })
  const rows = all.map((one) => [
    one.id,
    one.createdAt,
    one.eventType,
    one.status,
    one.attemptCount,
    one.lastResponseStatus ?? one.lastError,
  ])
  session.print(all, () =>
    all.length === 0
      ? 'Nothing was sent yet.'
      : table(['id', 'created', 'event', 'status', 'attempts', 'last answer'], rows, session.terminal.width),
  )
}

interface ReplayOptions {
  force?: boolean
  since?: string
  status: string[]
}

async function replay(
  session: Session,
  id: string,
  deliveryId: string | undefined,
  options: ReplayOptions,
): Promise<void> {
  const parley = await session.client()
  if (deliveryId === undefined && options.since === undefined)
    throw new UsageError('Say which: one delivery, or --since.', 'For example: parley replay WEBHOOK --since 2h')
  if (deliveryId !== undefined) {
    const delivery = await parley.webhooks.replayDelivery(id, deliveryId, options.force ? { force: true } : {})
    return session.print(delivery, () => `Delivery ${delivery.id} is ${delivery.status}.`)
  }
  const job = await followed(parley, id, sinceOf(options.since ?? ''), options.status)
  session.print(job, () => `Queued ${job.queued} of ${job.matched} deliveries again.`)
}

async function followed(parley: Parley, id: string, since: Date, statuses: string[]) {
  let job = await parley.webhooks.replay(id, {
    since,
    ...(statuses.length > 0 && { statuses: statuses.map((one) => one.toUpperCase()) }),
  })
  while (job.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 500))
    job = await parley.webhooks.replayJob(id, job.id)
  }
  return job
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `2h` is two hours ago; anything else is a time. */
export function sinceOf(text: string, now = Date.now()): Date {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? []
  const at = count === undefined ? Date.parse(text) : now - Number(count) * (units[unit] ?? 0)
  if (Number.isNaN(at))
    throw new UsageError(`--since ${text} is no time.`, 'For example: --since 2h or --since 2026-01-31T08:00:00Z')
  return new Date(at)
}
