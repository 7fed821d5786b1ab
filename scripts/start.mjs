// `npm start`: compiles the service when it is not compiled yet or its sources have changed, says so before it begins,
// and then becomes the server. Types are not checked here (`npm run check` does that), so that a first start costs a
// second of work and not fifteen. With `--built` it only notes that `tsc -b` has just compiled everything.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { filesIn, fingerprint, root } from './fingerprint.mjs'

const packages = ['packages/contract', 'packages/server'].map((path) => join(root, path))
const stampFile = join(root, 'packages/server/dist/.built-from')
const cockpit = join(root, 'packages/cockpit')
const require = createRequire(import.meta.url)

const sources = fingerprint('sources', [
  join(root, 'tsconfig.base.json'),
  ...packages.flatMap((folder) => [join(folder, 'tsconfig.json'), ...filesIn(join(folder, 'src'), '.ts')]),
])
if (process.argv.includes('--built')) writeStamp()
else {
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp()) build()
  if (existsSync(cockpit)) await buildPages()
  if (process.stdout.isTTY) console.log('Starting Parley …')
  // In this very process: another one would cost a tenth of a second more.
  await import('../packages/server/dist/main.js')
}

function build() {
  console.log('Building Parley, because its sources are new or have changed …')
  for (const folder of packages) compile(folder)
  writeStamp()
}

/** Without its pages the API serves all the same, so a failure here stops nothing. */
async function buildPages() {
  const { isCockpitBuilt } = await import('./build-cockpit.mjs')
  const { isDocsBuilt } = await import('./build-docs.mjs')
  if (!isCockpitBuilt()) buildPart('cockpit', 'scripts/build-cockpit.mjs')
  if (!isDocsBuilt()) buildPart('documentation', 'scripts/build-docs.mjs')
}

function buildPart(name, script) {
  console.log(`Building the ${name} …`)
  const { status } = spawnSync(process.execPath, [join(root, script)], { stdio: 'inherit' })
  if (status !== 0) console.error(`Building the ${name} failed. Run npm ci and start again; the API is served without.`)
}

/**
 * Made beside its place and put there whole: a file whose source is gone does not stay, nor does the note by which `tsc
 * -b` knows its own work.
 */
function compile(folder) {
  const [dist, made, old] = ['dist', `dist.${process.pid}.new`, `dist.${process.pid}.old`].map((name) =>
    join(folder, name),
  )
  const options = [
    '--noCheck',
    '--composite',
    'false',
    '--incremental',
    'false',
    '--tsBuildInfoFile',
    'null',
    '--declaration',
    'false',
    '--outDir',
    made,
  ]
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', folder, ...options], { stdio: 'inherit' })
  if (status !== 0) {
    rmSync(made, { recursive: true, force: true })
    console.error('Building failed. Run npm ci and start again.')
    process.exit(1)
  }
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(made, dist)
  rmSync(old, { recursive: true, force: true })
}

/**
 * What was compiled and what came of it: whoever else has compiled meanwhile, perhaps from other sources, left other
 * files.
 */
function stamp() {
  return `${require('typescript/package.json').version} ${sources} ${compiled()}\n`
}

function compiled() {
  const files = packages.flatMap((folder) => filesIn(join(folder, 'dist'), '.js'))
  return fingerprint('compiled', files)
}

function writeStamp() {
  writeFileSync(stampFile, stamp())
}
