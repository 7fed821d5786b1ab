// Acts through an endpoint from inside, as a request would: the body is checked against the endpoint's shape, its
// handler runs, and its change is committed and announced. For workers that play a client's part.

import { bodyShaper } from '../../http/body-validation.js'
import type { Caller, Endpoint, Input, Services } from '../../http/endpoint.js'
import { Change } from '../../store/change.js'
import { type Committing, commitWithRetry } from '../../store/commit-with-retry.js'
import { readerOf } from '../../store/reader.js'
import type { Answer } from '../../store/response.js'

export interface InvokeParts extends Committing {
  readonly clock: () => Date
  readonly onCommit: (change: Change) => void
  readonly services: Services
}

export interface Act {
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** Adds what becomes true in the same commit, such as that this was done. */
  readonly alongside?: (change: Change) => void
  /** In place of the bytes that the endpoint would have received. */
  readonly receive?: (input: Pick<Input, 'read' | 'caller' | 'services' | 'now'>) => Promise<unknown>
}

export async function invokeEndpoint(
  parts: InvokeParts,
  caller: Caller,
  requestId: string,
  { endpoint, params, body, receive, alongside }: Act,
): Promise<Answer> {
  const { database, sealer, clock, onCommit, services } = parts
  const { tenantId, organizationId, environment } = caller
  const shaped = endpoint.body ? (bodyShaper(endpoint.body)(body, caller.settings) ?? {}) : {}
  const read = readerOf(database, tenantId)
  const received = await receive?.({ read, caller, services, now: clock() })
  const input = {
    read,
    caller,
    params,
    query: {},
    body: shaped,
    requestId,
    ifMatch: undefined,
    sealer,
    services,
    received,
  }
  const contextNow = () => ({ tenantId, organizationId, environment, now: clock() })
  const outcome = await commitWithRetry(parts, contextNow, async ({ now }) => {
    const result = await endpoint.handle({ ...input, now })
    if (!(result instanceof Change)) throw new Error(`${endpoint.operationId} makes no change`)
    alongside?.(result)
    return result
  })
  if (outcome.kind !== 'done') throw new Error(`${endpoint.operationId} has no idempotency key to lose`)
  onCommit(outcome.change)
  return outcome.change.answer
}
