// What the operator's commands do to organizations and keys, wherever they do it: on the database, or over the platform
// API with `--url`.
import type { AgentWrites, Environment, Scope } from '@parley/contract'
import { Option } from 'commander'
import type { Config } from '../config/config.js'
import { StartupError } from '../database/startup-error.js'
import { homeOf, roomiestShard } from '../shards/homes.js'
import type { Shards } from '../shards/shards.js'
import { readUrl } from '../store/url.js'
import {
  createNamedOrganization,
  type LimitChanges,
  mintKeyFor,
  type NamedOrganization,
  setEnabled,
  setLimits,
} from './create-organization.js'
import { settingsFromEnvironment } from './open-database.js'
import { requireShard } from './open-shards.js'
import { operatingOverNetwork } from './operating-over-network.js'
import { prepare, withServers } from './operator-database.js'
import {
  type KeyDetail,
  type ListedKeys,
  type ListedOrganizations,
  listKeys,
  type OrganizationDetail,
  type OrganizationSummary,
  type RevokedKey,
  showOrganization,
} from './organizations.js'
import { changeWhereItLives, createAt, listEverywhere, revokeAnywhere } from './organizations-everywhere.js'

export interface KeyToMint {
  readonly organizationId: string
  readonly environment: Environment
  readonly scope: Scope
  readonly name: string
  readonly agentWrites: AgentWrites
}

/** A key by its id or by itself; over the network also by its organization. */
export type KeyToRevoke = ({ readonly id: string } | { readonly key: string }) & {
  readonly organizationId?: string | undefined
}

/** Undefined and false stand for an organization that is not there. */
export interface Operating {
  /** On the server of that name, else where the least is. */
  createOrganization(name: string, isForced: boolean, shard?: string): Promise<NamedOrganization>
  listOrganizations(wanted: ListedOrganizations): Promise<OrganizationSummary[]>
  showOrganization(id: string): Promise<OrganizationDetail | undefined>
  /** The server it lives on, where there are several. */
  homeOf(id: string): Promise<string | undefined>
  setEnabled(id: string, isEnabled: boolean): Promise<boolean>
  setLimits(id: string, changes: LimitChanges, isReset: boolean): Promise<boolean>
  mintKey(key: KeyToMint): Promise<string | undefined>
  listKeys(wanted: ListedKeys): Promise<KeyDetail[]>
  revokeKey(wanted: KeyToRevoke): Promise<RevokedKey | undefined>
}

export interface Reaching {
  readonly url?: string
}

export const urlOption = (): Option =>
  new Option('--url <url>', 'over the platform API there, with the key in PARLEY_PLATFORM_KEY; not on the database')

/** `settings` are those of the server: known on the database alone. */
export async function withOperating(
  { url }: Reaching,
  use: (operating: Operating, settings: Config | undefined) => Promise<void>,
): Promise<void> {
  if (url === undefined) return withServers((shards, config) => use(onServers(shards), config))
  const base = readUrl(url)
  if (base === undefined || !/^https?:$/.test(base.protocol))
    throw new StartupError('--url takes the address of the service, for example https://api.example.com.')
  const { platformKey } = settingsFromEnvironment()
  if (platformKey === undefined)
    throw new StartupError('With --url, set PARLEY_PLATFORM_KEY. Mint one with: parley-server platform-keys mint')
  await use(operatingOverNetwork(base.href, platformKey), undefined)
}

function onServers(shards: Shards): Operating {
  const { main, all } = shards
  const nameOf = async (id: string) => (all.length === 1 ? undefined : await homeOf(main.database, id))
  const at = async (id: string) => shards.named(await nameOf(id)).database
  return {
    async createOrganization(name, isForced, shard) {
      await prepare(main.database)
      const home = shard === undefined ? await roomiestShard(shards) : requireShard(shards, shard)
      return createNamedOrganization(main.database, name, new Date(), isForced, {
        create: (organization, now) => createAt(shards, home, organization, now),
      })
    },
    listOrganizations: (wanted) => listEverywhere(shards, wanted),
    showOrganization: async (id) => showOrganization(await at(id), id),
    homeOf: nameOf,
    setEnabled: (id, isEnabled) =>
      changeWhereItLives(shards, id, (database, isHere) => setEnabled(database, id, isEnabled, isHere)),
    setLimits: (id, changes, isReset) =>
      changeWhereItLives(shards, id, (database, isHere) => setLimits(database, id, changes, isReset, isHere)),
    mintKey: ({ organizationId: id, environment, scope, name, agentWrites }) =>
      changeWhereItLives(shards, id, (database, isHere) =>
        mintKeyFor(database, id, environment, scope, name, new Date(), agentWrites, isHere),
      ),
    listKeys: async (wanted) => listKeys(await at(wanted.organizationId), wanted),
    revokeKey: (wanted) => revokeAnywhere(shards, wanted),
  }
}
