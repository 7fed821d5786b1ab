// What serving and the operator's commands share: reading settings, opening the database, and failing in one plain
// line.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError, readConfig } from '../config/config.js'
import { hostsOf } from '../database/hosts.js'
import { type Database, isConnectionLoss, openDatabase } from '../database/pool.js'
import { sql } from '../database/sql.js'
import { StartupError } from '../database/startup-error.js'
import { writePrivateFile } from '../embedded-postgres/private-file.js'
import { createSealer, type Sealer } from '../store/secret-box.js'

export const STATEMENT_TIMEOUT_MS = 2_000

/** Expected trouble is said in a line; only what nobody expected shows where it happened. */
export function failPlainly(error: unknown): never {
  if (error instanceof ConfigError) for (const problem of error.problems) console.error(problem)
  else if (error instanceof StartupError) console.error(error.message)
  else console.error(error)
  process.exit(1)
}

export const settingsFromEnvironment = (): Config => readConfig()

export function openPool(url: string, connections: number, onError: (error: Error) => void) {
  return openDatabase({ url, connections, statementTimeoutMs: STATEMENT_TIMEOUT_MS, onError })
}

/** A connection URL as a log may show it. */
export function withoutPassword(url: string): string {
  const shown = (hostsOf(url)?.urls ?? [url]).map((one) => {
    const { protocol, username, host, pathname } = new URL(one.replace('@/', '@socket/'))
    return `${protocol}//${username ? `${username}@` : ''}${host}${pathname}`
  })
  return shown.join(', ')
}

/** Explains what a database that cannot be reached most likely wants. */
export function explainDatabase(error: unknown): unknown {
  if (error instanceof StartupError) return error
  const { code, message } = error as { code?: string; message: string }
  if (isConnectionLoss(error)) {
    return new StartupError(
      `The database of DATABASE_URL does not answer (${code ?? message}). Is it running, and is the address right?`,
    )
  }
  if (code === '28P01' || code === '28000')
    return new StartupError(`The database of DATABASE_URL refuses the user or password: ${message}.`)
  if (code === '3D000')
    return new StartupError(`The database of DATABASE_URL does not exist: ${message}. Create it with createdb.`)
  if (code === '42501')
    return new StartupError(`The database user may not do what is needed: ${message}. Let it own the database.`)
  if (code === '53100')
    return new StartupError(`The disk of the database is full: ${message}. Free some space and start again.`)
  return error
}

/**
 * The secret that everything at rest is encrypted with: from the settings, or made once in the data folder. It must be
 * the one that the database was begun with, so it is asked for once the migrations are applied.
 */
export async function secretFor(config: Config, database: Database): Promise<string> {
  const file = join(config.dataDir, 'secret')
  const secret = config.secret ?? (await secretIn(file)) ?? (await newSecretIn(file, database))
  await requireSecret(database, createSealer(secret), config.secret === undefined ? file : undefined)
  return secret
}

/** The secret of a database that is somewhere else yet. None is made for it. */
export async function knownSecret(config: Config): Promise<string> {
  const file = join(config.dataDir, 'secret')
  const secret = config.secret ?? (await secretIn(file))
  if (secret !== undefined) return secret
  throw new StartupError(
    `The secret is not known, and it is not in the backup. Set PARLEY_SECRET, or put the file it was in at ${file}.`,
  )
}

async function secretIn(file: string): Promise<string | undefined> {
  const known = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartupError(`Cannot read ${file} (${error.code}). Give this user the right to read it.`)
  })
  if (known !== undefined && known.trim().length < 16) {
    throw new StartupError(
      `${file} is damaged. Restore it from a backup: what is encrypted with it cannot be read without it.`,
    )
  }
  return known?.trim()
}

async function newSecretIn(file: string, database: Database): Promise<string> {
  if ((await readCanary(database)) !== undefined) {
    throw new StartupError(
      `${file} is missing, and the database is encrypted with the secret it held. Restore the file ` +
        'from a backup, or set PARLEY_SECRET to that secret. Lost for good: parley-server secret reset.',
    )
  }
  const made = randomBytes(32).toString('base64url')
  await writePrivateFile(file, `${made}\n`)
  return made
}

/** Of nodes that start together on a new database one writes the canary, and all of them open that one. */
async function requireSecret(database: Database, sealer: Sealer, file: string | undefined): Promise<void> {
  const known = await readCanary(database)
  if (known === undefined)
    await database.query(
      sql`insert into secret_canary (sealed) values (${sealer.seal('canary')}) on conflict do nothing`,
    )
  const sealed = known ?? (await readCanary(database))
  try {
    if (sealed !== undefined) sealer.open(sealed)
  } catch {
    throw new StartupError(
      file === undefined
        ? 'PARLEY_SECRET is not the secret that this database is encrypted with. Set it to the old one again.'
        : `The secret in ${file} is not the one that this database is encrypted with. Restore the file ` +
            'from a backup, or set PARLEY_SECRET to the old secret.',
    )
  }
}

/** That a further server is encrypted with the same secret, because rows move between them. */
export const requireSameSecret = (database: Database, secret: string): Promise<void> =>
  requireSecret(database, createSealer(secret), undefined)

async function readCanary(database: Database): Promise<Buffer | undefined> {
  const [row] = await database.query<{ sealed: Buffer }>(sql`select sealed from secret_canary`)
  return row?.sealed
}
