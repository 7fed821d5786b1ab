// What the embedded database promises after a kill, and to a second server on the same folder. Every test starts real
// clusters.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { attachEmbedded } from '../../src/embedded-postgres/embedded.js'
import { findLockOwner, lockFolder } from '../../src/embedded-postgres/folder-lock.js'
import {
  isRunning,
  kill,
  launchServer,
  newFolder,
  postgresPid,
  prepareServers,
  query,
  serve,
  start,
  until,
} from '../support/servers/embedded-server.js'

prepareServers()

describe('after a crash', () => {
  it('a server killed with its whole process group leaves the database running, and the next start takes the folder over', async () => {
    const data = newFolder()
    const killed = await serve(data)
    const { url, folder } = killed.database ?? expect.fail(killed.lines.join())
    await query(url, 'create table kept as select 7 as seven')
    const left = await postgresPid(folder)
    process.kill(-killed.pid, 'SIGKILL')
    await once(killed.child, 'close')
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await attachEmbedded(data)).toBeUndefined()
    const next = await serve(data)
    expect(next.lines.join()).toContain(`process ${left}`)
    expect(await query(next.database?.url ?? '', 'select seven from kept')).toEqual([{ seven: 7 }])
    expect(isRunning(left)).toBe(false)
  })

  it('server and database killed together start again by themselves, with every committed row', async () => {
    const data = newFolder()
    const killed = await serve(data)
    const { url, folder } = killed.database ?? expect.fail(killed.lines.join())
    await query(url, 'create table kept as select 7 as seven')
    const session = new pg.Client({ connectionString: url }).on('error', () => undefined)
    await session.connect()
    const { pid } = (await session.query('select pg_backend_pid() as pid')).rows[0] as { pid: number }
    // A session that outlives its database for a second holds the shared memory, and PostgreSQL refuses to start
    // meanwhile.
    process.kill(pid, 'SIGSTOP')
    for (const each of [killed.pid, await postgresPid(folder)]) process.kill(each, 'SIGKILL')
    await once(killed.child, 'close')
    const restarting = start(data)
    const isRefused = until(async () =>
      (await readFile(join(data, 'postgres.log'), 'utf8')).includes('is still in use'),
    )
    await Promise.race([isRefused, restarting]).finally(() => process.kill(pid, 'SIGCONT'))
    await isRefused
    expect(await query((await restarting).url, 'select seven from kept')).toEqual([{ seven: 7 }])
  })

  it('a first start that is killed halfway is begun anew', async () => {
    const data = newFolder()
    const killed = launchServer(data)
    // Where this process was too slow to see it, the start is over by then, and the next one finds it whole.
    await until(async () =>
      (await readdir(join(data, 'database')).catch(() => [])).some((name) => name.startsWith('cluster')),
    )
    await delay(100)
    await kill(killed.child)
    const database = await start(data)
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await readdir(dirname(database.folder))).sort()).toEqual(['cluster', 'socket'])
  })

  it('numbers that now belong to other processes are not mistaken for the server or the database', async () => {
    const data = newFolder()
    const { folder, stop } = await start(data)
    const { uid, gid } = await stat(folder)
    const pidFile = await readFile(join(folder, 'postmaster.pid'), 'utf8')
    await stop()
    const stranger = spawn('sleep', ['60'], { uid, gid })
    try {
      await writeFile(join(folder, 'postmaster.pid'), pidFile.replace(/^\d+/, String(stranger.pid)))
      await chown(join(folder, 'postmaster.pid'), uid, gid)
      const lock = await lockFolder(data)
      const owner = (await findLockOwner(data)) ?? expect.fail()
      if (lock.kind === 'taken') await lock.release()
      await mkdir(join(data, 'server.lock'))
      await writeFile(join(data, 'server.lock', 'dead'), JSON.stringify({ ...owner, startedAt: 'before' }))
      expect(await query((await start(data)).url, 'select 1 as one')).toEqual([{ one: 1 }])
      expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
    } finally {
      stranger.kill('SIGKILL')
    }
  })

  it('a server that ends without stopping its database takes it along', async () => {
    const server = await serve(newFolder())
    const pid = await postgresPid(server.database?.folder ?? '')
    process.kill(server.pid, 'SIGUSR2')
    await once(server.child, 'close')
    await until(() => !isRunning(pid))
  })
})

describe('a second server', () => {
  it('on the same folder is told who has it and what to do', async () => {
    const data = newFolder()
    const first = await serve(data)
    const second = await serve(data)
    expect(second.child.exitCode).toBe(1)
    expect(second.lines).toEqual([
      expect.stringMatching(
        new RegExp(`^StartupError: Another server \\(process ${first.pid}, .*${data}.*PARLEY_DATA_DIR`),
      ),
    ])
    expect(await query(first.database?.url ?? '', 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('at the same instant loses: of five exactly one starts', async () => {
    const data = newFolder()
    for (const _ of ['fresh', 'with the lock of a killed server']) {
      const all = await Promise.all(Array.from({ length: 5 }, () => serve(data)))
      const winners = all.filter((server) => server.database !== undefined)
      expect(winners).toHaveLength(1)
      for (const loser of all.filter((server) => server.database === undefined))
        expect(loser.lines.join()).toContain(`process ${winners[0]?.pid}`)
      for (const { child } of all) await kill(child)
    }
  })

  it('in another container is known by the touch of its lock, as numbers mean nothing there', async () => {
    const data = newFolder()
    await mkdir(join(data, 'server.lock'), { recursive: true })
    const file = join(data, 'server.lock', 'elsewhere')
    const owner = JSON.stringify({ pid: 1, startedAt: 'x', numberSpace: 'another machine', since: 'today' })
    await writeFile(file, owner)
    let written = Promise.resolve()
    const beat = setInterval(() => void (written = writeFile(file, owner)), 1_000)
    expect(await lockFolder(data)).toMatchObject({ kind: 'held', owner: { id: 'elsewhere' } })
    clearInterval(beat)
    await written
    const taken = await lockFolder(data)
    expect(taken.kind).toBe('taken')
    if (taken.kind === 'taken') await taken.release()
    expect(await readdir(data)).toEqual([])
  })
})
