// One PostgreSQL for the whole run: the embedded one, or the server that TEST_DATABASE_URL names. Every test file gets
// a database of its own, copied from a template that is migrated once. The cockpit and the documentation are built
// before anything starts, because a server looks for them once.
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../../src/database/pool.js'
import { type EmbeddedDatabase, startEmbedded } from '../../../src/embedded-postgres/embedded.js'
import { prepareDatabase } from '../../../src/server/server.js'
import { patient, templateName, urlOf } from '../databases.js'
import { makeProgramFolder } from './bundled-programs.js'
import { makeScratchFolder } from './scratch-folder.js'

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string
  }
}

const root = fileURLToPath(new URL('../../../../..', import.meta.url))

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL']
  const folder = given ? undefined : await makeScratchFolder('parley-test-')
  const embedded = folder ? await startForTests(join(folder, 'data')) : undefined
  const url = patient(given ?? embedded?.url ?? '')
  await Promise.all([makeTemplate(url), buildPages('cockpit'), buildPages('docs')])
  const programFolder = await makeProgramFolder()
  project.provide('databaseUrl', url)
  project.provide('programFolder', programFolder)
  console.log(`Tests run on ${given ? 'the server of TEST_DATABASE_URL' : 'embedded PostgreSQL'}`)
  return async () => {
    await dropAll(url)
    await embedded?.stop()
    for (const made of [folder, programFolder]) if (made) await rm(made, { recursive: true, force: true })
  }
}

/**
 * Nothing of a run is worth keeping when the machine goes down, and writing it out for good is slow; and several workers
 * with several nodes each have many connections. What a test holds open it may hold for as long as a slow machine takes.
 */
const settingsOfTests = [
  'fsync = off',
  'full_page_writes = off',
  'max_connections = 300',
  'idle_in_transaction_session_timeout = 0',
  'scram_iterations = 1',
]

async function startForTests(folder: string): Promise<EmbeddedDatabase> {
  const first = await startEmbedded(folder, () => {})
  await onServer(first.url, async (client) => {
    for (const setting of settingsOfTests) await client.query(`alter system set ${setting}`)
  })
  await first.stop()
  const embedded = await startEmbedded(folder, () => {})
  await hashPasswordAgain(embedded.url)
  return embedded
}

/** In as few rounds as the settings say now: the thousands of connections of a run are not what they protect. */
const hashPasswordAgain = (url: string) =>
  onServer(url, (client) =>
    client.query(`alter role current_user password ${client.escapeLiteral(client.password ?? '')}`),
  )

/** Nothing is done when what is there was made from the same sources. */
const buildPages = (part: 'cockpit' | 'docs') =>
  promisify(execFile)(process.execPath, [join(root, `scripts/build-${part}.mjs`)])

async function makeTemplate(url: string): Promise<void> {
  await dropAll(url)
  await onServer(url, (client) => client.query(`create database ${templateName}`))
  const database = openDatabase({ url: urlOf(url, templateName), connections: 2, statementTimeoutMs: 0 })
  await prepareDatabase(database)
  await database.close()
}

/** What an earlier run that was killed may have left on a server that outlives it. */
async function dropAll(url: string): Promise<void> {
  await onServer(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      "select datname from pg_database where datname like 'parley\\_test\\_%'",
    )
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
  })
}

async function onServer<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
