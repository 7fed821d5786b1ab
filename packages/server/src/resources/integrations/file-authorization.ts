// Opens files that providers keep for a tenant's own account: recordings and media need its credentials there.
import { integrationConnections } from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { providerNamed } from '../../providers/table.js'
import { Reader } from '../../store/reader.js'
import type { Sealer } from '../../store/secret-box.js'
import { readUrl } from '../../store/url.js'
import type { ProviderApis } from './connection-check.js'
import { openConnection } from './connections.js'

export interface AuthorizationParts {
  readonly database: Database
  readonly sealer: Sealer
  readonly apis: ProviderApis
}

const CONNECTIONS_MAX = 100

/** The header for an address at a provider, of whichever connection of the tenant it belongs to. */
export function fileAuthorization({ database, sealer, apis }: AuthorizationParts) {
  return async (tenantId: string, address: string): Promise<string | undefined> => {
    const url = readUrl(address)
    if (url === undefined) return undefined
    const read = new Reader(database, tenantId)
    for (const connection of await read.find(integrationConnections, {}, CONNECTIONS_MAX)) {
      const provider = providerNamed(connection.provider)
      const api = apis(connection.provider)
      if (provider?.authorize === undefined || api === undefined || connection.status === 'revoked') continue
      const header = provider.authorize(url, await openConnection(read, sealer, connection), api)
      if (header !== undefined) return header
    }
    return undefined
  }
}
