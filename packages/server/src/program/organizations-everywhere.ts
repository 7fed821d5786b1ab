// Organizations over all servers, for the operator: where a new one is made, and the list of all of them.
import { settleIn } from '../shards/homes.js'
import type { Shard, Shards } from '../shards/shards.js'
import { readShell, writeShell } from '../shards/shells.js'
import { createOrganization } from './create-organization.js'
import { listOrganizations, type OrganizationSummary } from './organizations.js'

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
