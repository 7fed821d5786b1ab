// `parley-server org …`: organizations, for the operator.
import { type Command, Option } from 'commander'
import type { Config } from '../config/config.js'
import { rate } from '../config/setting-kinds.js'
import { StartupError } from '../database/startup-error.js'
import type { Limit } from '../http/gate/rate-limit.js'
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
import { addMoveCommands } from './operator-moves.js'
import type { Limits, OrganizationDetail } from './organizations.js'

type Common = Printing & Reaching

const LISTED_MAX = 1_000

export function addOrganizationCommands(program: Command): void {
  const org = program.command('org').alias('organizations').description('organizations')
  addCreate(org)
  addList(org)
  addShow(org)
  addSwitch(org, 'enable', true)
  addSwitch(org, 'disable', false)
  addLimits(org)
  addMoveCommands(org)
}

function addCreate(org: Command): void {
  org
    .command('create <name>')
    .description('make an organization, with its sandbox and production')
    .option('--force', 'even when another organization has this name')
    .option('--shard <name>', 'the server it lives on; without this, the one with the least in it')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((given: string, options: Common & { force?: boolean; shard?: string }) =>
      withOperating(options, async (operating) => {
        const name = requireName(given)
        const made = await operating.createOrganization(name, options.force === true, options.shard)
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
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options: Common & { name?: string; after?: string; limit: number }) =>
      withOperating(options, async (operating) => {
        const after = options.after === undefined ? undefined : requireUuid(options.after)
        const found = await operating.listOrganizations({ name: options.name, after, limit: options.limit + 1 })
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
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((given: string, options: Common) =>
      withOperating(options, async (operating, config) => {
        const id = requireUuid(given)
        const shown = requireOrganization(await operating.showOrganization(id), given)
        const shard = await operating.homeOf(id)
        const text = detailText(shown, config)
        if (shard === undefined) print(options, shown, text)
        else print(options, { ...shown, shard }, `${text}\n\nServer        ${shard}`)
      }),
    )
}

function detailText(
  { id, name, apiEnabled, createdAt, limits, environments }: OrganizationDetail,
  config: Config | undefined,
): string {
  const rows = environments.map((one) => [
    one.environment,
    dash(one.tenantId),
    String(one.activeKeys),
    dash(one.lastUsedAt),
  ])
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

function limitsText({ read, write, items }: Limits, settings: Config | undefined): string {
  const line = (own: Limit | undefined, usual: Limit | undefined) => {
    const limit = own ?? usual
    if (limit === undefined) return 'as the server is set'
    return `${limit.sustained} a second, ${limit.burst} at once${own ? '' : ' (setting)'}`
  }
  return [
    `Reads         ${line(read, settings?.rateLimitRead)}`,
    `Writes        ${line(write, settings?.rateLimitWrite)}`,
    `Items         ${line(items, settings?.rateLimitBatch)}`,
  ].join('\n')
}

function addSwitch(org: Command, word: string, isEnabled: boolean): void {
  org
    .command(`${word} <id>`)
    .description(`${word} the API for an organization`)
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((id: string, options: Common) =>
      withOperating(options, async (operating) => {
        requireOrganization(await operating.setEnabled(requireUuid(id), isEnabled), id)
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
    .option('--items <sustained:burst>', 'items of batches')
    .option('--reset', 'back to the settings of the server')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((given: string, options: Common & { read?: string; write?: string; items?: string; reset?: boolean }) =>
      withOperating(options, async (operating, config) => {
        const id = requireUuid(given)
        const changes = {
          read: readLimit('--read', options.read),
          write: readLimit('--write', options.write),
          items: readLimit('--items', options.items),
        }
        const isChange = options.reset === true || Object.values(changes).some((limit) => limit !== undefined)
        if (isChange) requireOrganization(await operating.setLimits(id, changes, options.reset === true), id)
        const { limits } = requireOrganization(await operating.showOrganization(id), id)
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
