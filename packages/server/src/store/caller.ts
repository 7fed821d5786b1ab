// Who acts, for which tenant of which organization.
import type { Environment, Scope, TenantSettings } from '@parley/contract'

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
}
