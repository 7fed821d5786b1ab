// `parley-server org …`: organizations, for the operator.
import { type Command, Option } from 'commander'
import type { Config } from '../config/config.js'
import { rate } from '../config/setting-kinds.js'
import { StartupError } from '../database/startup-error.js'
import type { Limit } from '../http/gate/rate-limit.js'
import { createNamedOrganization, setEnabled, setLimits } from './create-organization.js'
import {
  dash,
  jsonOption,
  type Printing,
  prepare,
  print,
  requireName,
  requireOrganization,
  requireUuid,
  table,
  withDatabase,
} from './operator-database.js'
import { type Limits, listOrganizations, type OrganizationDetail, showOrganization } from './organizations.js'

const LISTED_MAX = 1_000

export function addOrganizationCommands(program: Command): void {
  const org = program.command('org').description('organizations')
  addCreate(org)
  addList(org)
  addShow(org)
  addSwitch(org, 'enable', true)
  addSwitch(org, 'disable', false)
  addLimits(org)
}

function addCreate(org: Command): void {
  org
    .command('create <name>')
    .description('make an organization, with its sandbox and production')
    .option('--force', 'even when another organization has this name')
    .addOption(jsonOption())
    .action((given: string, options: Printing & { force?: boolean }) =>
      withDatabase(async (database) => {
        const name = requireName(given)
        await prepare(database)
        const made = await createNamedOrganization(database, name, new Date(), options.force === true)
        if (made.kind === 'taken') {
          throw new StartupError(
            `Organization ${made.id} is called ${made.name} already. Use it, choose another name, or ` +
              'repeat with --force.',
          )
        }
        print(
          options,
          { organizationId: made.id, name },
          `Organization ${name}: ${made.id}\nNext: parley-server keys mint --org ${made.id} --env test --scope ADMIN`,
        )
      }),
    )
}

function addList(org: Command): void {
  org
    .command('list')
    .description('organizations, the oldest first')
    .option('--name <part>', 'only those whose name has this part')
    .option('--after <id>', 'go on after this one')
    .addOption(
      new Option('--limit <count>', `at most this many, up to ${LISTED_MAX}`).default(100).argParser(readCount),
    )
    .addOption(jsonOption())
    .action((options: Printing & { name?: string; after?: string; limit: number }) =>
      withDatabase(async (database) => {
        const after = options.after === undefined ? undefined : requireUuid(options.after)
        const found = await listOrganizations(database, { name: options.name, after, limit: options.limit + 1 })
        const shown = found.slice(0, options.limit)
        const next = found.length > shown.length ? (shown.at(-1)?.id ?? null) : null
        const rows = shown.map(({ id, name, apiEnabled, activeKeys, createdAt }) => [
          id,
          apiEnabled ? 'yes' : 'no',
          String(activeKeys),
          createdAt,
          name,
        ])
        const text =
          shown.length === 0 ? 'No organizations.' : table(['ID', 'ENABLED', 'KEYS', 'CREATED', 'NAME'], rows)
        print(
          options,
          { organizations: shown, next },
          next === null ? text : `${text}\nMore: repeat with --after ${next}`,
        )
      }),
    )
}

function readCount(written: string): number {
  const count = Number(written)
  if (!Number.isInteger(count) || count < 1 || count > LISTED_MAX)
    throw new StartupError(`--limit takes a whole number from 1 to ${LISTED_MAX}.`)
  return count
}

function addShow(org: Command): void {
  org
    .command('show <id>')
    .description('one organization: its environments, limits and use')
    .addOption(jsonOption())
    .action((id: string, options: Printing) =>
      withDatabase(async (database, config) => {
        const shown = requireOrganization(await showOrganization(database, requireUuid(id)), id)
        print(options, shown, detailText(shown, config))
      }),
    )
}

function detailText(
  { id, name, apiEnabled, createdAt, limits, environments }: OrganizationDetail,
  config: Config,
): string {
  const rows = environments.map((one) => [one.environment, one.tenantId, String(one.activeKeys), dash(one.lastUsedAt)])
  return [
    `Organization  ${name}`,
    `Id            ${id}`,
    `API           ${apiEnabled ? 'enabled' : 'disabled'}`,
    `Created       ${createdAt}`,
    limitsText(limits, config),
    '',
    table(['ENVIRONMENT', 'TENANT', 'KEYS', 'LAST USED'], rows),
  ].join('\n')
}

function limitsText({ read, write }: Limits, { rateLimitRead, rateLimitWrite }: Config): string {
  const line = (own: Limit | undefined, usual: Limit) => {
    const { sustained, burst } = own ?? usual
    return `${sustained} a second, ${burst} at once${own ? '' : ' (setting)'}`
  }
  return `Reads         ${line(read, rateLimitRead)}\nWrites        ${line(write, rateLimitWrite)}`
}

function addSwitch(org: Command, word: string, isEnabled: boolean): void {
  org
    .command(`${word} <id>`)
    .description(`${word} the API for an organization`)
    .addOption(jsonOption())
    .action((id: string, options: Printing) =>
      withDatabase(async (database) => {
        requireOrganization(await setEnabled(database, requireUuid(id), isEnabled), id)
        print(options, { organizationId: id, apiEnabled: isEnabled }, `Organization ${id} is ${word}d.`)
      }),
    )
}

function addLimits(org: Command): void {
  org
    .command('limits <id>')
    .description('rate limits of an organization: shows them, or changes what is given')
    .option('--read <sustained:burst>', 'GET and HEAD')
    .option('--write <sustained:burst>', 'everything else')
    .option('--reset', 'back to the settings of the server')
    .addOption(jsonOption())
    .action((given: string, options: Printing & { read?: string; write?: string; reset?: boolean }) =>
      withDatabase(async (database, config) => {
        const id = requireUuid(given)
        const changes = { read: readLimit('--read', options.read), write: readLimit('--write', options.write) }
        const isChange = options.reset === true || changes.read !== undefined || changes.write !== undefined
        if (isChange) requireOrganization(await setLimits(database, id, changes, options.reset === true), id)
        const { limits } = requireOrganization(await showOrganization(database, id), id)
        print(options, { organizationId: id, limits }, limitsText(limits, config))
      }),
    )
}

function readLimit(option: string, text: string | undefined): Limit | undefined {
  if (text === undefined) return undefined
  const limit = rate.read(text)
  if (limit === undefined) throw new StartupError(`${option} takes sustained:burst, for example 100:200.`)
  return limit
}
