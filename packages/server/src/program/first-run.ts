// The first start on an empty database: an organization, its two keys, its owner's way in, and the file that tells them
// to whoever set the server up.
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withLock } from '../database/advisory-lock.js'
import type { Database } from '../database/pool.js'
import { StartupError } from '../database/startup-error.js'
import { writePrivateFile } from '../embedded-postgres/private-file.js'
import { mintKey } from '../http/gate/api-keys.js'
import { linkLifetimesMs, makeLink } from '../resources/sign-in/one-time-links.js'
import { newId } from '../store/id.js'
import { createOrganization, type FirstKey, hasOrganizations } from './create-organization.js'

export interface FirstRun {
  readonly baseUrl: string
  readonly organizationId: string
  readonly keys: { readonly test: string; readonly live: string }
  /** Signs the owner in, once. */
  readonly signInUrl: string
}

const fileIn = (dataDir: string): string => join(dataDir, 'first-run.json')

/** Any number, as long as every node uses the same. */
const FIRST_RUN_LOCK = 4_827_362

/** Undefined when the database already has organizations. */
export async function firstRun(
  database: Database,
  dataDir: string,
  baseUrl: string,
  now: Date,
): Promise<{ file: string; run: FirstRun } | undefined> {
  await refuseDamagedFile(dataDir)
  // Nodes that start together on one database must not each make an organization.
  return withLock(database, FIRST_RUN_LOCK, async () =>
    (await hasOrganizations(database)) ? undefined : await makeFirst(database, dataDir, baseUrl, now),
  )
}

/**
 * The file is written before the commit: a crash in between leaves a file that the next start overwrites, not keys that
 * nobody knows.
 */
async function makeFirst(
  database: Database,
  dataDir: string,
  baseUrl: string,
  now: Date,
): Promise<{ file: string; run: FirstRun }> {
  const organizationId = newId(now)
  const [test, live] = [mintKey('sandbox'), mintKey('production')]
  const userId = newId(now)
  const link = makeLink(baseUrl, { purpose: 'sign_in', lifetimeMs: linkLifetimesMs.firstRun, userId }, now)
  const run = { baseUrl, organizationId, keys: { test: test.key, live: live.key }, signInUrl: link.url }
  const file = fileIn(dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writePrivateFile(file, `${JSON.stringify(run, null, 2)}\n`)
  const keys: FirstKey[] = [
    { environment: 'sandbox', minted: test },
    { environment: 'production', minted: live },
  ]
  await createOrganization(database, { id: organizationId, name: 'Demo' }, now, keys, { userId, link })
  return { file, run }
}

/** A file that cannot be read as what it was written as would mislead every tool that relies on it. */
async function refuseDamagedFile(dataDir: string): Promise<void> {
  const file = fileIn(dataDir)
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return
  try {
    const { keys }: FirstRun = JSON.parse(text)
    if (typeof keys.test === 'string' && typeof keys.live === 'string') return
  } catch {
    // Falls through to the message below: whatever is wrong with it, the advice is the same.
  }
  throw new StartupError(
    `${file} is damaged. Delete it (your keys go on working), or mint new keys with: parley-server keys mint`,
  )
}

/** The address under which the server was first reached, as the file tells it. */
export async function readBaseUrl(dataDir: string): Promise<string | undefined> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { baseUrl }: Partial<FirstRun> = JSON.parse(text)
  return baseUrl
}
