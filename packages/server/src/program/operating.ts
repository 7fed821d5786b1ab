// What the operator's commands do to organizations and keys, wherever they do it: on the database, or over the platform
// API with `--url`.
import type { AgentWrites, Environment, Scope } from '@parley/contract'
import { Option } from 'commander'
import type { Config } from '../config/config.js'
import type { Database } from '../database/pool.js'
import { StartupError } from '../database/startup-error.js'
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
import { operatingOverNetwork } from './operating-over-network.js'
import { prepare, withDatabase } from './operator-database.js'
import {
  type KeyDetail,
  type ListedKeys,
  type ListedOrganizations,
  listKeys,
  listOrganizations,
  type OrganizationDetail,
  type OrganizationSummary,
  type RevokedKey,
  revokeKey,
  showOrganization,
} from './organizations.js'

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
  createOrganization(name: string, isForced: boolean): Promise<NamedOrganization>
  listOrganizations(wanted: ListedOrganizations): Promise<OrganizationSummary[]>
  showOrganization(id: string): Promise<OrganizationDetail | undefined>
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
  if (url === undefined) return withDatabase((database, config) => use(onDatabase(database), config))
  const base = readUrl(url)
  if (base === undefined || !/^https?:$/.test(base.protocol))
    throw new StartupError('--url takes the address of the service, for example https://api.example.com.')
  const { platformKey } = settingsFromEnvironment()
  if (platformKey === undefined)
    throw new StartupError('With --url, set PARLEY_PLATFORM_KEY. Mint one with: parley-server platform-keys mint')
  await use(operatingOverNetwork(base.href, platformKey), undefined)
}

const onDatabase = (database: Database): Operating => ({
  async createOrganization(name, isForced) {
    await prepare(database)
    return createNamedOrganization(database, name, new Date(), isForced)
  },
  listOrganizations: (wanted) => listOrganizations(database, wanted),
  showOrganization: (id) => showOrganization(database, id),
  setEnabled: (id, isEnabled) => setEnabled(database, id, isEnabled),
  setLimits: (id, changes, isReset) => setLimits(database, id, changes, isReset),
  mintKey: ({ organizationId, environment, scope, name, agentWrites }) =>
    mintKeyFor(database, organizationId, environment, scope, name, new Date(), agentWrites),
  listKeys: (wanted) => listKeys(database, wanted),
  revokeKey: (wanted) => revokeKey(database, wanted, new Date()),
})
