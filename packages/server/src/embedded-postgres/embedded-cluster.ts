// The embedded database's cluster on disk: made once, whole or not at all, with its settings written anew at each
// start. It knows nothing of running it.

import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { chown, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../database/startup-error.js'
import type { Binaries } from './embedded-binaries.js'
import { runCommand } from './embedded-command.js'
import type { Home } from './embedded-home.js'
import { writePrivateFile } from './private-file.js'
import { archiveSettings } from './wal-archive.js'

/** Role and database have the same name. */
export const databaseName = 'parley'

const settingsFile = 'parley.conf'

const settings = `# Written at each start. To change a setting, use ALTER SYSTEM, or add it to the end of
# postgresql.conf.
listen_addresses = ''
unix_socket_permissions = 0700
max_connections = 100
shared_buffers = 256MB
max_wal_size = 2GB
fsync = on
full_page_writes = on
synchronous_commit = on
deadlock_timeout = 200ms
idle_in_transaction_session_timeout = 30s
jit = off
password_encryption = 'scram-sha-256'
timezone = 'UTC'
log_timezone = 'UTC'
lc_messages = 'C'
default_text_search_config = 'pg_catalog.simple'
# A statement that fails is answered to the server, which logs it. Here it would only repeat what people have said.
log_min_messages = log
log_min_error_statement = panic
log_checkpoints = off
log_line_prefix = '%m [%p] '
`

const access = '# Only the socket, only with the password.\nlocal all all scram-sha-256\n'

export async function hasCluster(home: Home): Promise<boolean> {
  return (await readVersion(home)) !== undefined
}

export async function requireVersion(home: Home, major: string): Promise<void> {
  const version = await readVersion(home)
  if (version === major) return
  throw new StartupError(
    `The database in ${home.cluster} was made by PostgreSQL ${version}, and this is ${major}: move ` +
      `its contents with pg_dump of PostgreSQL ${version}, or set PARLEY_DATA_DIR to a new folder`,
  )
}

/**
 * It is made beside its place and takes its name last, so that an interrupted attempt leaves nothing that looks like a
 * database.
 */
export async function createCluster(binaries: Binaries, home: Home, password: string): Promise<void> {
  const drafts = (await readdir(home.folder)).filter((name) => name.startsWith('cluster.'))
  for (const name of drafts) await rm(join(home.folder, name), { recursive: true, force: true, maxRetries: 5 })
  // An initdb that outlives its killed server may still write under its own name.
  const draft: Home = { ...home, cluster: `${home.cluster}.${randomBytes(6).toString('hex')}` }
  await mkdir(draft.cluster, { mode: 0o700 })
  if (home.account !== undefined) await chown(draft.cluster, home.account.uid, home.account.gid)
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  // Nobody can log in until the password is set and the rule for it is written.
  await runCommand(
    binaries.initdb,
    ['--pgdata', draft.cluster, '--username', databaseName, '--auth=reject', '--no-instructions', ...locale],
    draft,
  )
  await includeSettings(draft)
  await writeSettings(draft)
  await setPassword(binaries, draft, password)
  await runAlone(binaries, draft, `create database ${databaseName}`)
  await rename(draft.cluster, home.cluster)
}

/** What initdb has found out about this machine stays in force; ours comes after it. */
async function includeSettings(home: Home): Promise<void> {
  const path = join(home.cluster, 'postgresql.conf')
  const text = await readFile(path, { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NOFOLLOW })
  await writePrivateFile(path, `${text}\ninclude '${settingsFile}'\n`, home.account)
}

/** `walArchive` is where the write-ahead log is kept; it is not kept unless that is set. */
export async function writeSettings(home: Home, walArchive?: string): Promise<void> {
  const archiving = walArchive === undefined ? '' : await archiveSettings(home, walArchive)
  await writePrivateFile(join(home.cluster, settingsFile), settings + archiving, home.account)
  await writePrivateFile(join(home.cluster, 'pg_hba.conf'), access, home.account)
}

/** The password has only letters, digits, `-` and `_`. */
export async function setPassword(binaries: Binaries, home: Home, password: string): Promise<void> {
  await runAlone(binaries, home, `alter role ${databaseName} password '${password}'`)
}

/** Single-user mode asks for no password and listens to nobody. */
async function runAlone(binaries: Binaries, home: Home, statement: string): Promise<void> {
  await runCommand(
    binaries.postgres,
    ['--single', '-D', home.cluster, '-c', 'exit_on_error=on', '-c', 'log_min_messages=warning', 'postgres'],
    home,
    `${statement}\n`,
  )
}

async function readVersion(home: Home): Promise<string | undefined> {
  return await readFile(join(home.cluster, 'PG_VERSION'), 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    },
  )
}
