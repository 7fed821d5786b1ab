// One version for everything that is released: that of the root package.json. With a number it is set there first; then
// every package, lock, client and chart that repeats it is written, or with --check compared.
// Usage: node scripts/version.mjs [<version> | --check]
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (name) => readFileSync(join(root, name), 'utf8')

const workspaces = ['contract', 'server', 'sdk', 'cockpit'].map((name) => `packages/${name}`)
const packageFiles = workspaces.map((folder) => `${folder}/package.json`)
const ownVersion = /^( {2}"version": ")[^"]+(")/m
const lines = {
  'clients/n8n/package.json': [ownVersion],
  'clients/zapier/package.json': [ownVersion],
  'clients/python/pyproject.toml': [/^(version = ")[^"]+(")/m],
  'clients/python/src/parley/__init__.py': [/^(__version__ = ")[^"]+(")/m],
  'deploy/helm/parley/Chart.yaml': [/^(version: )\S+()$/m, /^(appVersion: ")[^"]+(")$/m],
}

const [asked] = process.argv.slice(2)
if (asked !== undefined && asked !== '--check') setRoot(asked)
const { version } = JSON.parse(read('package.json'))
const texts = new Map([
  ...packageFiles.map((name) => [name, json(name, (one) => withVersion(one))]),
  ['package-lock.json', json('package-lock.json', withLockedVersions)],
  ...Object.entries(lines).map(([name, patterns]) => [name, withLines(name, patterns)]),
])
const stale = [...texts].filter(([name, text]) => read(name) !== text)
if (asked === '--check') check()
else for (const [name, text] of stale) writeFileSync(join(root, name), text)
if (process.exitCode === undefined) console.log(`Version ${version}`)

function setRoot(wanted) {
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(wanted))
    throw new Error(`${wanted} is not a version. Give one such as 1.2.0 or 1.2.0-rc.1.`)
  writeFileSync(join(root, 'package.json'), read('package.json').replace(/("version": ")[^"]+/, `$1${wanted}`))
}

function json(name, change) {
  const value = JSON.parse(read(name))
  change(value)
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Its own, and that of those it is released with. */
function withVersion(one) {
  one.version = version
  for (const kind of ['dependencies', 'devDependencies'])
    for (const name of Object.keys(one[kind] ?? {})) if (name.startsWith('@parley/')) one[kind][name] = version
}

function withLockedVersions(lock) {
  lock.version = version
  for (const folder of ['', ...workspaces]) withVersion(lock.packages[folder])
}

function withLines(name, patterns) {
  return patterns.reduce((text, pattern) => {
    if (!pattern.test(text)) throw new Error(`${name} has no line like ${pattern}`)
    return text.replace(pattern, `$1${version}$2`)
  }, read(name))
}

function check() {
  if (stale.length === 0) return
  console.error(`Not of version ${version}: ${stale.map(([name]) => name).join(', ')}\nRun: node scripts/version.mjs`)
  process.exitCode = 1
}
