// Who acts, for which tenant of which organization.
import { defaultSettings, type Environment, type Scope, type TenantSettings } from '@parley/contract'

export interface Caller {
  readonly tenantId: string
  readonly organizationId: string
  readonly organizationName: string
  readonly environment: Environment
  readonly scope: Scope
  /** The key or the user that acts; `approvedBy`, `confirmedBy` and the history name it. */
  readonly actor: { readonly type: 'key' | 'user' | 'system'; readonly id: string }
  readonly settings: TenantSettings
  /** The rows of a file act, on behalf of whoever sent it. */
  readonly isImport?: true
  /** The server that the organization lives on, where there are several. */
  readonly shard?: string
  /** The organization that the platform acts on, which may be on another server than the platform. */
  readonly aboutOrganizationId?: string
}

/**
 * The platform, as tenant and as organization: what is kept of it belongs to no organization. No tenant has this id,
 * and none can get it.
 */
export const PLATFORM_ID = '00000000-0000-7000-8000-000000000000'

/** Someone who acts on the platform itself. */
export const platformCaller = (actor: Caller['actor']): Caller => ({
  tenantId: PLATFORM_ID,
  organizationId: PLATFORM_ID,
  organizationName: 'Platform',
  environment: 'production',
  scope: 'ADMIN',
  actor,
  settings: defaultSettings,
})
