// Works on what providers sent: claims a request, reads it again, takes its steps one by one, and settles it. It is
// tried again when something is in the way, at most as often as there are delays, and then stays readable as failed.
import { integrationConnections } from '@parley/contract'
import { toError } from '../../database/error-code.js'
import { isConnectionLoss } from '../../database/pool.js'
import { UnreadableRequest } from '../../providers/provider.js'
import { providerNamed } from '../../providers/table.js'
import { createQueueWorker, type QueueWorker } from '../../queue/queue-worker.js'
import { ApiError } from '../../store/api-error.js'
import { Reader } from '../../store/reader.js'
import { systemCaller } from '../generic/system-caller.js'
import {
  type ClaimedRequest,
  claimRequests,
  findDueRequest,
  findRepeated,
  releaseHeld,
  type Settlement,
  settleRequest,
} from './inbound-queue.js'
import { type StepParts, takeStep } from './take-step.js'

export interface InboundWorkerParts extends StepParts {
  readonly onTrouble: (error: Error) => void
  /** Waits before each further try; after the last one the request has failed. */
  readonly retryDelaysMs: readonly number[]
}

/** Longer than all steps of a request take. */
const LEASE_MS = 30_000
const SLOTS = 16
const ERROR_LENGTH = 2_000

export function createInboundWorker(parts: InboundWorkerParts): QueueWorker {
  // The next of a conversation can be taken only when the one before it is done: then it is looked again.
  let inWork = 0
  return createQueueWorker<ClaimedRequest>({
    database: parts.database,
    findDue: () => findDueRequest(parts.clock()),
    slots: SLOTS,
    onTrouble: parts.onTrouble,
    work: (claimed) => work(parts, claimed).finally(() => inWork--),
    async claim(room) {
      const isMoreHeld = await releaseHeld(parts.database, parts.clock())
      const items = await claimRequests(parts.database, parts.clock(), LEASE_MS, room)
      inWork += items.length
      return { items, hasMore: isMoreHeld || inWork > 0 }
    },
  })
}

async function work(parts: InboundWorkerParts, claimed: ClaimedRequest): Promise<void> {
  const verdict = await verdictOn(parts, claimed).catch((error: unknown) => judged(parts, claimed, error))
  if (verdict) await settleRequest(parts.database, claimed, { ...verdict, at: parts.clock() })
}

type Verdict = Omit<Settlement, 'at'>

const done = (status: 'processed' | 'ignored' | 'failed', error: string | null = null): Verdict => ({
  status,
  error,
  dueAt: null,
})

async function verdictOn(parts: InboundWorkerParts, claimed: ClaimedRequest): Promise<Verdict> {
  const { database } = parts
  const { tenantId, connectionId, step: taken, decided } = claimed
  const caller = await systemCaller(database, tenantId)
  const connection = await new Reader(database, tenantId).get(integrationConnections, connectionId)
  const provider = connection && providerNamed(connection.provider)
  if (caller === undefined || provider?.read === undefined) return done('failed', 'The connection was deleted')
  const repeated = taken === 0 ? await findRepeated(database, claimed) : undefined
  if (repeated !== undefined) return done('ignored', `Repeats the request ${repeated}`)
  const told = provider.read(claimed)
  if (told.ignored !== undefined) return done('ignored', told.ignored)
  const reasons: string[] = []
  const steps = told.steps(decided)
  for (const [index, step] of steps.entries()) {
    if (index < taken) continue
    const nothing = await takeStep({ parts, caller, claimed }, step, index + 1)
    if (nothing !== undefined) reasons.push(nothing)
  }
  const isIdle = taken === 0 && reasons.length === steps.length
  return isIdle ? done('ignored', [...new Set(reasons)].join('; ') || 'Nothing follows from it') : done('processed')
}

/** What a body says wrong it will go on saying; everything else may pass. Undefined: the lease decides. */
function judged({ clock, retryDelaysMs, onTrouble }: InboundWorkerParts, claimed: ClaimedRequest, error: unknown) {
  if (isConnectionLoss(error)) return undefined
  const message = toError(error).message.slice(0, ERROR_LENGTH)
  if (error instanceof UnreadableRequest || (error instanceof ApiError && [400, 422].includes(error.status)))
    return done('failed', message)
  if (!(error instanceof ApiError)) onTrouble(toError(error))
  const delayMs = retryDelaysMs[claimed.attempts - 1]
  if (delayMs === undefined) return done('failed', message)
  return { status: 'pending' as const, error: message, dueAt: new Date(clock().getTime() + delayMs) }
}
