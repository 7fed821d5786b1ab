// Where the generators come from: exact versions from their registries, kept between runs below node_modules/.cache.
import { spawn, spawnSync } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(root, 'node_modules/.cache/generated-clients')

/** What is not to be had on this machine. */
export class Skipped extends Error {}

const MINUTES = 60_000
const OUTPUT_MAX = 20_000

/** Runs it, and answers what it printed; fails with that when it fails. */
export function run(command, args, { cwd = root, env = {}, minutes = 20 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: minutes * MINUTES,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output = (output + text).slice(-OUTPUT_MAX)
      })
    child.once('error', reject)
    child.once('exit', (status) =>
      status === 0 ? resolve(output) : reject(new Error(`${command} ${args.join(' ')}\n${output}`)),
    )
  })
}

export function needs(command) {
  const { status, error } = spawnSync(command, [command === 'go' ? 'version' : '--version'], { stdio: 'ignore' })
  if (error || status !== 0) throw new Skipped(`there is no ${command} here`)
}

/** Installs into a folder of the cache, once for each list of versions. */
async function installed(name, versions, install) {
  const folder = join(cache, name)
  const stamp = join(folder, `.${versions.join('_').replace(/[^\w.-]/g, '-')}`)
  if (existsSync(stamp)) return folder
  mkdirSync(folder, { recursive: true })
  await install(folder).catch((error) => {
    throw new Skipped(`it could not be installed: ${error.message.slice(-300)}`)
  })
  writeFileSync(stamp, '')
  return folder
}

export const npmTools = (name, versions) =>
  installed(name, versions, (folder) => {
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
    return run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--silent', '--ignore-scripts', '--save-exact', ...versions],
      {
        cwd: folder,
      },
    )
  })

export async function pythonTools(name, versions) {
  needs('python3')
  return installed(name, versions, async (folder) => {
    await run('python3', ['-m', 'venv', folder])
    await run(join(folder, 'bin/pip'), ['install', '--quiet', ...versions])
  })
}

export async function goTool(name, module) {
  needs('go')
  const folder = await installed(name, [module], (at) => run('go', ['install', module], { env: { GOBIN: at } }))
  return join(folder, name)
}

const GENERATOR = '7.25.0'

/** openapi-generator is one file of Java. */
export async function generatorJar() {
  needs('java')
  const folder = await installed('openapi-generator', [GENERATOR], async (at) => {
    const name = `openapi-generator-cli-${GENERATOR}.jar`
    const url = `https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/${GENERATOR}/${name}`
    const answer = await fetch(url, { signal: AbortSignal.timeout(10 * MINUTES) })
    if (!answer.ok) throw new Error(`${url} answers ${answer.status}`)
    await pipeline(Readable.fromWeb(answer.body), createWriteStream(join(at, 'part')))
    renameSync(join(at, 'part'), join(at, 'generator.jar'))
  })
  return join(folder, 'generator.jar')
}

const DEBIANS_GUZZLE = '/usr/share/php/GuzzleHttp/autoload.php'

/** The file that loads what PHP clients send with: the system's own, or what the client's package asks for. */
export async function guzzleFor(folder) {
  if (existsSync(DEBIANS_GUZZLE)) return DEBIANS_GUZZLE
  await run('composer', ['install', '--no-dev', '--no-interaction', '--quiet'], { cwd: folder }).catch((error) => {
    throw new Skipped(`generated, but Guzzle could not be had: ${error.message.slice(-300)}`)
  })
  return join(folder, 'vendor/autoload.php')
}
