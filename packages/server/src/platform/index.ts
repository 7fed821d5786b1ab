// Every endpoint of the platform API: its table of contents, as a value.
import type { Network } from '../delivery/transport/address-policy.js'
import type { Endpoint } from '../http/endpoint.js'
import { requestLogEndpoints } from '../resources/request-log/request-log-endpoints.js'
import { platformDocumentEndpoint } from './openapi-endpoint.js'
import { organizationKeyEndpoints } from './organization-keys.js'
import { type Elsewhere, organizationEndpoints } from './organizations.js'
import { platformEventEndpoints } from './platform-events.js'
import { platformWebhookEndpoints } from './platform-webhooks.js'
import { usageEndpoints } from './usage.js'

export interface PlatformParts {
  /** Networks that webhooks may reach besides public addresses. */
  readonly webhookNetworks: readonly Network[]
  /** Where organizations live on several servers. */
  readonly elsewhere?: Elsewhere
}

export function platformEndpointsWith({ webhookNetworks, elsewhere }: PlatformParts): readonly Endpoint[] {
  const described = [
    ...organizationEndpoints(elsewhere),
    ...usageEndpoints,
    ...organizationKeyEndpoints,
    ...platformEventEndpoints,
    ...platformWebhookEndpoints(webhookNetworks),
    ...requestLogEndpoints.map(ofPlatform),
  ]
  return [...described, platformDocumentEndpoint(described)]
}

/** The log of requests that came with platform keys: who did what, and how it was answered. */
const ofPlatform = (one: Endpoint): Endpoint => ({
  ...one,
  scope: 'any',
  platformScope: 'read',
  ...(one.operationId === 'listRequestLog' && { summary: 'List requests that came with platform keys, newest first' }),
})

/** The endpoints of any server: paths, scopes and shapes are the same everywhere. */
export const platformEndpoints: readonly Endpoint[] = platformEndpointsWith({ webhookNetworks: [] })
