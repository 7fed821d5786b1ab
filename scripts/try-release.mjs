// What whoever downloads a release does: checks its sums, installs the packages in an empty folder with an empty cache of
// npm, starts the server, opens its pages, and calls it with the command line. As root it is done as an ordinary user.
// Usage, after scripts/release.mjs: node scripts/try-release.mjs
import { execFileSync, spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { filesIn } from './fingerprint.mjs'
import { freePort } from './free-port.mjs'

const START_MS = 300_000
const nobody = { uid: 65534, gid: 65534 }
const root = fileURLToPath(new URL('..', import.meta.url))
const release = join(root, 'release')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const home = mkdtempSync(join(tmpdir(), 'parley-try-'))
const folder = join(home, 'empty')
const user = process.getuid() === 0 ? nobody : {}
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const env = { PATH: process.env.PATH, HOME: home, PORT: String(port), npm_config_cache: join(home, 'cache') }
if (process.env.npm_config_registry) env.npm_config_registry = process.env.npm_config_registry
let server

try {
  execFileSync('sha256sum', ['--check', '--quiet', '--strict', 'SHA256SUMS'], { cwd: release, stdio: 'inherit' })
  install()
  expectNothingOfOurs()
  expectBilled()
  expectNoTools()
  server = await started()
  await expectPages()
  await expectCommandLine()
  await stopped()
  console.log('the release installs, serves and stops')
} finally {
  if (server?.exitCode === null) process.kill(-server.pid, 'SIGTERM')
  await sleep(server?.exitCode === null ? 3_000 : 0)
  // What has not quite ended may still write there.
  rmSync(home, { recursive: true, force: true, maxRetries: 60, retryDelay: 500 })
}

function install() {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const tarballs = readdirSync(release).filter((name) => name.endsWith('.tgz'))
  // The user may not be able to enter the folder that we lie in.
  for (const name of tarballs) copyFileSync(join(release, name), join(home, name))
  if (user.uid !== undefined) execFileSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, home])
  const begunAt = Date.now()
  inFolder('npm', ['install', '--no-audit', '--no-fund', ...tarballs.map((name) => join(home, name))])
  console.log(`${tarballs.join(', ')}: installed in ${Date.now() - begunAt} ms`)
}

function inFolder(command, args) {
  return execFileSync(command, args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], ...user })
}

/** A path of the machine that built it would tell about that machine, and be wrong on any other. */
function expectNothingOfOurs() {
  const files = [...filesIn(join(folder, 'node_modules/@parley')), ...filesIn(release, '.json')]
  const telling = files.filter((file) => file.endsWith('.map') || readFileSync(file).includes(root))
  if (telling.length > 0) throw new Error(`Files with paths of this machine, or source maps: ${telling.join(', ')}`)
}

/** Names alone: what packages need in turn may have newer versions by the day of an installation. */
function expectBilled() {
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  const bills = readdirSync(release).filter((name) => name.endsWith('.cdx.json'))
  const billed = new Set(
    bills.flatMap((name) => JSON.parse(readFileSync(join(release, name), 'utf8')).components.map((one) => one.name)),
  )
  const installed = Object.keys(lock.packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13))
  const missing = installed.filter((name) => !billed.has(name))
  if (missing.length > 0) throw new Error(`Installed, but in no bill of materials: ${missing.join(', ')}`)
  console.log(`${installed.length} packages, all in the bills of materials`)
}

function expectNoTools() {
  const tools = ['typescript', 'marked', 'vite', 'esbuild', 'react', '@types/node']
  const there = tools.filter((name) => existsSync(join(folder, 'node_modules', name)))
  if (there.length > 0) throw new Error(`Installed, but of use for building only: ${there.join(', ')}`)
}

async function started() {
  const begunAt = Date.now()
  const options = { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'], detached: true, ...user }
  const child = spawn('npx', ['--no-install', 'parley-server'], options)
  while (Date.now() - begunAt < START_MS && child.exitCode === null) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return child
    await sleep(50)
  }
  throw new Error(`The server did not answer within ${START_MS} ms`)
}

async function expectPages() {
  for (const [path, text] of [
    ['/', '<div id="root"'],
    ['/docs', 'Parley'],
    ['/docs/changes', 'What users notice'],
    ['/api/v1/openapi.json', '"openapi"'],
  ]) {
    const answer = await fetch(url + path, { headers: { accept: 'text/html,application/json' } })
    const page = await answer.text()
    if (!answer.ok || !page.includes(text)) throw new Error(`${path} answers ${answer.status}: ${page.slice(0, 300)}`)
    console.log(`${path}: ${page.length} characters`)
  }
}

async function expectCommandLine() {
  const { keys } = JSON.parse(readFileSync(join(folder, '.parley/first-run.json'), 'utf8'))
  Object.assign(env, { PARLEY_API_KEY: keys.test, PARLEY_BASE_URL: url })
  for (const name of ['parley', 'parley-server']) {
    const said = inFolder('npx', ['--no-install', name, '--version']).trim()
    if (said !== version) throw new Error(`${name} --version says ${said}, not ${version}`)
  }
  const made = JSON.parse(inFolder('npx', ['--no-install', 'parley', 'post', '/tasks', '-d', '{"title":"Ring back"}']))
  const listed = inFolder('npx', ['--no-install', 'parley', 'get', `/tasks/${made.id}`])
  if (!listed.includes('Ring back')) throw new Error(`parley get answers ${listed}`)
  if (!inFolder('npx', ['--no-install', 'parley-server', 'org', 'list']).includes('Demo')) throw new Error('no org')
}

async function stopped() {
  const ended = new Promise((resolve) => server.once('exit', (code, signal) => resolve(code ?? signal)))
  process.kill(-server.pid, 'SIGTERM')
  const code = await ended
  const left = await fetch(`${url}/healthz`).catch(() => undefined)
  if (left !== undefined) throw new Error(`The server still answers after SIGTERM (npx ended with ${code})`)
}
