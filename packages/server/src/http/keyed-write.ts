// Writes under an idempotency key. Its commit claims the key; whoever finds that it is claimed already is told what was
// answered then.
import type { FastifyRequest } from 'fastify'
import { ApiError, badRequest, unavailable } from '../store/api-error.js'
import { commitWithRetry } from '../store/commit-with-retry.js'
import { type Claim, fingerprint, remember } from '../store/idempotency.js'
import type { Answer } from '../store/response.js'
import { Work } from '../store/work.js'
import { type BaseInput, type Caller, type Endpoint, handleWrite } from './endpoint.js'
import type { Mounting } from './mount.js'
import { errorAnswer } from './respond.js'

export const REPLAYED = { 'idempotent-replayed': 'true' }

/** The key that a request came with. */
export function claimOf(endpoint: Endpoint, request: FastifyRequest): Claim | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || endpoint.idempotent === false || endpoint.method === 'GET' || endpoint.method === 'DELETE')
    return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw badRequest('Idempotency-Key', 'must be 1 to 255 visible characters; a UUID is best', 'header')
  }
  return {
    key,
    fingerprint: fingerprint(request.method, request.url, request.body),
    refusal: (error) => errorAnswer(error, request.id),
  }
}

/** What was answered under the key, if anything was. */
export async function lookForKey(
  { database, sealer, clock }: Mounting,
  { tenantId }: Pick<Caller, 'tenantId'>,
  claim: Claim,
): Promise<Answer | undefined> {
  const known = await remember(database, sealer, tenantId, claim, clock())
  if (known.kind === 'conflict')
    throw new ApiError('idempotency_conflict', 'This Idempotency-Key was used for another request; take a new one')
  return known.kind === 'answered' ? known.answer : undefined
}

export async function write(endpoint: Endpoint, mounting: Mounting, input: BaseInput, claim: Claim | undefined) {
  const { caller, requestId } = input
  let hasRun = false
  const outcome = await commitWithRetry(
    mounting,
    (database) => new Work(database, caller, mounting.clock(), requestId),
    (work) => {
      const isAlone = claim === undefined && !hasRun
      hasRun = true
      return handleWrite(endpoint, { ...input, now: work.now, work, isAlone })
    },
    claim,
  )
  if (outcome.kind === 'done') {
    await mounting.onCommit(outcome.change)
    return { answer: outcome.answer, isReplay: false, isMade: !outcome.change.isEmpty || claim !== undefined }
  }
  const answered = claim && (await lookForKey(mounting, caller, claim))
  if (answered) return { answer: answered, isReplay: true, isMade: true }
  // Nobody has it: it only could not be claimed as of this day.
  if (claim && !claim.atAnyHour) return write(endpoint, mounting, input, { ...claim, atAnyHour: true })
  throw unavailable('The answer to this Idempotency-Key is not there yet; try again')
}
