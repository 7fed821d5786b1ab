// `parley-server platform-keys …`: keys of the platform API. They are made on the database alone, so that whoever has
// one cannot make another.
import { limits, type PlatformScope, platformScopeMeanings, platformScopes } from '@parley/contract'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { duration } from '../config/setting-kinds.js'
import { StartupError } from '../database/startup-error.js'
import { isPlatformKey } from '../http/gate/api-keys.js'
import {
  listPlatformKeys,
  type MintedPlatformKey,
  mintPlatformKeyFor,
  type PlatformKey,
  revokePlatformKey,
  rotatePlatformKey,
} from '../platform/platform-keys.js'
import {
  dash,
  jsonOption,
  type Printing,
  print,
  requireName,
  requireUuid,
  table,
  withDatabase,
} from './operator-database.js'

export function addPlatformKeyCommands(program: Command): void {
  const keys = program.command('platform-keys').description('keys of the platform API')
  addMint(keys)
  addList(keys)
  addRotate(keys)
  addRevoke(keys)
}

const scopesText = Object.entries(platformScopeMeanings)
  .map(([scope, meaning]) => `${scope} (${meaning})`)
  .join('; ')

const expiryOption = (): Option =>
  new Option(
    '--expires <time>',
    'when it stops working by itself: a number of days such as 90d, or an instant',
  ).argParser(readExpiry)

function addMint(keys: Command): void {
  keys
    .command('mint')
    .description('make a key; it is printed once')
    .requiredOption('--name <name>', 'who it is for')
    .addOption(new Option('--scopes <scopes>', `comma list: ${scopesText}`).argParser(readScopes).makeOptionMandatory())
    .addOption(expiryOption())
    .addOption(jsonOption())
    .action((options: Printing & { name: string; scopes: PlatformScope[]; expires?: Date }) =>
      withDatabase(async (database) => {
        const { scopes, expires: expiresAt = null } = options
        const minted = await mintPlatformKeyFor(
          database,
          { name: requireName(options.name), scopes, expiresAt },
          new Date(),
        )
        printMinted(options, minted)
      }),
    )
}

const printMinted = (options: Printing, { id, key, expiresAt }: MintedPlatformKey): void =>
  print(options, { id, key, expiresAt }, key)

function readScopes(written: string): PlatformScope[] {
  const asked = written.split(',').map((one) => one.trim())
  const unknown = asked.filter((one) => !platformScopes.some((scope) => scope === one))
  if (unknown.length > 0)
    throw new InvalidArgumentError(`${unknown.join(', ')} is no scope. Allowed are ${platformScopes.join(', ')}.`)
  return platformScopes.filter((scope) => asked.includes(scope))
}

const dayMs = 86_400_000

function readExpiry(written: string): Date {
  const [, days] = /^(\d{1,5})d$/.exec(written) ?? []
  const at = days === undefined ? new Date(written) : new Date(Date.now() + Number(days) * dayMs)
  if (Number.isNaN(at.getTime()) || at <= new Date())
    throw new InvalidArgumentError('Give days such as 90d, or a time to come such as 2027-01-31T00:00:00Z.')
  return at
}

function addList(keys: Command): void {
  keys
    .command('list')
    .description('keys that work, newest first; the keys themselves are known to nobody')
    .option('--all', 'revoked and expired ones too')
    .addOption(jsonOption())
    .action((options: Printing & { all?: boolean }) =>
      withDatabase(async (database) => {
        const found = await listPlatformKeys(database, options.all === true, new Date())
        print(options, { keys: found }, found.length === 0 ? 'No platform keys.' : table(head, found.map(row)))
      }),
    )
}

const head = ['ID', 'KEY', 'SCOPES', 'LAST USED', 'EXPIRES', 'REVOKED', 'NAME']

const row = (key: PlatformKey): string[] => [
  key.id,
  `${key.prefix}…${key.last4}`,
  key.scopes.join(','),
  dash(key.lastUsedAt),
  dash(key.expiresAt),
  dash(key.revokedAt),
  key.name,
]

const grace = duration({ min: 0, max: limits.gracePeriodSecondsMax * 1_000 })

function addRotate(keys: Command): void {
  keys
    .command('rotate <id>')
    .description('make a key with the same scopes; the old one works until the grace period ends')
    .addOption(new Option('--grace <duration>', `such as 1h; at most 7 days`).default('24h'))
    .addOption(expiryOption())
    .addOption(jsonOption())
    .action((given: string, options: Printing & { grace: string; expires?: Date }) =>
      withDatabase(async (database) => {
        const graceMs = grace.read(options.grace)
        if (graceMs === undefined) throw new StartupError(`--grace takes ${grace.expected}.`)
        const id = requireUuid(given, 'a platform key')
        const ends = { graceMs, expiresAt: options.expires ?? null }
        const minted = await rotatePlatformKey(database, id, ends, new Date())
        if (minted === undefined) throw noSuchKey()
        printMinted(options, minted)
      }),
    )
}

function addRevoke(keys: Command): void {
  keys
    .command('revoke <key>')
    .description('make a key worthless at once; given by its id, or the key itself when that has leaked')
    .addOption(jsonOption())
    .action((given: string, options: Printing) =>
      withDatabase(async (database) => {
        const wanted = isPlatformKey(given) ? { key: given } : { id: requireUuid(given, 'a platform key or its') }
        const revoked = await revokePlatformKey(database, wanted, new Date())
        if (revoked === undefined) throw noSuchKey()
        print(options, revoked, `Platform key ${revoked.id} (${revoked.name}) is revoked.`)
      }),
    )
}

const noSuchKey = (): StartupError =>
  new StartupError('There is no such key that works. List them with: parley-server platform-keys list')
