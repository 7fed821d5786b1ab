// Writes src/generated: the contract as plain TypeScript, so that the published types stand on their own, and every
// entity as a property of the client.
// Usage: node scripts/generate.mjs [--check]    (--check writes nothing and fails when a file is stale)
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { entitiesFile } from './generate/entities.mjs'
import { eventsFile } from './generate/events.mjs'
import { platformFile } from './generate/platform.mjs'
import { recordsFile } from './generate/records.mjs'
import { shapesFile } from './generate/shapes.mjs'

const folder = fileURLToPath(new URL('../src/generated/', import.meta.url))
const biome = fileURLToPath(new URL('../../../node_modules/.bin/biome', import.meta.url))
const marked = (text) =>
  text.replace(/^\/\/ (.*)\n/, '// $1 Generated from the contract by scripts/generate.mjs; do not edit.\n')
const formatted = (name, text) =>
  execFileSync(biome, ['check', '--write', '--stdin-file-path', folder + name], {
    input: marked(text),
    encoding: 'utf8',
  })

const texts = {
  'records.ts': recordsFile(),
  'shapes.ts': shapesFile(),
  'events.ts': eventsFile(),
  'entities.ts': entitiesFile(),
  'platform.ts': platformFile(),
}
const files = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, formatted(name, text)]))

mkdirSync(folder, { recursive: true })
const there = readdirSync(folder)
const strangers = there.filter((name) => !(name in files))

if (process.argv.includes('--check')) check()
else write()

function write() {
  for (const [name, text] of Object.entries(files)) writeFileSync(folder + name, text)
  for (const name of strangers) rmSync(folder + name)
  console.log(`packages/sdk/src/generated: ${Object.keys(files).join(', ')}`)
}

function check() {
  const stale = Object.entries(files).filter(
    ([name, text]) => !there.includes(name) || readFileSync(folder + name, 'utf8') !== text,
  )
  const all = [...stale.map(([name]) => name), ...strangers]
  if (all.length === 0) return console.log('packages/sdk/src/generated is current')
  console.error(`Stale: ${all.map((name) => `packages/sdk/src/generated/${name}`).join(', ')}\nRun: npm run reference`)
  process.exitCode = 1
}
