// Plays what two processes do to each other, step by step: in one process writers queue for each other, and such a race
// is rarely met.
import type { Endpoint, Input } from '../../src/http/endpoint.js'
import { systemContext } from '../../src/resources/generic/system-caller.js'
import type { Change } from '../../src/store/change.js'
import { commit } from '../../src/store/commit.js'
import type { Reader } from '../../src/store/reader.js'
import { createSealer } from '../../src/store/secret-box.js'
import { tenantOf } from './events.js'
import { type Client, type Service, secret } from './service.js'

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
  const acting = await systemContext(service.database, await tenantOf(service, api), 'test', new Date())
  if (acting === undefined || endpoint === undefined) throw new Error('Nothing to try')
  const sealer = createSealer(secret)
  let looks = 0
  const find: Reader['find'] = async (entity, where, limit) => {
    const found = await acting.read.find(entity, where, limit)
    if (field in where && ++looks === look) await meanwhile()
    return found
  }
  const input = { ...acting, read: { ...acting.read, find }, params: {}, query: {}, body, ifMatch: undefined, sealer }
  const change = (await endpoint.handle(input as unknown as Input)) as Change
  if (looks < look) return undefined
  const { tenantId, organizationId, environment } = acting.caller
  return {
    status: change.answer.status,
    commit: () => commit(service.database, sealer, { tenantId, organizationId, environment, now: new Date() }, change),
  }
}
