// What the operator's commands share: the database they work on, how they print, and how they refuse.
import { Option } from 'commander'
import type { Config } from '../config/config.js'
import type { Database } from '../database/pool.js'
import { StartupError } from '../database/startup-error.js'
import { attachEmbedded, startEmbedded } from '../embedded-postgres/embedded.js'
import { uuidPattern } from '../http/wire-formats.js'
import type { Shards } from '../shards/shards.js'
import { explainDatabase, openPool, settingsFromEnvironment } from './open-database.js'
import { withShards } from './open-shards.js'

export interface Printing {
  readonly json?: boolean
}

export const jsonOption = (): Option => new Option('--json', 'print JSON')

/** `cluster` is where the files of the embedded database are. */
type Use = (database: Database, config: Config, cluster: string | undefined) => Promise<void>

/**
 * The server's database: the configured one, the embedded one of a running server, or the embedded one started for this
 * command.
 */
export async function withDatabase(use: Use, { isUnfinished = false } = {}): Promise<void> {
  const config = settingsFromEnvironment()
  const { databaseUrl, dataDir, walArchive } = config
  const running = databaseUrl === undefined ? await attachEmbedded(dataDir) : { url: databaseUrl, folder: undefined }
  const options = { walArchive, isUnfinished }
  const started = running ? undefined : await startEmbedded(dataDir, () => {}, undefined, undefined, options)
  const database = openPool(running?.url ?? started?.url ?? '', 2, () => {})
  try {
    await use(database, config, running?.folder ?? started?.folder)
  } catch (error) {
    throw isMissingTable(error)
      ? new StartupError('The database is empty. Run parley-server migrate first.')
      : explainDatabase(error)
  } finally {
    await database.close()
    await started?.stop()
  }
}

/** As `withDatabase`, with all servers that organizations live on. */
export const withServers = (use: (shards: Shards, config: Config) => Promise<void>): Promise<void> =>
  withDatabase((database, config) => withShards(database, config, (shards) => use(shards, config)))

/** Loaded when it is needed: most commands are not. */
export const prepare = async (
  database: Database,
  options: { isComplete?: boolean; isUnfinished?: boolean } = {},
): Promise<string[]> => (await import('../server/server.js')).prepareDatabase(database, options)

const isMissingTable = (error: unknown): boolean => (error as { code?: string }).code === '42P01'

export function print({ json }: Printing, value: unknown, text: string): void {
  console.log(json ? JSON.stringify(value) : text)
}

/** Columns as wide as what stands in them. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** What is not there. */
export const dash = (value: string | null | undefined): string => value ?? '-'

export function requireUuid(id: string, what = 'an organization'): string {
  if (!uuidPattern.test(id))
    throw new StartupError(`${id} is not ${what} id; it looks like 01890a5d-ac96-774b-bcce-b302099a8057.`)
  return id.toLowerCase()
}

export function requireName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || trimmed.length > 255) throw new StartupError('A name has 1 to 255 characters.')
  return trimmed
}

export function requireOrganization<T>(found: T | undefined | false, id: string): T {
  if (found === undefined || found === false)
    throw new StartupError(`There is no organization ${id}. List them with: parley-server org list`)
  return found
}
