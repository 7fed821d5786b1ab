// A real PgBouncer in transaction mode in front of a database, with few connections to it. `PGBOUNCER` names the program,
// 1.21 or later; `scripts/pgbouncer.sh` finds or builds one.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../free-port.js'
import { makeScratchFolder } from '../run/scratch-folder.js'
import { until } from '../until.js'

const program = process.env['PGBOUNCER'] ?? 'pgbouncer'

/** Why there is none that will do, or undefined. */
export const whyNoPgBouncer = ((): string | undefined => {
  try {
    const [, minor = '0'] = /PgBouncer 1\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? []
    return Number(minor) >= 21 ? undefined : `${program} is older than 1.21`
  } catch {
    return `there is no ${program}`
  }
})()

export interface PgBouncer {
  readonly url: string
  stop(): Promise<void>
}

export async function startPgBouncer(databaseUrl: string, serverConnections: number): Promise<PgBouncer> {
  const folder = await makeScratchFolder('pgbouncer-')
  const port = await freePort()
  const { host, port: serverPort, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
${database} = host=${host} port=${serverPort} user=${user}${password ? ` password=${password}` : ''}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${serverConnections}
max_client_conn = 500
max_prepared_statements = 200
`,
  )
  await chmod(file, 0o644)
  const child = spawn(program, [file], { stdio: 'ignore', ...(await accountFor(host)) })
  const closed = once(child, 'close')
  const url = `postgresql://${user}@127.0.0.1:${port}/${database}`
  await until(
    () => isServing(url),
    (is) => is,
  ).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await closed
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** It refuses to be root; the folder of a socket is open to its owner alone. */
async function accountFor(host: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const { uid, gid } = host.startsWith('/') ? await stat(host) : { uid: 65534, gid: 65534 }
  return { uid, gid }
}

async function isServing(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
