// Who you are to the service: log in, look around, manage keys.
import type { Command } from 'commander'
import { Parley } from '../client.js'
import type { SchemaEntity } from '../generated/shapes.js'
import { clockSkewMs, clockTrouble } from './clock.js'
import { completionScript } from './completion.js'
import { configPath, readConfig, writeConfig } from './config-file.js'
import { examples } from './examples.js'
import { CliError, UsageError } from './failure.js'
import { countOf } from './number-options.js'
import { openInBrowser } from './open-browser.js'
import type { Bind } from './program.js'
import { askFor } from './prompt.js'
import { addressOf, defaultBaseUrl, type Session } from './session.js'
import { fields, table } from './terminal.js'

export function addAccountCommands(program: Command, bind: Bind): void {
  program
    .command('login')
    .description('store the base URL and a key, for you alone to read')
    .option('--base-url <url>', 'where the service runs')
    .option('--key <key>', 'an API key; asked for when left out, or read from standard input')
    .addHelpText('after', examples('parley login', 'parley login --base-url https://parley.example.com < key.txt'))
    .action(bind(login))
  program
    .command('logout')
    .description('forget the stored key')
    .addHelpText('after', examples('parley logout'))
    .action(bind(logout))
  program
    .command('status')
    .description('show the service, the organization and the key in use, and check the clock')
    .addHelpText('after', examples('parley status', 'parley status --json'))
    .action(bind(status))
  program
    .command('schema')
    .argument('[entity]', 'a slug, such as people')
    .description('list the entities, or the fields of one')
    .addHelpText('after', examples('parley schema', 'parley schema work-records'))
    .action(bind(schema))
  addKeyCommands(program, bind)
  program
    .command('open')
    .description('open the documentation of the service in a browser')
    .addHelpText('after', examples('parley open'))
    .action(bind(open))
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .description('print a completion script for a shell')
    .addHelpText(
      'after',
      examples(
        'parley completion bash >> ~/.bashrc',
        'parley completion fish > ~/.config/fish/completions/parley.fish',
      ),
    )
    .action(bind(async ({ terminal }: Session, shell: string) => terminal.out(completionScript(shell, program))))
}

async function login(session: Session, options: { baseUrl?: string; key?: string }): Promise<void> {
  const { env, terminal } = session
  const config = await readConfig(env)
  const baseUrl = options.baseUrl ?? config.baseUrl ?? env['PARLEY_BASE_URL'] ?? defaultBaseUrl
  const apiKey = options.key ?? (await askFor(session, `API key for ${baseUrl} (ak_test_… or ak_live_…): `))
  if (!/^ak_(test|live)_/.test(apiKey))
    throw new CliError(
      'That is no API key: keys begin with ak_test_ or ak_live_.',
      'Copy the whole key; the service shows it once, when it is made.',
    )
  const { organization, key } = await new Parley({ apiKey, baseUrl, maxRetries: 0 }).schema()
  await writeConfig(env, { ...config, baseUrl, apiKey })
  session.print(
    { baseUrl, organization, key, configPath: configPath(env) },
    () => `Logged in to ${organization.name} (${organization.environment}, ${key.scope}) at ${baseUrl}.`,
  )
  if (env['PARLEY_API_KEY']) terminal.note('PARLEY_API_KEY is set and wins over this key.')
}

async function logout(session: Session): Promise<void> {
  const { apiKey: _, ...config } = await readConfig(session.env)
  await writeConfig(session.env, config)
  session.print({ loggedOut: true }, () => 'The key is forgotten. It still works until someone revokes it.')
}

async function status(session: Session): Promise<void> {
  const { env, signal } = session
  const account = await session.account()
  const { organization, key } = await (await session.client({ maxRetries: 0 })).schema()
  const skewMs = await clockSkewMs(account, signal)
  const from = env['PARLEY_API_KEY'] ? 'PARLEY_API_KEY' : configPath(env)
  const shown = {
    baseUrl: account.baseUrl,
    organization: organization.name,
    environment: organization.environment,
    scope: key.scope,
    keyFrom: from,
  }
  const clock =
    skewMs === undefined
      ? 'unknown'
      : Math.abs(skewMs) < 2_000
        ? 'in step'
        : `${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'ahead' : 'behind'}`
  session.print({ ...shown, clockSkewMs: skewMs ?? null }, () => fields({ ...shown, clock }))
  const trouble = clockTrouble(skewMs)
  if (trouble) throw new CliError(trouble.message, trouble.nextStep)
}

