// The embedded database with the real binaries; every test starts and stops clusters. The superuser's cases run when
// the tests are the superuser's; an ordinary user's cases run either way, then under another account.

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { StartupError } from '../../src/database/startup-error.js'
import { attachEmbedded } from '../../src/embedded-postgres/embedded.js'
import {
  isRoot,
  isRunning,
  kill,
  makeCheckout,
  newFolder,
  ordinary,
  packageName,
  postgresPid,
  prepareServers,
  query,
  runsAs,
  serve,
  start,
} from '../support/servers/embedded-server.js'

prepareServers()

describe('a data folder', () => {
  it('gets a PostgreSQL 18 in it that is private, durable and set up for the service', async () => {
    const data = newFolder()
    const said: string[] = []
    const database = await start(data, (line) => said.push(line))
    expect(said.join()).toContain(database.folder)
    expect(database.folder.startsWith(data)).toBe(true)
    const [row] = await query(
      database.url,
      `select current_setting('server_version_num')::int / 10000 as major, current_setting('listen_addresses') as listens, current_setting('fsync') as fsync,
        current_setting('timezone') as zone, current_setting('server_encoding') as encoding, lower('ÄΣ') as folded, 'a' < 'B' as dictionary_order`,
    )
    expect(row).toEqual({
      major: 18,
      listens: '',
      fsync: 'on',
      zone: 'UTC',
      encoding: 'UTF8',
      folded: 'äσ',
      dictionary_order: false,
    })
    await query(database.url, 'create extension btree_gin')
    const socket = new URLSearchParams(database.url.split('?')[1]).get('host') ?? ''
    expect((await stat(socket)).mode & 0o777).toBe(0o700)
    expect((await stat(join(data, 'database.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(data)).mode & 0o707).toBe(0o700)
    expect(
      (await readFile(join(database.folder, 'pg_hba.conf'), 'utf8'))
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#')),
    ).toEqual(['local all all scram-sha-256'])
    await expect(query(database.url.replace(/:[^:@/]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
      /password authentication failed/,
    )
  })

  it('starts again, keeps its rows and stops with the server', async () => {
    const data = newFolder()
    const first = await start(data)
    await query(first.url, 'create table kept as select 7 as seven')
    const pid = await postgresPid(first.folder)
    await first.stop()
    await first.exited
    expect(isRunning(pid)).toBe(false)
    const second = await start(data)
    expect(second.url).toBe(first.url)
    expect(await query(second.url, 'select seven from kept')).toEqual([{ seven: 7 }])
  })

  it('whose path is over 100 bytes gets its socket in a private temporary folder, which goes with it', async () => {
    const data = join(newFolder(), 'a-long-name-'.repeat(9))
    const database = await start(data)
    const socket = new URLSearchParams(database.url.split('?')[1]).get('host') ?? ''
    expect(Buffer.byteLength(join(socket, '.s.PGSQL.5432'))).toBeLessThanOrEqual(100)
    expect(socket.startsWith(data)).toBe(false)
    expect((await stat(socket)).mode & 0o777).toBe(0o700)
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await database.stop()
    await expect(stat(socket)).rejects.toThrow('ENOENT')
  })

  it('with its password lost gets a new one', async () => {
    const data = newFolder()
    await (await start(data)).stop()
    await rm(join(data, 'database.json'))
    expect(await query((await start(data)).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('answers commands beside the running server, and only then', async () => {
    const data = newFolder()
    expect(await attachEmbedded(data)).toBeUndefined()
    const server = await serve(data)
    const attached = await attachEmbedded(data)
    expect(attached).toEqual(server.database)
    expect(await query(attached?.url ?? '', 'select 1 as one')).toEqual([{ one: 1 }])
    process.kill(server.pid, 'SIGTERM')
    await once(server.child, 'close')
    expect(await attachEmbedded(data)).toBeUndefined()
  })
})

describe('trouble the operator can put right is told in one line', () => {
  it('a folder that cannot be written', async () => {
    const closed = newFolder()
    await mkdir(closed, { mode: isRoot ? 0o755 : 0o555 })
    for (const data of [closed, join(closed, 'below')]) {
      const server = await serve(data, { as: ordinary })
      expect(server.child.exitCode).toBe(1)
      expect(server.lines).toEqual([
        expect.stringMatching(new RegExp(`^StartupError: Cannot write to ${closed}.*PARLEY_DATA_DIR`)),
      ])
    }
  })

  it('a file in the place of the folder', async () => {
    const data = newFolder()
    await writeFile(data, '')
    await expect(start(data)).rejects.toThrow(StartupError)
    await expect(start(join(data, 'below'))).rejects.toThrow(/a file of that name is in the way/)
  })

  it('a database that is no longer where it was kept', async () => {
    const data = newFolder()
    await mkdir(data)
    await symlink(join(data, 'gone'), join(data, 'database'))
    await expect(start(data)).rejects.toThrow(/restore it there, or remove that link/)
  })

  it('binaries that are not installed', async () => {
    const from = await makeCheckout()
    await rm(join(from, 'node_modules'), { recursive: true })
    const server = await serve(newFolder(), { from })
    expect(server.child.exitCode).toBe(1)
    expect(server.lines).toEqual([expect.stringMatching(/^StartupError: .*not installed: set DATABASE_URL/)])
  })

  it('a cluster of another version', async () => {
    const data = newFolder()
    const { folder, stop } = await start(data)
    await stop()
    await writeFile(join(folder, 'PG_VERSION'), '17\n')
    await expect(start(data)).rejects.toThrow(/PostgreSQL 17, and this is 18/)
  })

  it.runIf(isRoot && canMount())('a full disk, at the first start and at a later one', async () => {
    const data = newFolder()
    await mkdir(data)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=100m,mode=755', 'tmpfs', data])
    try {
      await fill(data, 80)
      await expect(start(data)).rejects.toThrow(/^No space left on the disk that holds .*: free some/)
      await rm(join(data, 'filler'))
      await (await start(data)).stop()
      await fill(data, 200)
      await expect(start(data)).rejects.toThrow(/^No space left on the disk that holds/)
      await rm(join(data, 'filler'))
      const database = await start(data)
      expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }])
      await database.stop()
    } finally {
      execFileSync('umount', [data])
    }
  })
})

describe('binaries installed without scripts', () => {
  it('are used from a copy when their folder cannot be written', async () => {
    const from = await makeCheckout()
    const libraries = join(from, 'node_modules', packageName, 'native', 'lib')
    if (!isRoot) await chmod(libraries, 0o555)
    const data = newFolder()
    await mkdir(data, { mode: 0o700 })
    if (isRoot) await chown(data, 65534, 65534)
    for (const _ of ['fresh', 'again']) {
      const server = await serve(data, { from, as: ordinary })
      expect(await query(server.database?.url ?? expect.fail(server.lines.join()), 'select 1 as one')).toEqual([
        { one: 1 },
      ])
      expect(await findLinks(libraries)).toEqual([])
      expect((await readdir(join(data, 'database'))).sort()).toEqual([
        'cluster',
        expect.stringMatching(/^postgresql-18\./),
        'socket',
      ])
      await kill(server.child)
    }
    await chmod(libraries, 0o755)
  })

  it('get their library links where they lie otherwise', async () => {
    const from = await makeCheckout()
    const folder = join(from, 'node_modules', packageName)
    const server = await serve(newFolder(), { from })
    expect(await query(server.database?.url ?? expect.fail(server.lines.join()), 'select 1 as one')).toEqual([
      { one: 1 },
    ])
    const listed = JSON.parse(await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8')) as {
      target: string
    }[]
    expect((await findLinks(join(folder, 'native', 'lib'))).length).toBe(listed.length)
  })
})

describe.runIf(isRoot)('as root', () => {
  it('the database runs as an unprivileged user that owns nothing but its cluster and socket', async () => {
    const data = newFolder()
    const { folder } = await start(data)
    const { uid } = await stat(folder)
    expect(uid).toBeGreaterThan(0)
    expect(runsAs(await postgresPid(folder))).toBe(uid)
    for (const path of [data, dirname(folder), join(data, 'database.json'), join(data, 'postgres.log')])
      expect((await stat(path)).uid).toBe(0)
  })

  it('a checkout and data folder that only root can enter keep copy and cluster in a system folder, and say where', async () => {
    const home = newFolder()
    await mkdir(home, { mode: 0o700 })
    const from = await makeCheckout(join(home, 'checkout'))
    const data = join(from, '.parley')
    const system = newFolder()
    const first = await serve(data, { from, system })
    const { url, folder } = first.database ?? expect.fail(first.lines.join())
    await query(url, 'create table kept as select 7 as seven')
    expect(folder.startsWith(system)).toBe(true)
    expect(await readlink(join(data, 'database'))).toBe(dirname(folder))
    expect((await readdir(dirname(folder))).some((name) => name.startsWith('postgresql-18.'))).toBe(true)
    expect(first.lines.join()).toContain(dirname(folder))
    expect((await stat(data)).mode & 0o777).toBe(0o700)
    process.kill(first.pid, 'SIGKILL')
    await once(first.child, 'close')
    const second = await serve(data, { from, system })
    expect(second.lines.join()).toContain(`The database and a copy of its programs are kept in ${dirname(folder)}`)
    expect(await query(second.database?.url ?? '', 'select seven from kept')).toEqual([{ seven: 7 }])
    // A copy of the data folder leads to the same cluster, which must not get a second server.
    await cp(data, `${data}-copy`, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.includes('server.lock'),
    })
    const third = await serve(`${data}-copy`, { from, system })
    expect(third.lines.join()).toContain(`Another server (process ${second.pid}`)
  })

  it("a data folder that is root's own and closed stays closed", async () => {
    const data = newFolder()
    await mkdir(data, { mode: 0o700 })
    const system = newFolder()
    const database = await start(data, undefined, system)
    expect(database.folder.startsWith(system)).toBe(true)
    expect((await stat(data)).mode & 0o777).toBe(0o700)
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('a data folder of an ordinary user is run as that user, who can go on with it afterwards', async () => {
    const data = newFolder()
    await mkdir(data, { mode: 0o700 })
    await chown(data, 65534, 65534)
    await kill((await serve(data, { as: ordinary })).child)
    const { folder, stop } = await start(data)
    expect(runsAs(await postgresPid(folder))).toBe(65534)
    await stop()
    const server = await serve(data, { as: ordinary })
    expect(await query(server.database?.url ?? expect.fail(server.lines.join()), 'select 1 as one')).toEqual([
      { one: 1 },
    ])
  })
})

async function findLinks(folder: string): Promise<string[]> {
  return (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => entry.name)
}

async function fill(folder: string, megabytes: number): Promise<void> {
  await writeFile(join(folder, 'filler'), Buffer.alloc(megabytes * 1_000_000, 1)).catch((error) =>
    expect(error.code).toBe('ENOSPC'),
  )
}

/** Whether this superuser may mount; in most containers it may not. */
function canMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'true'], { stdio: 'ignore' })
    return process.platform === 'linux'
  } catch {
    return false
  }
}
