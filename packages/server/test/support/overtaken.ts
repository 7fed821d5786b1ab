// Plays what two processes do to each other, step by step: in one process writers queue for each other, and such a race
// is rarely met.
import { columnName } from '@parley/contract'
import type { Database } from '../../src/database/pool.js'
import type { Sql } from '../../src/database/sql.js'
import { type Endpoint, handleWrite, type Input } from '../../src/http/endpoint.js'
import { commit } from '../../src/store/commit.js'
import { committing, systemWork } from './committing.js'
import { tenantOf } from './events.js'
import type { Client, Service } from './service.js'

export interface Overtaking {
  readonly endpoint: Endpoint | undefined
  readonly body: object
  /** Right after the handler has looked for a record by this field … */
  readonly field: string
  /** … for this time, the first unless said otherwise, … */
  readonly look?: number
  /** … this happens. */
  readonly meanwhile: () => Promise<unknown>
}

/**
 * What the overtaken handler wants to answer, and its commit, not tried again; undefined when it did not look that
 * often.
 */
export async function overtaken(
  service: Service,
  api: Client,
  { endpoint, body, field, look = 1, meanwhile }: Overtaking,
) {
  if (endpoint === undefined) throw new Error('Nothing to try')
  let looks = 0
  const read: Database['read'] = async <T extends unknown[]>(statement: Sql) => {
    const found = await service.database.read<T>(statement)
    if (statement.parts.some((part) => part.includes(`"${columnName(field)}"`)) && ++looks === look) await meanwhile()
    return found
  }
  const work = await systemWork({ ...service.database, read }, await tenantOf(service, api))
  const { caller, now, requestId } = work
  const parts = committing(service.database)
  const input = { work, caller, now, requestId, params: {}, query: {}, body, ifMatch: undefined, sealer: parts.sealer }
  const answer = await handleWrite(endpoint, input as unknown as Input)
  if (looks < look) return undefined
  return { status: answer.status, commit: () => commit(parts, work, answer) }
}