async function schema(session: Session, slug: string | undefined): Promise<void> {
  const { entities } = await (await session.client()).schema()
  const { width } = session.terminal
  if (slug === undefined) {
    const rows = entities.map(({ slug: name, methods, filterFields }) => [
      name,
      methods.join(','),
      filterFields.join(','),
    ])
    return session.print(entities, () => table(['entity', 'methods', 'filters'], rows, width))
  }
  const entity = entities.find((one) => one.slug === slug)
  if (entity === undefined)
    throw new UsageError(`There is no entity ${slug}.`, `Known: ${entities.map((one) => one.slug).join(', ')}.`)
  session.print(
    entity,
    () => `${table(['field', 'type', 'notes'], entity.scalarFields.map(fieldRow), width)}\n\n${aboutLists(entity)}`,
  )
}

function fieldRow({
  name,
  type,
  nullable,
  readOnly,
  required,
  enum: values,
  references,
}: SchemaEntity['scalarFields'][number]): string[] {
  const notes = [
    required && 'required',
    readOnly && 'read-only',
    nullable && 'nullable',
    references && `→ ${references}`,
    values && `one of ${values.join(', ')}`,
  ]
  return [name, type, notes.filter(Boolean).join('; ')]
}

const aboutLists = ({ filterFields, searchFields, sortFields, methods }: SchemaEntity): string =>
  fields({
    methods: methods.join(', '),
    filters: filterFields.join(', ') || 'none',
    search: searchFields.join(', ') || 'none',
    'sort and ranges': sortFields.join(', '),
  })

const keyExamples = `
Examples:
  $ parley keys
  $ parley keys create laptop --scope WRITE
  $ parley keys rotate 0190… --grace 3600
  $ parley keys revoke 0190…`

function addKeyCommands(program: Command, bind: Bind): void {
  const keys = program
    .command('keys')
    .description('list, mint, rotate and revoke API keys (ADMIN)')
    .addHelpText('afterAll', keyExamples)
  keys.command('list', { isDefault: true }).description('list the keys of this environment').action(bind(listKeys))
  keys
    .command('create')
    .argument('<name>')
    .option('--scope <scope>', 'READ, WRITE or ADMIN', 'READ')
    .option('--expires-at <time>', 'when it stops working')
    .option('--agent-writes <mode>', 'what an agent may do with it: propose (unless said) or direct')
    .description('mint a key; it is shown once')
    .action(bind(createKey))
  keys
    .command('rotate')
    .argument('<id>')
    .option('--grace <seconds>', 'how long the old key goes on working')
    .description('replace a key')
    .action(bind(rotateKey))
  keys.command('revoke').argument('<id>').description('stop a key at once').action(bind(revokeKey))
}

async function listKeys(session: Session): Promise<void> {
  const keys = await (await session.client()).apiKeys.list({ limit: 100 }).toArray()
  const rows = keys.map((key) => [
    key.id,
    key.name,
    key.scope,
    `${key.prefix}…${key.last4}`,
    key.lastUsedAt,
    key.revokedAt ? 'revoked' : (key.expiresAt ?? 'no expiry'),
  ])
  session.print(keys, () => table(['id', 'name', 'scope', 'key', 'last used', 'expires'], rows, session.terminal.width))
}

async function createKey(
  session: Session,
  name: string,
  { scope, expiresAt, agentWrites }: { scope: string; expiresAt?: string; agentWrites?: string },
): Promise<void> {
  const minted = await (await session.client()).apiKeys.create({
    name,
    scope: scope.toUpperCase(),
    ...(expiresAt && { expiresAt }),
    ...(agentWrites && { agentWrites }),
  })
  session.print(minted, () => minted.key)
  if (!session.isJson) session.terminal.note('Keep it now: it is not shown again.')
}

async function rotateKey(session: Session, id: string, { grace }: { grace?: string }): Promise<void> {
  const body = grace === undefined ? {} : { gracePeriodSeconds: countOf(grace, '--grace', 0) }
  const minted = await (await session.client()).apiKeys.rotate(id, body)
  session.print(minted, () => minted.key)
}

async function revokeKey(session: Session, id: string): Promise<void> {
  await (await session.client()).apiKeys.revoke(id)
  session.print({ id, revoked: true }, () => `${id} is revoked.`)
}

async function open(session: Session): Promise<void> {
  const url = addressOf(await session.account(), '/docs')
  session.print({ url }, () => url)
  if (session.terminal.isInteractive && !session.isJson) openInBrowser(url)
}
