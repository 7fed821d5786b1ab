// `parley-server keys …`: API keys, for the operator.
import { type AgentWrites, agentWriteModes, type Environment, type Scope, scopes } from '@parley/contract'
import { type Command, Option } from 'commander'
import { StartupError } from '../database/startup-error.js'
import { isKey } from '../http/gate/api-keys.js'
import { mintKeyFor } from './create-organization.js'
import {
  dash,
  jsonOption,
  type Printing,
  print,
  requireName,
  requireOrganization,
  requireUuid,
  table,
  withDatabase,
} from './operator-database.js'
import { type KeyDetail, listKeys, revokeKey, showOrganization } from './organizations.js'

type EnvironmentWord = 'test' | 'live'

const environmentOf = (word: EnvironmentWord): Environment => (word === 'test' ? 'sandbox' : 'production')
const environmentOption = (): Option =>
  new Option('--env <environment>', 'test for the sandbox, live for production').choices(['test', 'live'])

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('API keys')
  addMint(keys)
  addList(keys)
  addRevoke(keys)
}

interface MintOptions extends Printing {
  readonly org: string
  readonly env: EnvironmentWord
  readonly scope: Scope
  readonly name: string
  readonly agentWrites: AgentWrites
}

function addMint(keys: Command): void {
  keys
    .command('mint')
    .description('make a key; it is printed once')
    .requiredOption('--org <id>', 'organization')
    .addOption(environmentOption().makeOptionMandatory())
    .addOption(new Option('--scope <scope>', 'scope').choices([...scopes]).makeOptionMandatory())
    .option('--name <name>', 'what it is for', 'Minted by the operator')
    .addOption(
      new Option('--agent-writes <mode>', 'what an agent may do with it at /mcp')
        .choices([...agentWriteModes])
        .default('propose'),
    )
    .addOption(jsonOption())
    .action((options: MintOptions) =>
      withDatabase(async (database) => {
        const environment = environmentOf(options.env)
        const minted = await mintKeyFor(
          database,
          requireUuid(options.org),
          environment,
          options.scope,
          requireName(options.name),
          new Date(),
          options.agentWrites,
        )
        const key = requireOrganization(minted, options.org)
        print(options, { key, scope: options.scope, environment }, key)
      }),
    )
}

function addList(keys: Command): void {
  keys
    .command('list')
    .description('keys of an organization that work, newest first; the keys themselves are known to nobody')
    .requiredOption('--org <id>', 'organization')
    .addOption(environmentOption())
    .option('--all', 'revoked and expired ones too')
    .addOption(jsonOption())
    .action((options: Printing & { org: string; env?: EnvironmentWord; all?: boolean }) =>
      withDatabase(async (database) => {
        const organizationId = requireUuid(options.org)
        requireOrganization(await showOrganization(database, organizationId), options.org)
        const environment = options.env && environmentOf(options.env)
        const found = await listKeys(database, {
          organizationId,
          environment,
          isAll: options.all === true,
          now: new Date(),
        })
        print(options, { keys: found }, found.length === 0 ? 'No keys.' : table(keyHead, found.map(keyRow)))
      }),
    )
}

const keyHead = ['ID', 'KEY', 'SCOPE', 'LAST USED', 'EXPIRES', 'REVOKED', 'NAME']

const keyRow = (key: KeyDetail): string[] => [
  key.id,
  `${key.prefix}…${key.last4}`,
  key.scope,
  dash(key.lastUsedAt),
  dash(key.expiresAt),
  dash(key.revokedAt),
  key.name,
]

function addRevoke(keys: Command): void {
  keys
    .command('revoke <key>')
    .description(
      'make a key worthless, on every node within a second; given by its id, or the key itself when that has leaked',
    )
    .addOption(jsonOption())
    .action((given: string, options: Printing) =>
      withDatabase(async (database) => {
        const wanted = isKey(given) ? { key: given } : { id: requireUuid(given, 'a key or its') }
        const revoked = await revokeKey(database, wanted, new Date())
        if (revoked === undefined)
          throw new StartupError('There is no such key. List them with: parley-server keys list --org <id>')
        const { id, name, revokedAt, wasRevoked } = revoked
        print(
          options,
          { id, name, revokedAt },
          `Key ${id} (${name}) ${wasRevoked ? `was revoked already, at ${revokedAt}` : 'is revoked'}.`,
        )
      }),
    )
}
