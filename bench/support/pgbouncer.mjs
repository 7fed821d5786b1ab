// A PgBouncer in transaction mode in front of a benchmark's database. `PGBOUNCER` names the program, 1.21 or later;
// `scripts/pgbouncer.sh` finds or builds one.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const program = process.env.PGBOUNCER ?? 'pgbouncer'

export function requirePgBouncer() {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  if (Number(/PgBouncer 1\.(\d+)/.exec(stdout ?? '')?.[1] ?? 0) >= 21) return
  console.error('This benchmark needs PgBouncer 1.21 or later: PGBOUNCER=$(scripts/pgbouncer.sh) node bench/nodes.mjs')
  process.exit(1)
}

export async function startPgBouncer(databaseUrl, serverConnections) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-pgbouncer-'))
  const port = await freePort()
  const { host, port: serverPort, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const lines = [
    '[databases]',
    `${database} = host=${host} port=${serverPort} user=${user} password=${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${serverConnections}`,
    'max_client_conn = 500',
    'max_prepared_statements = 500',
  ]
  await writeFile(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`)
  // It refuses to be root, and the folder of the socket is open to its owner alone.
  const { uid, gid } = await stat(host)
  const isRoot = process.getuid?.() === 0
  if (isRoot) spawnSync('chown', ['-R', `${uid}:${gid}`, folder])
  const child = spawn(program, [join(folder, 'pgbouncer.ini')], { stdio: 'ignore', ...(isRoot && { uid, gid }) })
  process.on('exit', () => child.kill('SIGKILL'))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const url = `postgresql://${user}@127.0.0.1:${port}/${database}`
  await untilServing(url)
  return {
    url,
    pid: child.pid,
    async stop() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilServing(url) {
  for (let left = 100; ; left--) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (left === 0) throw error
      await sleep(100)
    }
  }
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
