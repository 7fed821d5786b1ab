// Acts through an endpoint from inside, as a request would: the body is checked against the endpoint's shape, its
// handler runs, and its work is committed and announced. For workers that play a client's part.
import type { Database } from '../../database/pool.js'
import { bodyShaper } from '../../http/body-validation.js'
import { type Endpoint, handleWrite, type ReadInput, type Services } from '../../http/endpoint.js'
import type { Caller } from '../../store/caller.js'
import type { Change } from '../../store/change.js'
import { type Committing, commitWithRetry } from '../../store/commit-with-retry.js'
import { ListReader } from '../../store/list-reader.js'
import type { Answer } from '../../store/response.js'
import { Work } from '../../store/work.js'

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
  readonly alongside?: (work: Work, answer: Answer<unknown>) => void
  /** In place of the bytes that the endpoint would have received. */
  readonly receive?: (input: Pick<ReadInput, 'read' | 'caller' | 'services' | 'now'>) => Promise<unknown>
}

export async function invokeEndpoint(
  parts: InvokeParts,
  caller: Caller,
  requestId: string,
  { endpoint, params, body, receive, alongside }: Act,
): Promise<Answer<unknown>> {
  const { database, sealer, clock, onCommit, services } = parts
  const shaped = endpoint.body ? (bodyShaper(endpoint.body)(body, caller.settings) ?? {}) : {}
  const read = new ListReader(database, caller.tenantId)
  const received = await receive?.({ read, caller, services, now: clock() })
  const input = { caller, params, query: {}, body: shaped, requestId, ifMatch: undefined, sealer, services, received }
  const begin = (inside: Database) => new Work(inside, caller, clock(), requestId)
  const outcome = await commitWithRetry(parts, begin, async (work) => {
    const answer = await handleWrite(endpoint, { ...input, now: work.now, work })
    alongside?.(work, answer)
    return answer
  })
  if (outcome.kind !== 'done') throw new Error(`${endpoint.operationId} has no idempotency key to lose`)
  onCommit(outcome.change)
  return outcome.answer
}
