// Builds the image and runs it the way production.md says: as its own user, on a read-only root, without capabilities.
// Checks its pages, health, commands and labels, that it stops by itself, and that it comes back after a kill.
// Usage: node scripts/try-image.mjs [--built]    (needs a Docker daemon and the base image; --built takes `parley` as is)
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.mjs'

const START_MS = 120_000
const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const name = `parley-try-${process.pid}`
const docker = (...args) => execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status !== 0) {
  console.log('image: skipped, there is no Docker daemon here')
  process.exit()
}
const port = await freePort()
const url = `http://127.0.0.1:${port}`
try {
  if (!process.argv.includes('--built')) build()
  await tryImage()
  console.log('image: builds, serves on a read-only root as an ordinary user, stops, and comes back after a kill')
} finally {
  spawnSync('docker', ['rm', '--force', '--volumes', name], { stdio: 'ignore' })
  spawnSync('docker', ['volume', 'rm', '--force', name], { stdio: 'ignore' })
}

/** On the network of this machine, which may reach the registry by rules of its own. */
function build() {
  const options = ['--network=host', `--build-arg=VERSION=${version}`, '--tag=parley', root]
  const { status } = spawnSync('docker', ['build', ...options], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('docker build failed')
}

async function tryImage() {
  docker(
    ...['run', '--detach', '--name', name, '--init', '--network=host', '--read-only', '--tmpfs=/tmp'],
    ...['--cap-drop=ALL', '--security-opt=no-new-privileges', '--volume', `${name}:/data`],
    ...['--env=HOST=127.0.0.1', `--env=PORT=${port}`, 'parley'],
  )
  await ready()
  expect(docker('exec', name, 'id', '-u') === '10001', 'it runs as user 10001')
  const written = spawnSync('docker', ['exec', name, 'touch', '/opt/parley/x'])
  expect(written.status !== 0, 'its root cannot be written')
  expect(docker('exec', name, 'parley-server', '--version') === version, 'parley-server tells the version')
  expect(docker('exec', name, 'parley', '--version') === version, 'parley tells the version')
  expect(docker('exec', name, 'parley-server', 'org', 'list').includes('Demo'), 'operator commands work in it')
  for (const path of ['/', '/docs']) {
    const { status, headers } = await fetch(url + path, { headers: { accept: 'text/html' } })
    expect(status === 200 && headers.get('content-type')?.startsWith('text/html'), `${path} is a page`)
  }
  expect(
    inspect('{{index .Config.Labels "org.opencontainers.image.version"}}') === version,
    'its label has the version',
  )
  await healthy()
  docker('kill', '--signal=KILL', name)
  docker('start', name)
  await ready()
  docker('stop', '--time=30', name)
  expect(inspect('{{.State.ExitCode}}') === '0', 'it ends with 0 when it is stopped')
}

function inspect(format) {
  return docker('inspect', `--format=${format}`, name)
}

function expect(isTrue, promise) {
  if (!isTrue) throw new Error(`Not so: ${promise}`)
}

async function ready() {
  await until('ready', () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
}

function healthy() {
  return until('healthy', () => inspect('{{.State.Health.Status}}') === 'healthy')
}

async function until(state, isSo) {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; await sleep(200)) {
    if (await isSo()) return
    if (inspect('{{.State.Running}}') !== 'true') break
  }
  throw new Error(`It did not become ${state}:\n${docker('logs', name)}`)
}
