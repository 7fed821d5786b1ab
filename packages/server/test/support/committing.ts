// What it takes to commit outside of a request, as the server itself is wired.
import type { Database } from '../../src/database/pool.js'
import { fanOutToSubscriptions } from '../../src/delivery/queue/fan-out.js'
import { systemCaller } from '../../src/resources/generic/system-caller.js'
import type { CommitParts } from '../../src/store/commit.js'
import { createSealer } from '../../src/store/secret-box.js'
import { Work } from '../../src/store/work.js'
import { secret } from './service.js'

export const committing = (database: Database): CommitParts => ({
  database,
  sealer: createSealer(secret),
  fanOut: fanOutToSubscriptions,
})

/** Work for a tenant, as one of the service's own workers would do it. */
export async function systemWork(database: Database, tenantId: string, now: Date = new Date()): Promise<Work> {
  const caller = await systemCaller(database, tenantId)
  if (caller === undefined) throw new Error('There is no such tenant')
  return new Work(database, caller, now, 'system:test')
}
