// Puts another cluster into the place of the embedded one, as the files of a backup, and lets PostgreSQL bring it to a
// moment from the write-ahead log that was kept. The cluster that was there is set aside, not removed. Until whoever
// asked for it is done, no server starts on it.

import { access, chown, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../database/startup-error.js'
import { findHome, giveTo, type Home, makeDataFolder, systemFolder } from './embedded-home.js'
import { lockFolder } from './folder-lock.js'
import { writePrivateFile } from './private-file.js'
import { archiveFolder, clusterNumber } from './wal-archive.js'

export interface Replacement {
  readonly dataFolder: string
  readonly walArchive: string
  /** Undefined: as far as the log goes. */
  readonly until: Date | undefined
  /** Also when there is a cluster. */
  readonly force: boolean
  /** Writes the files of the cluster into an empty folder. */
  readonly fill: (folder: string) => Promise<void>
}

const MARK = 'unfinished-restore'

/** Returns where the cluster that was there is kept now. */
export async function replaceCluster(parts: Replacement): Promise<string | undefined> {
  const data = await makeDataFolder(parts.dataFolder)
  const lock = await lockFolder(data.path)
  if (lock.kind === 'held') throw new StartupError(`A server runs on ${data.path}. Stop it first.`)
  try {
    return await replace(await findHome(data, systemFolder), parts)
  } finally {
    await lock.release()
  }
}

async function replace(home: Home, { walArchive, until, force, fill }: Replacement): Promise<string | undefined> {
  const hasCluster = await isThere(join(home.cluster, 'PG_VERSION'))
  const isAgain = await isThere(join(home.folder, MARK))
  if (hasCluster && !force && !isAgain)
    throw new StartupError(`There is a database in ${home.cluster}. Use --force to put the other in its place.`)
  const draft = `${home.cluster}.restored`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  await fill(draft)
  await requestRecovery(draft, walArchive, until)
  await writeFile(join(home.folder, MARK), '', { mode: 0o600 })
  // What a restore that was broken off has left is nothing to keep.
  const kept = hasCluster && !isAgain ? `${home.cluster}.before-${Date.now()}` : undefined
  if (hasCluster) {
    await addLatestWal(home.cluster, draft)
    if (kept === undefined) await rm(home.cluster, { recursive: true, force: true })
    else await rename(home.cluster, kept)
  }
  if (home.account !== undefined) {
    await chown(draft, home.account.uid, home.account.gid)
    await giveTo(home.account, draft)
  }
  await rename(draft, home.cluster)
  return kept
}

/** PostgreSQL removes the signal when it has come there; the settings then say nothing, and are taken back. */
async function requestRecovery(cluster: string, walArchive: string, until: Date | undefined): Promise<void> {
  const folder = archiveFolder(walArchive, await clusterNumber(cluster))
  const settings = [
    `restore_command = 'cp "${folder}/%f" "%p"'`,
    `recovery_target_action = 'promote'`,
    ...(until === undefined
      ? []
      : [`recovery_target_time = '${until.toISOString().replace('T', ' ').replace('Z', '+00')}'`]),
  ]
  const file = join(cluster, 'postgresql.auto.conf')
  await writePrivateFile(file, `${await readFile(file, 'utf8')}\n${settings.join('\n')}\n`)
  await writePrivateFile(join(cluster, 'recovery.signal'), '')
}

/** The end of the log may not have been kept yet; where the old cluster is there, it has it. */
async function addLatestWal(from: string, to: string): Promise<void> {
  if ((await clusterNumber(from)) !== (await clusterNumber(to))) return
  const names = await readdir(join(from, 'pg_wal')).catch(() => [])
  for (const name of names.filter((one) => /^[0-9A-F]{24}$/.test(one)))
    await copyFile(join(from, 'pg_wal', name), join(to, 'pg_wal', name))
}

/** For the superuser of the new cluster. */
export const recoverySettings = ['restore_command', 'recovery_target_action', 'recovery_target_time']

/** Part of every start. */
export async function refuseUnfinished(home: Home): Promise<void> {
  if (await isThere(join(home.folder, MARK)))
    throw new StartupError(
      'A restore of this database was begun and has not ended. Run it again, to its end: it begins anew.',
    )
}

/** The cluster is what it should be: from here on servers may start on it. */
export async function endReplacement(dataFolder: string): Promise<void> {
  const home = await findHome(await makeDataFolder(dataFolder), systemFolder)
  await rm(join(home.folder, MARK), { force: true })
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
