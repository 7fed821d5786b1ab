// Who acts, when and on what data: what every function that adds to a Change needs of its request. A worker that acts
// without a request makes one here.
import { defaultSettings, type Environment, type TenantSettings } from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { sql } from '../../database/sql.js'
import type { Input } from '../../http/endpoint.js'
import type { Change } from '../../store/change.js'
import { type Committing, commitWithRetry } from '../../store/commit-with-retry.js'
import { readerOf } from '../../store/reader.js'

export type WriteContext = Pick<Input, 'read' | 'caller' | 'now' | 'requestId'>

/** What a worker needs to commit. */
export interface SystemParts extends Committing {
  readonly clock: () => Date
  /** Told of every commit, so that waiting workers look at once. */
  readonly onCommit: (change: Change) => void
}

/** The service itself acting on one side, in the name of one of its workers; undefined when the side is gone. */
export async function systemContext(
  database: Database,
  tenantId: string,
  worker: string,
  now: Date,
): Promise<WriteContext | undefined> {
  const [row] = await database.read<[string, string, Environment, TenantSettings]>(sql`
    select o.id, o.name, t.environment, t.settings from tenants t join organizations o on o.id = t.organization_id where t.id = ${tenantId}`)
  if (row === undefined) return undefined
  const [organizationId, organizationName, environment, settings] = row
  return {
    read: readerOf(database, tenantId),
    caller: {
      tenantId,
      organizationId,
      organizationName,
      environment,
      scope: 'ADMIN',
      actor: { type: 'system', id: tenantId },
      settings: { ...defaultSettings, ...settings },
    },
    now,
    requestId: `system:${worker}`,
  }
}

/**
 * Runs a handler of the service's own until its change is committed, as a request would be. Returns the change, or
 * undefined when the side is gone.
 */
export async function commitAsSystem(
  parts: SystemParts,
  tenantId: string,
  worker: string,
  handle: (input: WriteContext) => Promise<Change>,
): Promise<Change | undefined> {
  const { database, clock, onCommit } = parts
  const found = await systemContext(database, tenantId, worker, clock())
  if (found === undefined) return undefined
  const { organizationId, environment } = found.caller
  const contextNow = () => ({ tenantId, organizationId, environment, now: clock() })
  const outcome = await commitWithRetry(parts, contextNow, ({ now }) => handle({ ...found, now }))
  if (outcome.kind !== 'done') return undefined
  onCommit(outcome.change)
  return outcome.change
}
