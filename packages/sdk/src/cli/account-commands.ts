// Who you are to the service: log in, look around, manage keys.
import type { Command } from 'commander'
import { Parley } from '../client.js'
import type { SchemaEntity } from '../generated/shapes.js'
import { clockSkewMs, clockTrouble } from './clock.js'
import { completionScript } from './completion.js'
import { configPath, profileOf, readConfig, withProfile, writeConfig } from './config-file.js'
import { examples } from './examples.js'
import { CliError, UsageError } from './failure.js'
import { countOf } from './number-options.js'
import { openInBrowser } from './open-browser.js'
import type { Bind } from './program.js'
import { askFor, confirm } from './prompt.js'
import { addressOf, defaultBaseUrl, type Session } from './session.js'
import { fields, table } from './terminal.js'

export function addAccountCommands(program: Command, bind: Bind): void {
  program
    .command('login')
    .description('store the base URL and a key, for you alone to read')
    .option('--base-url <url>', 'where the service runs')
    .option('--key <key>', 'an API key; asked for when left out, or read from standard input')
    .option('--name <profile>', 'keep it under this name, for --profile')
    .addHelpText(
      'after',
      examples(
        'parley login',
        'parley login --base-url https://parley.example.com < key.txt',
        'parley login --name production --base-url https://parley.example.com',
      ),
    )
    .action(bind(login))
  program
    .command('logout')
    .description('forget the stored key, or that of --profile')
    .addHelpText('after', examples('parley logout', 'parley logout --profile production'))
    .action(bind(logout))
  program
    .command('profiles')
    .description('list the logins that are stored')
    .addHelpText('after', examples('parley profiles', 'parley status --profile production'))
    .action(bind(profiles))
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

interface LoginOptions {
  baseUrl?: string
  key?: string
  name?: string
}

async function login(session: Session, options: LoginOptions): Promise<void> {
  const { env, terminal } = session
  const name = options.name ?? session.options.profile
  if (name !== undefined && !/^[\w.-]{1,64}$/.test(name))
    throw new UsageError(`--name ${name} is no name.`, 'Take letters, digits, dots and dashes: --name production')
  const config = await readConfig(env)
  const known = profileOf(config, name) ?? {}
  const baseUrl = options.baseUrl ?? known.baseUrl ?? env['PARLEY_BASE_URL'] ?? defaultBaseUrl
  const given = options.key ?? session.options.apiKey
  const apiKey = given ?? (await askFor(session, `API key for ${baseUrl} (ak_test_… or ak_live_…): `))
  if (!/^ak_(test|live)_/.test(apiKey))
    throw new CliError(
      'That is no API key: keys begin with ak_test_ or ak_live_.',
      'Copy the whole key; the service shows it once, when it is made.',
    )
  const { organization, key } = await new Parley({ apiKey, baseUrl, maxRetries: 0 }).schema()
  await writeConfig(env, withProfile(config, name, { baseUrl, apiKey }))
  const as = name === undefined ? '' : `; --profile ${name} acts by it`
  session.print(
    { baseUrl, organization, key, configPath: configPath(env), profile: name ?? null },
    () => `Logged in to ${organization.name} (${organization.environment}, ${key.scope}) at ${baseUrl}${as}.`,
  )
  if (env['PARLEY_API_KEY'] && name === undefined) terminal.note('PARLEY_API_KEY is set and wins over this key.')
}

async function logout(session: Session): Promise<void> {
  const { profile } = session.options
  const config = await readConfig(session.env)
  await writeConfig(session.env, withProfile(config, profile, undefined))
  session.print({ loggedOut: true }, () => 'The key is forgotten. It still works until someone revokes it.')
}

/** Keys are shown by their ends alone. */
async function profiles(session: Session): Promise<void> {
  const { profiles: named = {}, apiKey, baseUrl } = await readConfig(session.env)
  const unnamed = apiKey === undefined ? [] : [[null, { apiKey, ...(baseUrl && { baseUrl }) }] as const]
  const all = [...unnamed, ...Object.entries(named)].map(([name, one]) => ({
    name,
    baseUrl: one.baseUrl ?? defaultBaseUrl,
    key: `${one.apiKey?.slice(0, 12)}…${one.apiKey?.slice(-4)}`,
  }))
  const rows = all.map(({ name, ...one }) => [name ?? '(none)', one.baseUrl, one.key])
  session.print(all, () =>
    all.length === 0
      ? 'No logins yet: `parley login` makes one.'
      : table(['name', 'base url', 'key'], rows, session.terminal.width),
  )
}

async function status(session: Session): Promise<void> {
  const { signal } = session
  const account = await session.account()
  const { organization, key } = await (await session.client({ maxRetries: 0 })).schema()
  const skewMs = await clockSkewMs(account, signal)
  const shown = {
    baseUrl: account.baseUrl,
    organization: organization.name,
    environment: organization.environment,
    scope: key.scope,
    keyFrom: account.keyFrom,
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
  keys
    .command('revoke')
    .argument('<id>')
    .option('-y, --yes', 'do not ask at a terminal')
    .description('stop a key at once')
    .action(bind(revokeKey))
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

async function revokeKey(session: Session, id: string, { yes }: { yes?: boolean }): Promise<void> {
  await confirm(session, `Revoke the key ${id}`, yes)
  await (await session.client()).apiKeys.revoke(id)
  session.print({ id, revoked: true }, () => `${id} is revoked.`)
}

async function open(session: Session): Promise<void> {
  const url = addressOf(await session.account(), '/docs')
  session.print({ url }, () => url)
  if (session.terminal.isInteractive && !session.isJson) openInBrowser(url)
}
