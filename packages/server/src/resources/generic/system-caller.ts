// The service itself acting for a tenant, in the name of one of its workers, as a request would.
import { defaultSettings, type Environment, type TenantSettings } from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { sql } from '../../database/sql.js'
import { type Caller, PLATFORM_ID, platformCaller } from '../../store/caller.js'
import type { Change } from '../../store/change.js'
import { type Committing, commitWithRetry } from '../../store/commit-with-retry.js'
import { Work } from '../../store/work.js'

/** What a worker needs to commit. */
export interface SystemParts extends Committing {
  readonly clock: () => Date
  /** Told of every commit, so that waiting workers look at once. */
  readonly onCommit: (change: Change) => void
}

/** Undefined when the tenant is gone. */
export async function systemCaller(database: Database, tenantId: string): Promise<Caller | undefined> {
  if (tenantId === PLATFORM_ID) return platformCaller({ type: 'system', id: tenantId })
  const [row] = await database.read<[string, string, Environment, TenantSettings]>(sql`
    select o.id, o.name, t.environment, t.settings
    from tenants t join organizations o on o.id = t.organization_id where t.id = ${tenantId}`)
  if (row === undefined) return undefined
  const [organizationId, organizationName, environment, settings] = row
  return {
    tenantId,
    organizationId,
    organizationName,
    environment,
    scope: 'ADMIN',
    actor: { type: 'system', id: tenantId },
    settings: { ...defaultSettings, ...settings },
  }
}

/**
 * Runs a handler of the service's own until its work is committed, as a request's would be. Returns the change, or
 * undefined when the tenant is gone.
 */
export async function commitAsSystem(
  parts: SystemParts,
  tenantId: string,
  worker: string,
  handle: (work: Work) => Promise<void>,
): Promise<Change | undefined> {
  const { database, clock, onCommit } = parts
  const caller = await systemCaller(database, tenantId)
  if (caller === undefined) return undefined
  const begin = (inside: Database) => new Work(inside, caller, clock(), `system:${worker}`)
  const outcome = await commitWithRetry(parts, begin, handle)
  if (outcome.kind !== 'done') return undefined
  onCommit(outcome.change)
  return outcome.change
}
