// The write-ahead log of the embedded database, kept file by file in a folder as it is written, so that the database
// can be brought to any moment since a backup. Each cluster has a folder of its own in it, named by the cluster's
// number.

import { chown, mkdir, open, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../database/error-code.js'
import { StartupError } from '../database/startup-error.js'
import type { Home } from './embedded-home.js'
import { type Account, findClosedFolder } from './unprivileged-account.js'

/** The files of the log have 24 digits; others tell of backups and of timelines. */
const segmentPattern = /^[0-9A-F]{24}$/

/** Makes the folder, and returns the settings that fill it. */
export async function archiveSettings(home: Home, archive: string): Promise<string> {
  const folder = archiveFolder(archive, await clusterNumber(home.cluster))
  if (/['"\\%\n]/.test(folder))
    throw new StartupError(`PARLEY_WAL_ARCHIVE is ${folder}; expected a path without quotes, backslashes and %`)
  await mkdir(dirname(archive), { recursive: true })
  for (const each of [archive, folder]) await makePrivate(each, home.account)
  if (home.account !== undefined) {
    const closed = await findClosedFolder(folder, home.account)
    if (closed !== undefined)
      throw new StartupError(
        `The account ${home.account.name}, which runs the database, cannot enter ${closed} on the way to ` +
          'PARLEY_WAL_ARCHIVE: let it, or set PARLEY_WAL_ARCHIVE to another folder',
      )
  }
  // A file takes its name when it is on the disk. One that has it is the same, and was kept before a crash.
  const kept = `"${folder}/%f"`
  const command =
    `test -f ${kept} || ` +
    `(dd if="%p" of="${folder}/%f.new" bs=1048576 conv=fsync 2>/dev/null && mv "${folder}/%f.new" ${kept})`
  return `archive_mode = on\narchive_timeout = 60s\narchive_command = '${command}'\n`
}

/** A folder that is there stays as its owner wants it. */
async function makePrivate(folder: string, account: Account | undefined): Promise<void> {
  const isNew = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    (error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
      return false
    },
  )
  if (isNew && account !== undefined) await chown(folder, account.uid, account.gid)
}

export const archiveFolder = (archive: string, cluster: string): string => join(archive, cluster)

/** What PostgreSQL calls the system identifier: its control file begins with it. */
export async function clusterNumber(cluster: string): Promise<string> {
  const file = await open(join(cluster, 'global', 'pg_control'), 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0)
    return buffer.readBigUInt64LE().toString()
  } finally {
    await file.close()
  }
}

/** Removes what is older than a file that is still needed, on every timeline. Returns how many files went. */
export async function removeOldWal(archive: string, cluster: string, firstNeeded: string): Promise<number> {
  const folder = archiveFolder(archive, cluster)
  const placeOf = (name: string) => name.slice(8, 24)
  const old = (await readdir(folder).catch(() => [])).filter(
    (name) => segmentPattern.test(name.slice(0, 24)) && placeOf(name) < placeOf(firstNeeded),
  )
  for (const name of old) await rm(join(folder, name), { force: true })
  return old.length
}
