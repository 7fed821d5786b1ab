// The standing of a fact: confirm and reject, by someone, by a threshold, or with a draft that is approved.
import { factMoves, facts, recordSchema } from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { notFound } from '../../store/api-error.js'
import type { Work } from '../../store/work.js'
import { requireMove } from '../generic/state-transitions.js'
import {
  type Fact,
  factData,
  givenWay,
  namedInEvent,
  publishSuperseded,
  standingOf,
  supersede,
} from './fact-supersession.js'

export type ConfirmedVia = NonNullable<Fact['confirmedVia']>

/**
 * Confirms a proposed fact, stored or about to be made. One that was observed before the slot's confirmed fact ends
 * superseded by that one.
 */
export async function confirmFact(work: Work, fact: Fact, via: ConfirmedVia): Promise<Fact> {
  requireMove(factMoves, 'confirm', fact.status)
  const { fresher, older } = await standingOf(work, fact)
  const confirmedAt = work.now.toISOString()
  const confirmed: Fact = {
    ...fact,
    status: 'confirmed',
    confirmedAt,
    confirmedBy: via === 'threshold' ? null : actorId(work),
    confirmedVia: via,
  }
  const written = work.update(facts, fresher ? givenWay(confirmed, fresher, work.now) : confirmed)
  work.publish('fact.confirmed', { ...factData(written), confirmedVia: via, supersededFactIds: namedInEvent(older) })
  if (fresher) publishSuperseded(work, written, fresher)
  supersede(work, older, written)
  return written
}

/** Rejects a proposed fact. */
export function rejectFact(work: Work, fact: Fact): Fact {
  requireMove(factMoves, 'reject', fact.status)
  const rejected = work.update(facts, {
    ...fact,
    status: 'rejected',
    rejectedAt: work.now.toISOString(),
    rejectedBy: actorId(work),
  })
  work.publish('fact.rejected', factData(rejected))
  return rejected
}

/** Who acts, as a record names it: a user or a key, but not the service itself. */
export const actorId = ({ caller: { actor } }: Pick<Work, 'caller'>): string | null =>
  actor.type === 'system' ? null : actor.id

/** How a confirmation that someone asked for came about. */
export const askedVia = ({ caller }: Pick<Work, 'caller'>): ConfirmedVia =>
  caller.actor.type === 'user' ? 'human' : 'api'

export const isConfirmed = ({ status }: Fact): boolean => status === 'confirmed' || status === 'promoted'

/** The fact that the path names. */
export async function requireFact({ work, params }: Pick<Input, 'work' | 'params'>): Promise<Fact> {
  const fact = await work.get(facts, params['id'] ?? '')
  if (fact === undefined) throw notFound()
  return fact
}

const action = {
  method: 'POST',
  scope: 'WRITE',
  tag: facts.label,
  returns: { status: 200, schema: recordSchema(facts) },
} as const

const confirm: Endpoint = endpoint({
  ...action,
  path: '/facts/{id}/confirm',
  operationId: 'confirmFact',
  summary: 'Confirm a fact',
  description:
    'Idempotent. Other facts of the same subject and key that were observed no later are superseded, unless the ' +
    'key may hold many values.',
  async handle(input) {
    const { work } = input
    const fact = await requireFact(input)
    if (isConfirmed(fact)) return work.respond(200, fact)
    return work.respond(200, await confirmFact(work, fact, askedVia(input)))
  },
})

const reject: Endpoint = endpoint({
  ...action,
  path: '/facts/{id}/reject',
  operationId: 'rejectFact',
  summary: 'Reject a fact',
  async handle(input) {
    const { work } = input
    const fact = await requireFact(input)
    if (fact.status === 'rejected') return work.respond(200, fact)
    return work.respond(200, rejectFact(work, fact))
  },
})

export const factMoveEndpoints: Endpoint[] = [confirm, reject]
