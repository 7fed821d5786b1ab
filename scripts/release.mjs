// Makes a release in `release/`: the packages as npm would publish them, a bill of materials for each, the changes since
// the release before, and checksums. It is built in a clone of what is committed, with the locked dependencies, so that
// nothing of this folder slips in; with --here it is built in this folder, for trying.
// Usage: node scripts/release.mjs [--here]
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { billOfMaterials } from './bill-of-materials.mjs'
import { run } from './generated-clients/tools.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const release = join(root, 'release')
const isHere = process.argv.includes('--here')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** What each package carries inside: the server the cockpit, the SDK's command line its bundled libraries. */
const bills = {
  server: {
    workspaces: ['packages/server', 'packages/cockpit'],
    tools: ['vite', '@vitejs/plugin-react', '@tailwindcss/vite'],
  },
  sdk: { workspaces: ['packages/sdk'], kinds: ['devDependencies'] },
}

const temporary = mkdtempSync(join(tmpdir(), 'parley-release-'))
try {
  await run(process.execPath, ['scripts/version.mjs', '--check'])
  const folder = isHere ? root : await cleanClone(join(temporary, 'parley'))
  rmSync(release, { recursive: true, force: true })
  mkdirSync(release)
  await run('npm', ['run', 'build'], { cwd: folder, minutes: 10 })
  for (const name of ['contract', 'server', 'sdk']) await pack(folder, name)
  for (const [name, options] of Object.entries(bills)) writeBill(name, options)
  writeFileSync(join(release, 'CHANGES.md'), changes())
  writeSums()
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

async function cleanClone(folder) {
  const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
  if (changed !== '') throw new Error(`Commit or stash these first, or try with --here:\n${changed}`)
  await run('git', ['clone', '--quiet', root, folder])
  await run('npm', ['ci', '--ignore-scripts', '--silent'], { cwd: folder, minutes: 10 })
  return folder
}

/** Built above, all together: no package builds itself again. */
async function pack(folder, name) {
  const required = { contract: ['dist/index.js'], server: ['program/main.js', 'web/index.html', 'web-docs/index.html'] }
  for (const file of required[name] ?? ['dist/parley.js'])
    if (!existsSync(join(folder, 'packages', name, file))) throw new Error(`packages/${name}/${file} was not built`)
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', release], {
    cwd: join(folder, 'packages', name),
  })
}

function writeBill(name, options) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const bill = billOfMaterials(lock, { name: `parley-${name}`, version, ...options })
  writeFileSync(join(release, `parley-${name}-${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`)
}

/** The section of this version, or what is not released yet. */
function changes() {
  const [, ...sections] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^(?=## )/m)
  const own = sections.find((text) => text.startsWith(`## ${version}`))
  if (own === undefined)
    console.log(`CHANGELOG.md has no section "## ${version}": rename "Unreleased" before you publish.`)
  return own ?? sections[0]
}

function writeSums() {
  const names = readdirSync(release).sort()
  const sums = names.map((name) => {
    const bytes = readFileSync(join(release, name))
    console.log(`release/${name} (${Math.ceil(bytes.length / 1024)} kB)`)
    return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`
  })
  writeFileSync(join(release, 'SHA256SUMS'), sums.join(''))
}
