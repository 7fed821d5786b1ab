// `parley-server organizations move` and `moves`: organizations that go to another server while they are used.
import type { Command } from 'commander'
import type { Config } from '../config/config.js'
import type { Database } from '../database/pool.js'
import { StartupError } from '../database/startup-error.js'
import { fanOutBrought } from '../delivery/queue/fan-out.js'
import { giveUp } from '../shards/clean-up.js'
import { homeOf } from '../shards/homes.js'
import { describeMove, moveOrganization, type Wanted } from '../shards/move-organization.js'
import { findMove, listMoves, type RegisteredMove } from '../shards/move-register.js'
import { MAIN, type Shards } from '../shards/shards.js'
import { requireShard } from './open-shards.js'
import { dash, jsonOption, type Printing, print, requireUuid, table, withServers } from './operator-database.js'

export function addMoveCommands(org: Command): void {
  addMove(org)
  addMoves(org)
}

interface MoveOptions extends Printing {
  readonly to?: string
  readonly cancel?: boolean
  readonly sourceUrl?: string
}

function addMove(org: Command): void {
  org
    .command('move <id>')
    .description('take an organization to another server while it is used; the same command goes on with a move')
    .option('--to <shard>', 'the server it goes to')
    .option('--cancel', 'give up a move that has not switched yet')
    .option('--source-url <url>', 'how the server it goes to reaches the one it leaves, where that is another address')
    .addOption(jsonOption())
    .action((given: string, options: MoveOptions) =>
      withServers((shards, config) => {
        const id = requireUuid(given)
        return alone(shards.main.database, id, () =>
          options.cancel ? cancel(shards, config, id, options) : move(shards, config, id, options),
        )
      }),
    )
}

async function move(shards: Shards, config: Config, organizationId: string, options: MoveOptions): Promise<void> {
  if (options.to === undefined) throw new StartupError('Say where it goes: --to <shard>')
  const target = requireShard(shards, options.to).name
  const wanted = wantedOf(config, organizationId, target, options)
  const pausedMs = await moveOrganization(shards, wanted)
  print(
    options,
    { organizationId, shard: target, pausedMs },
    `Organization ${organizationId} lives on ${target}. Writes waited for ${dash(pausedMs?.toString())} ms.`,
  )
}

async function cancel(shards: Shards, config: Config, organizationId: string, options: MoveOptions): Promise<void> {
  const known = await findMove(shards.main.database, organizationId)
  if (known === undefined || known.phase === 'done')
    throw new StartupError(`Organization ${organizationId} is not being moved.`)
  if ((await homeOf(shards.main.database, organizationId)) === known.target)
    throw new StartupError(`It lives on ${known.target} by now. End the move with: --to ${known.target}`)
  const wanted = wantedOf(config, organizationId, known.target, options)
  await giveUp(await describeMove(shards, wanted, known.source))
  print(options, { organizationId, shard: known.source }, `Organization ${organizationId} stays on ${known.source}.`)
}

const wantedOf = (config: Config, organizationId: string, target: string, options: MoveOptions): Wanted => ({
  organizationId,
  target,
  urlOf: (shard) =>
    options.sourceUrl ??
    (shard === MAIN ? config.databaseUrl : config.shards?.find(({ name }) => name === shard)?.url) ??
    '',
  say: (line) => console.error(line),
  fanOut: fanOutBrought,
})

const PING_MS = 5_000

/** Two movers of one organization would be in each other's way. The lock ends with whoever holds it. */
async function alone(directory: Database, organizationId: string, work: () => Promise<void>): Promise<void> {
  await directory.withClient(async (client) => {
    await client.query('begin')
    const { rows } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended('move ' || $1, 0)) as taken`,
      [organizationId],
    )
    if (!rows[0]?.taken) throw new StartupError(`Somebody else is moving organization ${organizationId} right now.`)
    // A transaction that does nothing for long may be ended by the server.
    const ping = setInterval(() => void client.query('select 1').catch(() => undefined), PING_MS)
    try {
      await work()
    } finally {
      clearInterval(ping)
    }
  })
}

function addMoves(org: Command): void {
  org
    .command('moves')
    .description('organizations that are being moved, and how the latest moves went')
    .addOption(jsonOption())
    .action((options: Printing) =>
      withServers(async ({ main }) => {
        const moves = await listMoves(main.database)
        const text = moves.length === 0 ? 'No moves.' : table(moveHead, moves.map(moveRow))
        print(options, { moves }, text)
      }),
    )
}

const moveHead = ['ORGANIZATION', 'FROM', 'TO', 'PHASE', 'STARTED', 'CHANGED', 'PAUSED MS']

const moveRow = (one: RegisteredMove): string[] => [
  one.organizationId,
  one.source,
  one.target,
  one.phase,
  one.startedAt.toISOString(),
  one.changedAt.toISOString(),
  dash(one.pausedMs?.toString()),
]
