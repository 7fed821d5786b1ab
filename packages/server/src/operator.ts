// The operator's commands. They work on the same database as a running server, beside it.
import type { Environment, Scope } from '@parley/contract'
import { scopes } from '@parley/contract'
import { type Command, Option } from 'commander'
import { attachEmbedded, startEmbedded } from './database/embedded.js'
import type { Database } from './database/pool.js'
import { StartupError } from './database/startup-error.js'
import type { Limit } from './http/rate-limit.js'
import { uuidPattern } from './http/values.js'
import { prepareDatabase } from './server.js'
import { rate } from './setting-kinds.js'
import { createOrganization, mintKeyFor, setEnabled, setLimits } from './setup.js'
import { explainDatabase, openPool, settingsFromEnvironment } from './startup.js'
import { newId } from './store/id.js'

const json = new Option('--json', 'print JSON')

export function addOperatorCommands(program: Command): void {
  addMigrate(program)
  addOrganizations(program)
  addKeys(program)
}

function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to this version')
    .addOption(json)
    .action((options: { json?: boolean }) =>
      withDatabase(async (database) => {
        const applied = await prepareDatabase(database, { isComplete: true })
        print(options, { applied }, applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'Nothing to do.')
      }),
    )
}

function addOrganizations(program: Command): void {
  const org = program.command('org').description('organizations')
  org
    .command('create <name>')
    .description('make an organization with both sides enabled')
    .addOption(json)
    .action((name: string, options: { json?: boolean }) =>
      withDatabase(async (database) => {
        await prepareDatabase(database)
        const now = new Date()
        const id = newId(now)
        await createOrganization(database, { id, name: requireName(name) }, now)
        print(options, { organizationId: id, name }, `Organization ${name}: ${id}\nNext: parley-server keys mint --org ${id} --env test --scope ADMIN`)
      }),
    )
  for (const [word, isEnabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    org
      .command(`${word} <id>`)
      .description(`${word} the API for an organization`)
      .addOption(json)
      .action((id: string, options: { json?: boolean }) =>
        withDatabase(async (database) => {
          requireFound(await setEnabled(database, requireUuid(id), isEnabled), id)
          print(options, { organizationId: id, apiEnabled: isEnabled }, `Organization ${id} is ${word}d.`)
        }),
      )
  }
  org
    .command('limits <id>')
    .description('rate limits of an organization; what is not given follows the settings')
    .option('--read <sustained:burst>', 'GET and HEAD')
    .option('--write <sustained:burst>', 'everything else')
    .addOption(json)
    .action((id: string, options: { read?: string; write?: string; json?: boolean }) =>
      withDatabase(async (database) => {
        const limits = { read: readLimit('--read', options.read), write: readLimit('--write', options.write) }
        requireFound(await setLimits(database, requireUuid(id), limits), id)
        print(options, { organizationId: id, limits }, `Limits of ${id} are set.`)
      }),
    )
}

function addKeys(program: Command): void {
  program
    .command('keys')
    .description('API keys')
    .command('mint')
    .description('make a key; it is printed once')
    .requiredOption('--org <id>', 'organization')
    .addOption(new Option('--env <side>', 'side').choices(['test', 'live']).makeOptionMandatory())
    .addOption(new Option('--scope <scope>', 'scope').choices([...scopes]).makeOptionMandatory())
    .option('--name <name>', 'what it is for', 'Minted by the operator')
    .addOption(json)
    .action((options: { org: string; env: 'test' | 'live'; scope: Scope; name: string; json?: boolean }) =>
      withDatabase(async (database) => {
        const side: Environment = options.env === 'test' ? 'sandbox' : 'production'
        const key = await mintKeyFor(database, requireUuid(options.org), side, options.scope, requireName(options.name), new Date())
        requireFound(key !== undefined, options.org)
        print(options, { key, scope: options.scope, environment: side }, key ?? '')
      }),
    )
}

/** The server's database: the configured one, the embedded one of a running server, or the embedded one started for this command. */
async function withDatabase(use: (database: Database) => Promise<void>): Promise<void> {
  const config = settingsFromEnvironment()
  const running = config.databaseUrl === undefined ? await attachEmbedded(config.dataDir) : { url: config.databaseUrl }
  const started = running ? undefined : await startEmbedded(config.dataDir, () => {})
  const database = openPool(running?.url ?? started?.url ?? '', 2, () => {})
  try {
    await use(database)
  } catch (error) {
    throw isMissingTable(error) ? new StartupError('The database is empty. Run parley-server migrate first.') : explainDatabase(error)
  } finally {
    await database.close()
    await started?.stop()
  }
}

const isMissingTable = (error: unknown): boolean => (error as { code?: string }).code === '42P01'

function print(options: { json?: boolean }, value: unknown, text: string): void {
  console.log(options.json ? JSON.stringify(value) : text)
}

function requireFound(isFound: boolean, id: string): void {
  if (!isFound) throw new StartupError(`There is no organization ${id}.`)
}

function requireUuid(id: string): string {
  if (!uuidPattern.test(id)) throw new StartupError(`${id} is not an organization id; it looks like 01890a5d-ac96-774b-bcce-b302099a8057.`)
  return id
}

function requireName(name: string): string {
  if (name.trim() === '' || name.length > 255) throw new StartupError('A name has 1 to 255 characters.')
  return name
}

function readLimit(option: string, text: string | undefined): Limit | undefined {
  if (text === undefined) return undefined
  const limit = rate.read(text)
  if (limit === undefined) throw new StartupError(`${option} takes sustained:burst, for example 100:200.`)
  return limit
}
