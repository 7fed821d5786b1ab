// `parley-server keys …`: API keys, for the operator.
import { type AgentWrites, agentWriteModes, type Environment, type Scope, scopes } from '@parley/contract'
import { type Command, Option } from 'commander'
import { StartupError } from '../database/startup-error.js'
import { isKey } from '../http/gate/api-keys.js'
import { type Reaching, urlOption, withOperating } from './operating.js'
import {
  dash,
  jsonOption,
  type Printing,
  print,
  requireName,
  requireOrganization,
  requireUuid,
  table,
} from './operator-database.js'
import type { KeyDetail } from './organizations.js'

type Common = Printing & Reaching

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

interface MintOptions extends Printing, Reaching {
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
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options: MintOptions) =>
      withOperating(options, async (operating) => {
        const environment = environmentOf(options.env)
        const { scope, agentWrites } = options
        const organizationId = requireUuid(options.org)
        const name = requireName(options.name)
        const minted = await operating.mintKey({ organizationId, environment, scope, name, agentWrites })
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
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options: Common & { org: string; env?: EnvironmentWord; all?: boolean }) =>
      withOperating(options, async (operating) => {
        const organizationId = requireUuid(options.org)
        requireOrganization(await operating.showOrganization(organizationId), options.org)
        const environment = options.env && environmentOf(options.env)
        const found = await operating.listKeys({
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
    .option('--org <id>', 'whose key it is; needed with --url')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((given: string, options: Common & { org?: string }) =>
      withOperating(options, async (operating) => {
        const wanted = isKey(given) ? { key: given } : { id: requireUuid(given, 'a key or its') }
        const organizationId = options.org === undefined ? undefined : requireUuid(options.org)
        const revoked = await operating.revokeKey({ ...wanted, organizationId })
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
