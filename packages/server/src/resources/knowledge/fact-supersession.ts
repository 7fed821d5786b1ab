// The slot of a fact: its subject and key. Unless the key may hold many values, one confirmed fact stands in a slot and
// the others give way to it.
import { type FactStatus, facts, limits, type Row } from '@parley/contract'
import { conflict } from '../../store/api-error.js'
import { fenceNamed, findingNewest } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import { definitionLookup } from './fact-definitions.js'

export type Fact = Row<typeof facts>
export type Slot = Pick<Fact, 'subjectType' | 'subjectId' | 'key'>

/** As many facts give way in one commit. A slot with more waiting than that needs someone to reject them. */
const GIVING_WAY_MAX = 1_000

/** The statuses of facts that are proposed or stand. */
export const openStatuses: readonly FactStatus[] = ['proposed', 'confirmed', 'promoted']

/**
 * Bumped by every fact that enters the slot and by every one that is confirmed in it. Read it before the slot's facts,
 * or beside them.
 */
export const slotFence = ({ subjectType, subjectId, key }: Slot) =>
  fenceNamed(`fact-slot:${subjectType}:${subjectId}:${key}`)

/** What `standingOf` looks up. */
export const standingLookups = ({ subjectType, subjectId, key }: Slot) =>
  [
    slotFence({ subjectType, subjectId, key }),
    definitionLookup(key),
    // The fact itself may be among them.
    findingNewest(facts, { subjectType, subjectId, key, status: openStatuses }, GIVING_WAY_MAX + 2),
  ] as const

/** What else is proposed or stands in the slot of a fact. */
function rivalsOf(fact: Fact, open: readonly Fact[]): Fact[] {
  const { subjectType, subjectId, key } = fact
  const rivals = open.filter(({ id }) => id !== fact.id)
  if (rivals.length > GIVING_WAY_MAX) {
    throw conflict('slot_full', `More than ${GIVING_WAY_MAX} facts wait in this slot; reject some first`, {
      subjectType,
      subjectId,
      key,
    })
  }
  return rivals
}

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
export async function standingOf(work: Work, fact: Fact): Promise<Standing> {
  const [fence, [definition], open] = await work.lookUp(...standingLookups(fact))
  work.addFence(fence)
  // A key that may hold many values has no rivals.
  const rivals = definition?.cardinality === 'many' ? [] : rivalsOf(fact, open)
  const fresher = rivals
    .filter((rival) => rival.status !== 'proposed' && rival.observedAt > fact.observedAt)
    .sort((a, b) => (a.observedAt < b.observedAt ? 1 : -1))[0]
  return { fresher, older: rivals.filter((rival) => rival.observedAt <= fact.observedAt) }
}

export const givenWay = (fact: Fact, to: Fact, now: Date): Fact => ({
  ...fact,
  status: 'superseded',
  supersededById: to.id,
  supersededAt: now.toISOString(),
})

/**
 * What was proposed in a call and taken back there: rejected by nobody, or replaced by a proposal on which nobody has
 * decided. It may be said anew. `ofCall` are the facts of its key in that call.
 */
export const isTakenBack = (fact: Fact, ofCall: readonly Fact[]): boolean =>
  (fact.status === 'rejected' && fact.rejectedBy === null) ||
  (fact.status === 'superseded' &&
    fact.confirmedVia === null &&
    ofCall.some(({ id, confirmedVia }) => id === fact.supersededById && confirmedVia === null))

/** Facts that give way to another, each with its event. */
export function supersede(work: Work, giving: readonly Fact[], to: Fact): void {
  for (const fact of giving) publishSuperseded(work, work.update(facts, givenWay(fact, to, work.now)), to)
}

export function publishSuperseded(work: Work, fact: Fact, to: Fact): void {
  work.publish('fact.superseded', { ...factData(fact), supersededById: to.id })
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
