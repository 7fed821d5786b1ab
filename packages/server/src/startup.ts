// What serving and the operator's commands share: reading settings, opening the database, and failing in one plain line.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError, readConfig } from './config.js'
import { isConnectionLoss, openDatabase } from './database/pool.js'
import { writePrivateFile } from './database/private-file.js'
import { StartupError } from './database/startup-error.js'

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

/** Explains what a database that cannot be reached most likely wants. */
export function explainDatabase(error: unknown): unknown {
  if (error instanceof StartupError) return error
  const { code, message } = error as { code?: string; message: string }
  if (isConnectionLoss(error)) {
    return new StartupError(`The database of DATABASE_URL does not answer (${code ?? message}). Is it running, and is the address right?`)
  }
  if (code === '28P01' || code === '28000') return new StartupError(`The database of DATABASE_URL refuses the user or password: ${message}.`)
  if (code === '3D000') return new StartupError(`The database of DATABASE_URL does not exist: ${message}. Create it with createdb.`)
  if (code === '42501') return new StartupError(`The database user may not do what is needed: ${message}. Let it own the database.`)
  if (code === '53100') return new StartupError(`The disk of the database is full: ${message}. Free some space and start again.`)
  return error
}

/** The secret that everything at rest is encrypted with: from the settings, or made once in the data folder. */
export async function secretFor(config: Config): Promise<string> {
  if (config.secret !== undefined) return config.secret
  const file = join(config.dataDir, 'secret')
  const known = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartupError(`Cannot read ${file} (${error.code}). Give this user the right to read it.`)
  })
  if (known !== undefined) {
    if (known.trim().length < 16) throw new StartupError(`${file} is damaged. Restore it from a backup: what is encrypted with it cannot be read without it.`)
    return known.trim()
  }
  const made = randomBytes(32).toString('base64url')
  await writePrivateFile(file, `${made}\n`)
  return made
}
