// `parley-server serve`: opens or starts the database, prepares it, serves, and stops in the mirror order.
import type { Logger } from 'pino'
import type { Config } from '../config/config.js'
import type { Database } from '../database/pool.js'
import { openStandbys, type Standbys } from '../database/standbys.js'
import { explain, StartupError } from '../database/startup-error.js'
import { type EmbeddedDatabase, startEmbedded } from '../embedded-postgres/embedded.js'
import { prepareDatabase, startServer } from '../server/server.js'
import { type FirstRun, firstRun } from './first-run.js'
import { createLog, type ProgramLog } from './log.js'
import {
  explainDatabase,
  openPool,
  STATEMENT_TIMEOUT_MS,
  secretFor,
  settingsFromEnvironment,
  withoutPassword,
} from './open-database.js'
import { openShards } from './open-shards.js'

/** What supervisors give a process is 30 s; what is in flight has 12 of them. */
const STOP_MS = 25_000

export async function serve(): Promise<void> {
  const config = settingsFromEnvironment()
  const log = createLog({ level: config.logLevel })
  const undo: Step[] = []
  // Begins when signals are heard.
  const starting = Promise.resolve().then(async () => {
    const embedded = await startDatabase(config, log, undo)
    await start(config, openDatabase(config, embedded, log, undo), log, undo)
    // A start that fails takes its database along, and says itself why.
    void embedded?.exited.then(() => stop('the embedded database died and did not start again', 1))
  })
  const stop = stopOnSignal(undo, log, starting)
  await starting.catch(async (error: unknown) => {
    await unwind(undo, () => undefined)
    throw explain(explainDatabase(error), config.dataDir)
  })
}

async function startDatabase(config: Config, log: Logger, undo: Step[]): Promise<EmbeddedDatabase | undefined> {
  if (config.databaseUrl !== undefined) return undefined
  const say = (line: string) => log.info(line)
  const { dataDir, databaseRestartMs, walArchive } = config
  const embedded = await startEmbedded(dataDir, say, undefined, databaseRestartMs, { walArchive })
  undo.unshift(() => embedded.stop())
  return embedded
}

function openDatabase(config: Config, embedded: EmbeddedDatabase | undefined, log: Logger, undo: Step[]): Database {
  const url = embedded?.url ?? config.databaseUrl ?? ''
  log.info(embedded ? `Database: embedded PostgreSQL in ${embedded.folder}` : `Database: ${withoutPassword(url)}`)
  const database = openPool(url, config.dbPool, (error) => log.warn({ err: error }, 'database connection lost'))
  undo.unshift(() => database.close())
  return database
}

function openReads(config: Config, primary: Database, log: Logger, undo: Step[]): Standbys | undefined {
  if (config.databaseReadUrl === undefined) return undefined
  log.info(`Reads: ${withoutPassword(config.databaseReadUrl)}`)
  const standbys = openStandbys({
    url: config.databaseReadUrl,
    primary,
    waitMs: config.readWaitMs,
    connections: config.dbPool,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    onError: (error) => log.warn({ err: error }, 'connection to a standby lost'),
  })
  undo.unshift(() => standbys.close())
  return standbys
}

async function start(config: Config, database: Database, log: Logger, undo: Step[]): Promise<void> {
  const applied = await prepareDatabase(database)
  if (applied.length > 0) log.info(`Migrations applied: ${applied.join(', ')}`)
  const secret = await secretFor(config, database)
  const onListening = async (url: string) => {
    const first = await firstRun(database, config.dataDir, config.publicUrl ?? url, new Date())
    if (first) announce(first.file, first.run)
  }
  const standbys = openReads(config, database, log, undo)
  const opening = { config, secret, log, prepare: prepareDatabase }
  const shards = await openShards(opening, (shard) => undo.unshift(() => shard.close()))
  const opened = { database, standbys, shards }
  const server = await startServer({ config: { ...config, secret }, ...opened, log, onListening }).catch(
    (error: NodeJS.ErrnoException & { port?: number }) => {
      if (error.code === 'EADDRINUSE') {
        const setting = error.port === config.platformPort ? 'PARLEY_PLATFORM_PORT' : 'PORT'
        throw new StartupError(
          `Port ${error.port ?? config.port} on ${config.host} is in use. ` +
            `Stop what listens there, or set ${setting} to another one.`,
        )
      }
      if (error.code === 'EACCES' || error.code === 'EADDRNOTAVAIL')
        throw new StartupError(
          `Cannot listen on ${config.host}:${config.port} (${error.code}). Set HOST and PORT to an ` +
            'address of this machine.',
        )
      throw error
    },
  )
  undo.unshift(() => server.stop())
  log.info(`Serving ${server.url}/api/v1`)
  if (server.platformUrl) log.info(`Serving ${server.platformUrl}/platform/v1`)
}

/**
 * Keys are shown to a person at a terminal; a log file gets only the path. The link is good once and for a day, and
 * whoever runs this in a container has nothing but the log.
 */
function announce(file: string, { keys, signInUrl }: FirstRun): void {
  if (process.stdout.isTTY)
    console.log(
      `\n  Your keys (shown once, also in ${file}):\n    sandbox     ${keys.test}\n    production  ${keys.live}\n`,
    )
  else console.log(`Your first keys are in ${file}`)
  console.log(`Sign in (this link works once, within 24 hours): ${signInUrl}`)
}

type Step = () => Promise<void>

async function unwind(undo: Step[], onTrouble: (error: unknown) => void): Promise<void> {
  for (let step = undo.shift(); step !== undefined; step = undo.shift()) await step().catch(onTrouble)
}

/**
 * A signal in the middle of starting waits for its end, so that it leaves no database behind either. Returns how to
 * stop for another reason.
 */
function stopOnSignal(
  undo: Step[],
  log: ProgramLog,
  starting: Promise<void>,
): (why: string, code: number) => Promise<void> {
  let isStopping = false
  const stop = async (why: string, code: number) => {
    if (isStopping) return
    isStopping = true
    log.info(`Stopping: ${why}`)
    setTimeout(() => void log.end().then(() => process.exit(1)), STOP_MS).unref()
    await starting.catch(() => undefined)
    await unwind(undo, (error) => log.error({ err: error }, 'stopping went wrong'))
    await log.end()
    process.exit(code)
  }
  process.on('SIGTERM', () => void stop('SIGTERM', 0))
  process.on('SIGINT', () => void stop('SIGINT', 0))
  return stop
}
