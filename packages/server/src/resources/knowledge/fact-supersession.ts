// The slot of a fact: its subject and key. Unless the key may hold many values, one confirmed fact stands in a slot and
// the others give way to it.
import { type FactStatus, facts, limits, type Row } from '@parley/contract'
import { conflict } from '../../store/api-error.js'
import type { Change, Fence } from '../../store/change.js'
import type { Reader } from '../../store/reader.js'
import { nextVersion } from '../generic/record-values.js'
import type { WriteContext } from '../generic/system-caller.js'
import { findDefinition } from './fact-definitions.js'

export type Fact = Row<typeof facts>
export type Slot = Pick<Fact, 'subjectType' | 'subjectId' | 'key'>

/** As many facts give way in one commit. A slot with more waiting than that needs someone to reject them. */
const GIVING_WAY_MAX = 1_000

const openStatuses: readonly FactStatus[] = ['proposed', 'confirmed', 'promoted']

/**
 * Bumped by every fact that enters the slot and by every one that is confirmed in it. Read it before the slot's facts.
 */
export const slotFence = (read: Reader, { subjectType, subjectId, key }: Slot): Promise<Fence> =>
  read.fence(`fact-slot:${subjectType}:${subjectId}:${key}`)

/** The facts of a slot that came from one call, stored or about to be made. */
export async function factsOfCall(
  change: Change,
  read: Reader,
  { subjectType, subjectId, key }: Slot,
  sourceCallSessionId: string,
): Promise<Fact[]> {
  const stored = await read.find(facts, { subjectType, subjectId, key, sourceCallSessionId })
  return withPending(change, stored).filter(
    (fact) => isIn(fact, { subjectType, subjectId, key }) && fact.sourceCallSessionId === sourceCallSessionId,
  )
}

/** What else is proposed or stands in the slot of a fact; empty when the key may hold many values. */
async function rivalsOf(change: Change, read: Reader, fact: Fact): Promise<Fact[]> {
  const definition = await findDefinition(change, read, fact.key)
  if (definition?.cardinality === 'many') return []
  const { subjectType, subjectId, key } = fact
  const conditions = [
    ...Object.entries({ subjectType, subjectId, key }).map(([field, value]) => ({ field, op: '=' as const, value })),
    { field: 'status', op: 'in' as const, value: openStatuses },
  ]
  // The fact itself may be among them.
  const stored = await read.list(facts, { conditions, limit: GIVING_WAY_MAX + 2 })
  const open = withPending(
    change,
    stored.map(({ text }): Fact => JSON.parse(text)),
  )
  const rivals = open.filter(
    (rival) => rival.id !== fact.id && isIn(rival, fact) && openStatuses.includes(rival.status),
  )
  if (rivals.length > GIVING_WAY_MAX) {
    throw conflict('slot_full', `More than ${GIVING_WAY_MAX} facts wait in this slot; reject some first`, {
      subjectType,
      subjectId,
      key,
    })
  }
  return rivals
}

/** The stored facts as the change leaves them, and those that it makes. */
function withPending(change: Change, stored: readonly Fact[]): Fact[] {
  const byId = new Map([...stored, ...change.pending(facts)].map((fact) => [fact.id, fact]))
  return [...byId.values()]
}

const isIn = (fact: Slot, slot: Slot): boolean =>
  fact.subjectType === slot.subjectType && fact.subjectId === slot.subjectId && fact.key === slot.key

export interface Standing {
  /**
   * The fresher confirmed fact to which this one gives way at once: a late transcript does not overwrite fresher truth.
   */
  readonly fresher: Fact | undefined
  /** The facts observed no later, which give way to this one. */
  readonly older: readonly Fact[]
}

/**
 * What becomes of the slot when this fact is confirmed or promoted. The change is fenced, so that two confirmations
 * meet.
 */
export async function standingOf(change: Change, read: Reader, fact: Fact): Promise<Standing> {
  change.fence(await slotFence(read, fact))
  const rivals = await rivalsOf(change, read, fact)
  const fresher = rivals
    .filter((rival) => rival.status !== 'proposed' && rival.observedAt > fact.observedAt)
    .sort((a, b) => (a.observedAt < b.observedAt ? 1 : -1))[0]
  return { fresher, older: rivals.filter((rival) => rival.observedAt <= fact.observedAt) }
}

/**
 * Writes the next state of a fact, and returns the fact as it will be read: one that this change already writes keeps
 * that one version.
 */
export function putFact(change: Change, { now }: Pick<WriteContext, 'now'>, fact: Fact): Fact {
  change.update(facts, nextVersion(fact, now))
  return change.pending(facts).find(({ id }) => id === fact.id) as Fact
}

export const givenWay = (fact: Fact, to: Fact, now: Date): Fact => ({
  ...fact,
  status: 'superseded',
  supersededById: to.id,
  supersededAt: now.toISOString(),
})

/** Facts that give way to another, each with its event. */
export function supersede(change: Change, input: Pick<WriteContext, 'now'>, giving: readonly Fact[], to: Fact): void {
  const pending = new Set(change.pending(facts).map(({ id }) => id))
  for (const fact of giving) {
    const given = givenWay(fact, to, input.now)
    publishSuperseded(
      change,
      pending.has(fact.id) ? putFact(change, input, given) : putStored(change, input, given),
      to,
    )
  }
}

/**
 * As `putFact`, for a fact that this change has not touched: a slot may hold hundreds, and none of them need be looked
 * for.
 */
function putStored(change: Change, { now }: Pick<WriteContext, 'now'>, fact: Fact): Fact {
  const next = nextVersion(fact, now)
  change.update(facts, next)
  return next
}

export function publishSuperseded(change: Change, fact: Fact, to: Fact): void {
  change.publish('fact.superseded', { ...factData(fact), supersededById: to.id })
}

/** What every event about a fact tells. */
export const factData = (fact: Fact) => ({
  factId: fact.id,
  subjectType: fact.subjectType,
  subjectId: fact.subjectId,
  key: fact.key,
  value: fact.value,
  confidence: fact.confidence,
  fact,
})

/** An event names at most this many; `fact.superseded` tells of each. */
export const namedInEvent = (older: readonly Fact[]): string[] => older.slice(0, limits.listItems).map(({ id }) => id)
