// The folder of the embedded database's Unix socket, which only the database's account and the superuser may enter, and
// the connection string that leads there.

import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { databaseName } from './embedded-cluster.js'
import type { Home } from './embedded-home.js'
import { type Account, findClosedFolder } from './unprivileged-account.js'

/** The system allows 108 bytes on Linux and 104 on macOS, with the terminating zero. */
const pathBytesMax = 100
const temporaryPrefix = 'parley-'

/** Made anew at each start: what a crash has left in it could only be in the way. */
export async function makeSocketFolder(home: Home): Promise<string> {
  const inside = join(home.folder, 'socket')
  await rm(inside, { recursive: true, force: true })
  const folder = fits(inside) ? inside : await makeTemporary(home.account)
  if (folder === inside) await mkdir(inside, { mode: 0o700 })
  if (home.account !== undefined) await chown(folder, home.account.uid, home.account.gid)
  return folder
}

export async function removeSocketFolder(folder: string): Promise<void> {
  const isOurs = basename(folder) === 'socket' || basename(folder).startsWith(temporaryPrefix)
  if (isOurs) await rm(folder, { recursive: true, force: true })
}

export function connectionString(socketFolder: string, password: string): string {
  return `postgresql://${databaseName}:${password}@/${databaseName}?host=${encodeURIComponent(socketFolder)}`
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= pathBytesMax
}

/** The temporary folder of the environment may itself be too long, or closed to the account. */
async function makeTemporary(account: Account | undefined): Promise<string> {
  const isOpen = account === undefined || (await findClosedFolder(tmpdir(), account)) === undefined
  const parent = isOpen && fits(join(tmpdir(), `${temporaryPrefix}XXXXXX`)) ? tmpdir() : '/tmp'
  return await mkdtemp(join(parent, temporaryPrefix))
}
