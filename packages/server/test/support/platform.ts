// Clients of the platform API, each with a key of its own.
import { type PlatformScope, platformScopes } from '@parley/contract'
import { mintPlatformKeyFor } from '../../src/platform/platform-keys.js'
import { type Client, clientOf, type Service } from './service.js'
import { until } from './until.js'

export const PLATFORM = '/platform/v1'

export interface PlatformClient extends Client {
  readonly keyId: string
}

/** Settles when the service has noticed that there are keys. */
export async function platformClient(
  service: Pick<Service, 'url' | 'database'>,
  scopes: readonly PlatformScope[] = platformScopes,
  { expiresAt = null, url = service.url }: { expiresAt?: Date | null; url?: string } = {},
): Promise<PlatformClient> {
  const { id, key } = await mintPlatformKeyFor(service.database, { name: 'Test', scopes, expiresAt }, new Date())
  const client = clientOf(url, key, PLATFORM)
  await until(
    async () => (await client.get('/openapi.json')).status,
    (status) => status !== 404,
  )
  return { ...client, keyId: id }
}
