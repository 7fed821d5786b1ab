// Organizations over all servers, for the operator: where a new one is made, the list of all of them, and changes to
// one that may be moving at the same time.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/pool.js'
import { raw, type Sql, sql } from '../database/sql.js'
import { StartupError } from '../database/startup-error.js'
import { homeOf, isHereOf, settleIn } from '../shards/homes.js'
import { listMoves } from '../shards/move-register.js'
import type { Shard, Shards } from '../shards/shards.js'
import { readShell, writeShell } from '../shards/shells.js'
import { BeingMoved } from '../store/api-error.js'
import { hasLeft } from '../store/lost-race.js'
import { createOrganization } from './create-organization.js'
import { listOrganizations, type OrganizationSummary, type RevokedKey, revokeKey } from './organizations.js'

/**
 * Makes an organization on a server. The directory is told first where it will live: a crash in between leaves a home
 * without anybody, which no key leads to.
 */
export async function createAt(
  { main }: Shards,
  home: Shard,
  organization: { id: string; name: string },
  now: Date,
): Promise<void> {
  if (home !== main) await settleIn(main.database, organization.id, home.name)
  await createOrganization(home.database, organization, now)
  if (home === main) return
  const shell = await readShell(home.database, organization.id)
  if (shell) await writeShell(main.database, shell)
}

/** Oldest first, past an id. The directory knows those of other servers too, but none of their keys. */
export async function listEverywhere(
  { main, all }: Shards,
  wanted: Parameters<typeof listOrganizations>[1],
): Promise<OrganizationSummary[]> {
  if (all.length === 1) return listOrganizations(main.database, wanted)
  const found = (await Promise.all(all.map(({ database }) => listOrganizations(database, wanted)))).flat()
  const byId = new Map<string, OrganizationSummary>()
  for (const one of found) if (one.activeKeys >= (byId.get(one.id)?.activeKeys ?? 0)) byId.set(one.id, one)
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, wanted.limit)
}

/** Longer than a move keeps an organization closed. */
const PATIENCE_MS = 10_000
const PAUSE_MS = 100

/**
 * Changes an organization where it lives, by a statement that does nothing on a server that it has left. `make` gives
 * undefined or false when there was nothing to change, which is true only if it did not move meanwhile.
 */
export const changeWhereItLives = <T>(
  shards: Shards,
  organizationId: string,
  make: (database: Database, isHere: Sql) => Promise<T>,
): Promise<T> =>
  untilMoved(async () => {
    const { main, all } = shards
    const askHome = async () => (all.length === 1 ? main.name : await homeOf(main.database, organizationId))
    const home = await askHome()
    const shard = shards.named(home)
    const isHere = isHereOf(shards, shard)?.organization(sql`${organizationId}::uuid`) ?? raw('true')
    const made = await make(shard.database, isHere)
    if (!made && (await askHome()) !== home) throw new BeingMoved()
    return made
  })

/** A key is on one server, or on its way: then all are asked again. */
export const revokeAnywhere = (
  { main, all }: Shards,
  wanted: Parameters<typeof revokeKey>[1],
): Promise<RevokedKey | undefined> => {
  let isSecondLook = false
  return untilMoved(async () => {
    const found = await Promise.all(all.map(({ database }) => revokeKey(database, wanted, new Date())))
    const revoked = found.find((one) => one !== undefined)
    if (revoked || isSecondLook || all.length === 1) return revoked
    isSecondLook = true
    if ((await listMoves(main.database)).some(({ phase }) => phase !== 'done')) throw new BeingMoved()
    return undefined
  })
}

async function untilMoved<T>(attempt: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS))
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof BeingMoved) && !hasLeft(error)) throw error
      if (Date.now() > deadline)
        throw new StartupError('The organization is being moved. Nothing was changed; try again in a few seconds.')
    }
}
