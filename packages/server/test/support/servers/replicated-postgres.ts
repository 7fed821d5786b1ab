// A primary and a standby that streams from it, of the PostgreSQL that the system has: the embedded one comes without
// the program that copies a cluster.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { queryDatabase } from '../empty-database.js'
import { freePort } from '../free-port.js'
import { makeScratchFolder } from '../run/scratch-folder.js'
import { until } from '../until.js'

const run = promisify(execFile)
const bin = [15, 16, 17, 18].map((version) => `/usr/lib/postgresql/${version}/bin`).find((path) => existsSync(path))

/** Why there can be no standby here, or undefined. */
export const whyNoStandby = bin === undefined ? 'there is no PostgreSQL of the system (postgresql-15)' : undefined

export interface ReplicatedPostgres {
  /** Both hosts, the first primary first. */
  readonly url: string
  readonly primaryUrl: string
  readonly standbyUrl: string
  /** Ends the primary and all its processes at once, as a machine without power would. */
  killPrimary(): void
  killStandby(): void
  promote(): Promise<void>
  stop(): Promise<void>
}

const account = (() => {
  if (process.getuid?.() !== 0 || bin === undefined) return {}
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
})()

export async function startReplicated(isSynchronous = true): Promise<ReplicatedPostgres> {
  const folder = await makeScratchFolder('replicated-')
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  for (const each of [one, two]) {
    await mkdir(each, { mode: 0o700 })
    if (account.uid !== undefined) await chown(each, account.uid, account.gid)
  }
  const [port, standbyPort] = [await freePort(), await freePort()]
  const urlOf = (ports: readonly number[]) =>
    `postgresql://parley@${ports.map((each) => `127.0.0.1:${each}`).join(',')}/postgres`
  await call('initdb', ['-D', one, '-U', 'parley', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  const primary = await start(one, port, urlOf([port]))
  const copying = ['-D', two, '-h', '127.0.0.1', '-p', String(port), '-U', 'parley', '-R', '-c', 'fast', '--no-sync']
  await call('pg_basebackup', copying)
  const standby = await start(two, standbyPort, urlOf([standbyPort]))
  if (isSynchronous) {
    await queryDatabase(urlOf([port]), `alter system set synchronous_standby_names = '*'`)
    await queryDatabase(urlOf([port]), 'select pg_reload_conf()')
    await until(
      () => queryDatabase(urlOf([port]), `select 1 from pg_stat_replication where sync_state = 'sync'`),
      (rows) => rows.length === 1,
    )
  }
  return {
    url: urlOf([port, standbyPort]),
    primaryUrl: urlOf([port]),
    standbyUrl: urlOf([standbyPort]),
    killPrimary: () => killTree(primary),
    killStandby: () => killTree(standby),
    promote: async () => void (await call('pg_ctl', ['-D', two, 'promote', '-w'])),
    async stop() {
      for (const server of [primary, standby]) killTree(server)
      // The processes of a killed server may write for a moment yet.
      await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
    },
  }
}

const call = (program: string, args: readonly string[]) => run(join(bin ?? '', program), args, { cwd: '/', ...account })

async function start(data: string, port: number, url: string): Promise<number> {
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${data}`, 'fsync=off']
  const sizes = ['max_connections=100', 'shared_buffers=32MB', 'wal_level=replica']
  const args = ['-D', data, ...[...settings, ...sizes].flatMap((setting) => ['-c', setting])]
  const child = spawn(join(bin ?? '', 'postgres'), args, { cwd: '/', stdio: 'ignore', ...account })
  await until(
    () => queryDatabase(url, 'select 1').catch(() => []),
    (rows) => rows.length === 1,
  )
  return child.pid ?? 0
}

/** The processes of a server that is gone already are none. */
function killTree(pid: number): void {
  const children = (() => {
    try {
      return execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).split('\n')
    } catch {
      return []
    }
  })()
  for (const each of [pid, ...children.map(Number).filter((child) => child > 0)]) {
    try {
      process.kill(each, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}
