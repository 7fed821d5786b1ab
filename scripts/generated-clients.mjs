// Generated clients are a test of the OpenAPI document: each generator reads it without a warning, what it writes
// compiles, and the clients with a story create, list, upload a recording and verify a webhook against a real server.
// What cannot be had here is skipped and said. Usage: node scripts/generated-clients.mjs [name …]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clients } from './generated-clients/clients.mjs'
import { startParley } from './generated-clients/parley.mjs'
import { Skipped } from './generated-clients/tools.mjs'

const wanted = process.argv.slice(2)
const home = mkdtempSync(join(tmpdir(), 'parley-clients-'))
const parley = await startParley(home)
let failed = 0
try {
  const documents = await savedDocuments()
  for (const client of clients.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
    await tried(client, documents)
} finally {
  await parley.stop()
  rmSync(home, { recursive: true, force: true })
}
if (failed > 0) process.exitCode = 1

/** Both documents as the server tells them. */
async function savedDocuments() {
  const saved = {}
  for (const name of ['openapi.json', 'openapi-3.0.json']) {
    const file = join(home, name)
    writeFileSync(file, await (await fetch(`${parley.url}/api/v1/${name}`)).text())
    saved[name] = file
  }
  return { newest: saved['openapi.json'], older: saved['openapi-3.0.json'] }
}

async function tried({ name, check }, documents) {
  const folder = join(home, name)
  mkdirSync(folder)
  const begun = Date.now()
  try {
    const done = await check({ folder, documents, parley })
    console.log(`${name}: ${done} (${Math.round((Date.now() - begun) / 1000)} s)`)
  } catch (error) {
    if (error instanceof Skipped) return console.log(`${name}: skipped, ${error.message}`)
    failed += 1
    console.error(`${name}: failed\n${error.message}`)
  }
}
