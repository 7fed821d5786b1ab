// The servers of DATABASE_SHARDS: opened, prepared like the first one, and waited for when one is away.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config/config.js'
import { type Database, isConnectionLoss } from '../database/pool.js'
import { StartupError } from '../database/startup-error.js'
import { MAIN, type Shard, type Shards, shardsOf } from '../shards/shards.js'
import { openPool, requireSameSecret } from './open-database.js'

export interface OpeningShards {
  readonly config: Config
  readonly secret: string
  readonly log: Logger
  readonly prepare: (database: Database) => Promise<unknown>
}

const AGAIN_MS = 5_000

/** A node starts although one of these is away: it is prepared when it comes back. Anything else ends the start. */
export async function openShards(opening: OpeningShards, onOpen: (database: Database) => void): Promise<Shard[]> {
  const { config, log } = opening
  return Promise.all(
    (config.shards ?? []).map(async ({ name, url }) => {
      const onError = (error: Error) => log.warn({ err: error, shard: name }, 'database connection lost')
      const database = openPool(url, config.dbPool, onError)
      onOpen(database)
      const isReady = await prepareShard(opening, name, database)
      const prepared = isReady ? Promise.resolve() : prepareLater(opening, name, database)
      return { name, database, prepared }
    }),
  )
}

/** False: it is away. */
async function prepareShard({ prepare, secret }: OpeningShards, name: string, database: Database): Promise<boolean> {
  try {
    await prepare(database)
    await requireSameSecret(database, secret)
    return true
  } catch (error) {
    if (isConnectionLoss(error)) return false
    const why = error instanceof Error ? error.message : String(error)
    throw new StartupError(`The server ${name} of DATABASE_SHARDS cannot be used: ${why}`, { cause: error })
  }
}

async function prepareLater(opening: OpeningShards, name: string, database: Database): Promise<void> {
  opening.log.warn({ shard: name }, 'the server is away; its organizations wait for it')
  for (;;) {
    await sleep(AGAIN_MS, undefined, { ref: false })
    const isReady = await prepareShard(opening, name, database).catch((error: unknown) => {
      opening.log.error({ err: error, shard: name }, 'the server cannot be used')
      return false
    })
    if (isReady) return
  }
}

/** For the operator's commands: nothing is prepared, and whoever is away is met when it is asked. */
export async function withShards(
  database: Database,
  { shards: others = [] }: Config,
  use: (shards: Shards) => Promise<void>,
): Promise<void> {
  const opened = others.map(({ name, url }) => ({ name, database: openPool(url, 2, () => {}) }))
  const shards = shardsOf(
    database,
    opened.map((one) => ({ ...one, prepared: Promise.resolve() })),
  )
  try {
    await use(shards)
  } finally {
    for (const one of opened) await one.database.close()
  }
}

/** A server by its name, as an operator wrote it. */
export function requireShard(shards: Shards, name: string): Shard {
  const found = shards.all.find((shard) => shard.name === name)
  if (found) return found
  throw new StartupError(
    `There is no server ${name}. Known are ${shards.all.map((shard) => shard.name).join(', ')}: ${MAIN} is ` +
      'DATABASE_URL, the others are named by DATABASE_SHARDS.',
  )
}
