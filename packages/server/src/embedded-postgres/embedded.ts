// The database of a server without DATABASE_URL: a real PostgreSQL in the data folder, which starts and stops with the
// server, talks through a private socket only, and heals by itself what a crash has left. It knows nothing of what is
// stored in it.

import { randomBytes } from 'node:crypto'
import { copyFile, readFile, stat, truncate } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '../database/error-code.js'
import { explain, StartupError } from '../database/startup-error.js'
import { type Binaries, findPackage, prepareBinaries } from './embedded-binaries.js'
import { createCluster, hasCluster, requireVersion, setPassword, writeSettings } from './embedded-cluster.js'
import { type DataFolder, findHome, giveTo, type Home, makeDataFolder, ownerOf, systemFolder } from './embedded-home.js'
import { launch, type Postmaster, stopLeftover } from './embedded-postmaster.js'
import { connectionString, makeSocketFolder, removeSocketFolder } from './embedded-socket.js'
import { type Supervision, supervise } from './embedded-supervisor.js'
import { findLockOwner, lockFolder } from './folder-lock.js'
import { writePrivateFile } from './private-file.js'
import { refuseUnfinished } from './replace-cluster.js'

export interface EmbeddedDatabase {
  /** For `pg`, with the socket's folder and the password. */
  url: string
  /** Where the cluster lies. */
  folder: string
  /** Settles when the database has stopped for good: it was told to, or it died and did not come back in time. */
  exited: Promise<void>
  stop(): Promise<void>
}

/**
 * What `database.json` in the data folder says (mode 0600): for the next start, for commands beside the server, and for
 * whoever looks for the cluster.
 */
interface DatabaseRecord {
  folder: string
  url: string
  password: string
  socketFolder: string
  /** The lock of the server that wrote it: the url holds as long as that one does. */
  lock: string
}

const attachWithinMs = 30_000
const restartWithinMsDefault = 60_000
const logBytesMax = 10_000_000
const logCheckMs = 60_000

export interface EmbeddedOptions {
  /** Where the write-ahead log is kept. */
  readonly walArchive?: string | undefined
  /** For whoever restores it, while no server may start on it. */
  readonly isUnfinished?: boolean
}

