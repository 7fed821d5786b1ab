// Where the embedded database lies and as whom it runs. That is `database` in the data folder; when the server is
// started by the superuser and the unprivileged account cannot enter there, `database` is a symbolic link into a system
// folder.

import {
  chmod,
  chown,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { StartupError } from '../database/startup-error.js'
import { type Account, chooseAccount, findClosedFolder, type Owner } from './unprivileged-account.js'

export interface Home {
  /** Holds the cluster, the folder of its socket and, where one is needed, a copy of the binaries. */
  folder: string
  cluster: string
  /** Undefined when the database runs as the server's own user. */
  account: Account | undefined
  /** The folder that the account cannot enter, when that is why the home lies elsewhere. */
  closedFolder: string | undefined
}

export const systemFolder = process.platform === 'darwin' ? '/var/db/parley' : '/var/lib/parley'

export interface DataFolder {
  path: string
  isNew: boolean
  /**
   * Who gets the files in it: what the superuser starts once must not be lost to the ordinary user whose folder it is.
   */
  owner: Owner
}

/** The folders above are made as the user's umask says: they are not ours to close. */
export async function makeDataFolder(path: string): Promise<DataFolder> {
  const full = resolve(path)
  await mkdir(dirname(full), { recursive: true })
  const isNew = await mkdir(full, { mode: 0o700 }).then(
    () => true,
    async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST' && (await isFolder(full))) return false
      throw error
    },
  )
  const { uid, gid } = await stat(full)
  return { path: await realpath(full), isNew, owner: { uid, gid } }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}

export async function findHome(data: DataFolder, system: string): Promise<Home> {
  const inside = join(data.path, 'database')
  if (process.getuid?.() !== 0) {
    if (!(await exists(inside))) await mkdir(inside, { mode: 0o700 })
    return { ...(await at(inside)), account: undefined, closedFolder: undefined }
  }
  const account = await chooseAccount(await ownerOf(join(inside, 'cluster')))
  if (await exists(inside)) return await keepHome(data, inside, account)
  const closedAbove = await findClosedFolder(dirname(data.path), account)
  if (closedAbove === undefined) await openFor(account, data)
  const closedFolder = closedAbove ?? (await findClosedFolder(data.path, account))
  if (closedFolder !== undefined) await symlink(await makeSystemHome(data, system, account), inside)
  else await makeHome(inside, account)
  return { ...(await at(inside)), account, closedFolder }
}

/** A home that exists stays where it is: moving a database behind its operator's back would be a surprise. */
async function keepHome(data: DataFolder, inside: string, account: Account): Promise<Home> {
  const { folder, cluster } = await at(inside)
  const isElsewhere = folder !== inside
  if (!isElsewhere) await openFor(account, data)
  if ((await stat(folder)).uid === 0) await chown(folder, 0, account.gid)
  const closed = await findClosedFolder(folder, account)
  if (closed !== undefined) {
    throw new StartupError(
      `The account ${account.name}, which runs the database in ${folder}, cannot enter ${closed}: ` +
        `run \`chmod o+x ${closed}\` and start again`,
    )
  }
  return {
    folder,
    cluster,
    account,
    closedFolder: isElsewhere ? await findClosedFolder(data.path, account) : undefined,
  }
}

/**
 * A data folder that this service has made itself lets the account, and nobody else, pass through. Any other is left as
 * its owner wants it.
 */
async function openFor(account: Account, data: DataFolder): Promise<void> {
  const { uid, mode } = await stat(data.path)
  if (uid !== 0 || !(data.isNew || (mode & 0o777) === 0o710)) return
  await chown(data.path, 0, account.gid)
  await chmod(data.path, 0o710)
}

async function makeHome(folder: string, account: Account): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  await chown(folder, 0, account.gid)
  await chmod(folder, 0o710)
}

/** Never the same name twice: a data folder that was removed and made anew must not find the old database. */
async function makeSystemHome(data: DataFolder, system: string, account: Account): Promise<string> {
  await mkdir(system, { recursive: true })
  await chmod(system, 0o755)
  const closed = await findClosedFolder(system, account)
  if (closed !== undefined) {
    throw new StartupError(
      `The account ${account.name}, which runs the database, can enter neither ${data.path} nor ` +
        `${closed}: set PARLEY_DATA_DIR to a folder it can, or set DATABASE_URL`,
    )
  }
  const folder = await mkdtemp(join(system, `${basename(data.path).replace(/^\.+/, '') || 'data'}-`))
  await chown(folder, 0, account.gid)
  await chmod(folder, 0o710)
  await writeFile(join(folder, 'belongs-to'), `${data.path}\n`)
  return folder
}

async function at(inside: string): Promise<{ folder: string; cluster: string }> {
  const folder = await realpath(inside).catch((cause) => {
    throw new StartupError(
      `The database is missing where ${inside} points to: restore it there, ` +
        `or remove that link to begin with an empty one`,
      { cause },
    )
  })
  return { folder, cluster: join(folder, 'cluster') }
}

/** Files restored from a backup, or by another system, may belong to an account that does not exist here. */
export async function giveTo(account: Account, path: string): Promise<void> {
  const stats = await lstat(path)
  await lchown(path, account.uid, account.gid)
  if (!stats.isDirectory()) return
  for (const name of await readdir(path)) await giveTo(account, join(path, name))
}

export async function ownerOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.uid
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  )
}
