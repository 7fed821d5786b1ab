// Writes everything that is generated: docs/reference from the contract and the server, so that no page can say
// something else than the code does, and the types and properties of the SDK and of the Python client.
// Usage: npm run reference [-- --check]   (--check writes nothing and fails when a file is stale)
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openApiDocument } from '../packages/server/dist/http/openapi/openapi.js'
import { endpoints } from '../packages/server/dist/resources/index.js'
import { entitiesPage } from './reference/entities.mjs'
import { errorsPage } from './reference/errors.mjs'
import { eventsPage } from './reference/events.mjs'
import { limitsPage } from './reference/limits.mjs'
import { providersPage } from './reference/providers.mjs'
import { settingsPage } from './reference/settings.mjs'
import { statesPage } from './reference/states.mjs'

const folder = fileURLToPath(new URL('../docs/reference/', import.meta.url))

const pages = {
  'openapi.json': `${JSON.stringify(openApiDocument({ endpoints, publicUrl: 'http://127.0.0.1:3000' }), null, 2)}\n`,
  'entities.md': entitiesPage(),
  'events.md': eventsPage(),
  'errors.md': errorsPage(),
  'limits.md': limitsPage(),
  'providers.md': providersPage(),
  'settings.md': settingsPage(),
  'states.md': statesPage(),
}

if (process.argv.includes('--check')) await check()
else await write()
// Both take `--check` from the command line as well.
await import('../packages/sdk/scripts/generate.mjs')
await import('../clients/python/scripts/generate.mjs')

async function write() {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(pages)) await writeFile(folder + name, text)
  for (const name of await strangers()) await rm(folder + name)
  console.log(`docs/reference: ${Object.keys(pages).join(', ')}`)
}

async function check() {
  const differs = await Promise.all(
    Object.entries(pages).map(async ([name, text]) => (await readFile(folder + name, 'utf8').catch(() => '')) !== text),
  )
  const stale = [...Object.keys(pages).filter((_, index) => differs[index]), ...(await strangers())]
  if (stale.length === 0) return console.log('docs/reference is current')
  console.error(`Stale: ${stale.map((name) => `docs/reference/${name}`).join(', ')}\nRun: npm run reference`)
  process.exitCode = 1
}

/** Files that nothing here writes: pages of things that are gone. */
async function strangers() {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => !(name in pages))
}
