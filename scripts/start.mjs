// `npm start`: builds the program and its pages when they are not built yet or their sources have changed, says so
// before it begins, and then becomes the server.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isProgramBuilt } from './build-program.mjs'
import { root } from './fingerprint.mjs'

if (!isProgramBuilt()) {
  console.log('Building Parley, because its sources are new or have changed …')
  if (!build('program')) {
    console.error('Building failed. Run npm ci and start again.')
    process.exit(1)
  }
}
if (existsSync(join(root, 'packages/cockpit'))) await buildPages()
if (process.stdout.isTTY) console.log('Starting Parley …')
// In this very process: another one would cost a tenth of a second more.
await import('../packages/server/program/main.js')

/** Without its pages the API serves all the same, so a failure here stops nothing. */
async function buildPages() {
  const { isCockpitBuilt } = await import('./build-cockpit.mjs')
  const { isDocsBuilt } = await import('./build-docs.mjs')
  if (!isCockpitBuilt()) buildPart('cockpit', 'cockpit')
  if (!isDocsBuilt()) buildPart('documentation', 'docs')
}

function buildPart(name, script) {
  console.log(`Building the ${name} …`)
  if (!build(script))
    console.error(`Building the ${name} failed. Run npm ci and start again; the API is served without.`)
}

function build(script) {
  const file = join(root, `scripts/build-${script}.mjs`)
  return spawnSync(process.execPath, [file], { stdio: 'inherit' }).status === 0
}