/** `system` is where the database of a superuser's private folder lies. */
export async function startEmbedded(
  dataFolder: string,
  say: (line: string) => void,
  system = systemFolder,
  restartWithinMs = restartWithinMsDefault,
  options: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> {
  const undo: (() => Promise<void>)[] = []
  try {
    return await start(dataFolder, { say, restartWithinMs }, system, undo, options)
  } catch (error) {
    for (const step of undo.reverse()) await step().catch(() => undefined)
    throw explain(error, resolve(dataFolder))
  }
}

/**
 * The database that a running server keeps in the folder, for a command beside it; undefined when no server runs.
 */
export async function attachEmbedded(dataFolder: string): Promise<{ url: string; folder: string } | undefined> {
  const folder = resolve(dataFolder)
  try {
    for (const deadline = Date.now() + attachWithinMs; Date.now() < deadline; await delay(50)) {
      const owner = await findLockOwner(folder)
      if (owner === undefined) return undefined
      const record = await readRecord(folder)
      if (record?.lock === owner.id) return { url: record.url, folder: record.folder }
    }
  } catch (error) {
    throw explain(error, folder)
  }
  throw new StartupError(`The server that uses ${folder} is still starting its database: try again when it is ready`)
}

async function start(
  dataFolder: string,
  supervision: Supervision,
  system: string,
  undo: (() => Promise<void>)[],
  { walArchive, isUnfinished = false }: EmbeddedOptions,
): Promise<EmbeddedDatabase> {
  const { say } = supervision
  const source = await findPackage()
  const data = await makeDataFolder(dataFolder)
  const lock = await lockOrRefuse(data.path, data.path, undo)
  const home = await findHome(data, system)
  // A copy of the data folder may point to the same home.
  if (home.folder !== join(data.path, 'database')) await lockOrRefuse(home.folder, data.path, undo)
  if (!isUnfinished) await refuseUnfinished(home)
  await stopLeftover(home, say)
  const binaries = await prepareBinaries(source, home)
  if (home.closedFolder !== undefined) say(whereabouts(home, binaries))
  const password = await prepareCluster(data, home, binaries, say)
  await writeSettings(home, walArchive)
  const socketFolder = await makeSocketFolder(home)
  undo.push(() => removeSocketFolder(socketFolder))
  const logFile = join(data.path, 'postgres.log')
  await boundLog(logFile)
  const launchAgain = (signal?: AbortSignal) =>
    launch(binaries, home, { socketFolder, logFile, logOwner: data.owner }, say, signal)
  const postmaster = supervise(await launchAgain(), launchAgain, supervision)
  undo.push(() => postmaster.stop())
  const url = connectionString(socketFolder, password)
  await writeRecord(data, { folder: home.cluster, url, password, socketFolder, lock })
  return keepRunning(postmaster, { url, folder: home.cluster, logFile }, undo)
}

async function lockOrRefuse(folder: string, dataFolder: string, undo: (() => Promise<void>)[]): Promise<string> {
  const attempt = await lockFolder(folder)
  if (attempt.kind === 'taken') {
    undo.push(attempt.release)
    return attempt.id
  }
  const { pid, since } = attempt.owner
  throw new StartupError(
    `Another server (process ${pid}, since ${since}) uses the data folder ${dataFolder}: stop it ` +
      'first, or set PARLEY_DATA_DIR to another folder',
  )
}

function whereabouts(home: Home, binaries: Binaries): string {
  const what = binaries.folder.startsWith(home.folder)
    ? 'The database and a copy of its programs are'
    : 'The database is'
  return (
    `${what} kept in ${home.folder}, because the account ${home.account?.name} that runs it cannot ` +
    `enter ${home.closedFolder}`
  )
}

/**
 * Answers the password. One that was lost with `database.json` is replaced, because the folder's owner may do that
 * anyway.
 */
async function prepareCluster(
  data: DataFolder,
  home: Home,
  binaries: Binaries,
  say: (line: string) => void,
): Promise<string> {
  const record = await readRecord(data.path)
  // In a copied data folder the record still speaks of the original, whose socket may be in use.
  if (record?.folder === home.cluster) await removeSocketFolder(record.socketFolder)
  const isNew = !(await hasCluster(home))
  const password = (isNew ? undefined : record?.password) ?? randomBytes(24).toString('base64url')
  const kept = { folder: home.cluster, url: '', password, socketFolder: '', lock: '' }
  if (isNew) {
    say(`Making the database in ${home.cluster} (once, a few seconds)`)
    // Kept before it is set: were it the other way round, a crash in between would lose it.
    await writeRecord(data, kept)
    await createCluster(binaries, home, password)
    return password
  }
  await requireVersion(home, binaries.major)
  if (home.account !== undefined && (await ownerOf(home.cluster)) !== home.account.uid)
    await giveTo(home.account, home.cluster)
  if (record === undefined) {
    await writeSettings(home)
    await setPassword(binaries, home, password)
    await writeRecord(data, kept)
  }
  return password
}

function keepRunning(
  postmaster: Postmaster,
  { url, folder, logFile }: { url: string; folder: string; logFile: string },
  undo: (() => Promise<void>)[],
): EmbeddedDatabase {
  const check = setInterval(() => void boundLog(logFile).catch(() => undefined), logCheckMs).unref()
  // A server that ends without stopping its database, by process.exit or an uncaught error, still takes it along.
  process.once('exit', postmaster.signalStop)
  let stopping: Promise<void> | undefined
  const stop = async () => {
    clearInterval(check)
    process.off('exit', postmaster.signalStop)
    for (const step of undo.reverse()) await step()
  }
  return { url, folder, exited: postmaster.exited, stop: () => (stopping ??= stop()) }
}

/** PostgreSQL appends, so emptying the file under it is safe; one older part is kept. */
async function boundLog(file: string): Promise<void> {
  const size = (await stat(file).catch(() => undefined))?.size ?? 0
  if (size <= logBytesMax) return
  await copyFile(file, `${file}.1`)
  await truncate(file)
}

async function readRecord(folder: string): Promise<DatabaseRecord | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'database.json'), 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function writeRecord(data: DataFolder, record: DatabaseRecord): Promise<void> {
  await writePrivateFile(join(data.path, 'database.json'), `${JSON.stringify(record, undefined, 2)}\n`, data.owner)
}
