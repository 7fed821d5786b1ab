// What a newcomer does, on a clone of its own: install without scripts, start, call with the first key, stop, start
// again, survive a kill. As root it is done as an ordinary user, since the tests themselves cover root. Usage: node
// scripts/smoke.mjs
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSecondsOfTree } from './cpu-of-tree.mjs'
import { freePort } from './free-port.mjs'

const port = await freePort()
const url = `http://127.0.0.1:${port}`
const START_MS = 600_000
const nobody = { uid: 65534, gid: 65534 }

const root = new URL('..', import.meta.url).pathname
const home = mkdtempSync(join(tmpdir(), 'parley-smoke-'))
const clone = join(home, 'parley')
const user = process.getuid() === 0 ? nobody : {}
const env = {
  PATH: process.env.PATH,
  HOME: home,
  PORT: String(port),
  NODE_ENV: 'production',
  npm_config_cache: join(home, 'cache'),
}
if (process.env.npm_config_registry) env.npm_config_registry = process.env.npm_config_registry
const running = new Set()

try {
  execFileSync('git', ['clone', '--quiet', root, clone])
  if (process.getuid() === 0) execFileSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, home])
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], {
    cwd: clone,
    env,
    stdio: 'inherit',
    ...user,
  })
  console.log(`first start: ${told(await started())}`)
  await callWithFirstKey()
  await end('SIGTERM')
  await newFolder()
  const times = []
  for (let again = 0; again < 3; again++) {
    times.push(await started())
    await end('SIGTERM')
  }
  console.log(`start with an existing data folder, through npm: ${times.map(told).join('; ')}`)
  await started()
  await end('SIGKILL')
  console.log(`after kill -9: ${told(await started())}`)
  await callWithFirstKey()
  await end('SIGTERM')
} finally {
  for (const child of running) killGroup(child, 'SIGTERM')
  await sleep(running.size > 0 ? 3_000 : 0)
  // What has not quite ended may still write there.
  rmSync(home, { recursive: true, force: true, maxRetries: 60, retryDelay: 500 })
}

function told({ ms, cpuSeconds }) {
  return `${ms} ms${cpuSeconds === undefined ? '' : ` (${cpuSeconds.toFixed(2)} s of CPU)`}`
}

/** Built already, but a database to make. */
async function newFolder() {
  renameSync(join(clone, '.parley'), join(clone, '.parley.kept'))
  console.log(`start with a new data folder: ${told(await started())}`)
  await end('SIGTERM')
  rmSync(join(clone, '.parley'), { recursive: true, force: true })
  renameSync(join(clone, '.parley.kept'), join(clone, '.parley'))
}

/** In a group of its own, because npm stands between us and the server. */
function start() {
  const child = spawn('npm', ['start', '--silent'], {
    cwd: clone,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
    ...user,
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/**
 * Starts it, and tells how many milliseconds the first answer took, and how much CPU npm, compiler, server and database
 * used until then.
 */
async function started() {
  const begunAt = Date.now()
  const child = start()
  while (Date.now() - begunAt < START_MS && child.exitCode === null) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return { ms: Date.now() - begunAt, cpuSeconds: cpuSecondsOfTree(child.pid) }
    await sleep(10)
  }
  throw new Error(`The server ended, or did not answer within ${START_MS} ms`)
}

async function callWithFirstKey() {
  const { keys } = JSON.parse(readFileSync(join(clone, '.parley/first-run.json'), 'utf8'))
  const headers = { authorization: `Bearer ${keys.test}`, 'content-type': 'application/json' }
  const made = await fetch(`${url}/api/v1/people`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ displayName: 'Ada Lovelace' }),
  })
  if (made.status !== 201) throw new Error(`Making a person answered ${made.status}: ${await made.text()}`)
  const { id } = await made.json()
  const read = await fetch(`${url}/api/v1/people/${id}`, { headers })
  if (read.status !== 200) throw new Error(`Reading it back answered ${read.status}`)
}

async function end(signal) {
  const ended = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)))
  for (const child of running) killGroup(child, signal)
  await Promise.all(ended)
}

function killGroup(child, signal) {
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
