// Runs a handler until its work is committed: a lost race is simply run again on fresh data, until a deadline.
// Writers of one record queue, in this process and after a lost race in the database, so that a crowd waits instead of
// spinning.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, isConnectionLoss, isDiskFull, isTimeout } from '../database/pool.js'
import { LostTransaction } from '../database/transaction.js'
import { ApiError, BeingMoved, unavailable } from './api-error.js'
import { Change, rowKey } from './change.js'
import { type CommitParts, type Committed, commit } from './commit.js'
import { writerQueue } from './contention/writer-queue.js'
import type { Claim } from './idempotency.js'
import { hasLeft, lostRace, permanent, REFUSED, tooManyWriters } from './lost-race.js'
import { idsNamedIn, MERGED_REFERENCE, noSurvivors, readSurvivors, type Survivors } from './merged-ids.js'
import { type Answer, noContent } from './response.js'
import type { Work } from './work.js'

export type Outcome<A> = { kind: 'done'; change: Change; answer: A | Answer } | { kind: 'claimed by another' }

export interface Committing extends CommitParts {
  /** Told of every lost race, by the part of the change that lost it, such as `update_tasks` or `deadlock`. */
  readonly onRetry?: ((part: string) => void) | undefined
}

/** What the handler answers; a worker's has nobody to answer. */
export type Handle<A extends Answer<unknown>> = (work: Work) => Promise<A | void>

const DEADLINE_MS = 5_000
const PAUSE_MS = 10

/**
 * The only retry of writes. A refusal or unique violation met twice in the same way is no race: it is answered at once.
 */
export async function commitWithRetry<A extends Answer<unknown>>(
  committing: Committing,
  begin: (database: Database) => Work,
  handle: Handle<A>,
  claim?: Claim,
): Promise<Outcome<A>> {
  const queue = writerQueue(committing.database)
  /** What other writers may be after as well, as far as the runs before have shown it. */
  const contested = new Set<string>()
  let deadline = Number.POSITIVE_INFINITY
  const met = new Set<string>()
  let survivors: Survivors = noSurvivors
  let latest: Work | undefined
  const run = (database: Database) => {
    latest = begin(database)
    latest.survivors = survivors
    return runHandler(latest, handle, claim, met)
  }
  for (let round = 0; ; round++) {
    try {
      return await attempt(committing, run, contested, claim)
    } catch (error) {
      const race = lostRace(error)
      if (race === undefined) throw translated(error)
      if (race.onlyOnce !== undefined && met.has(race.onlyOnce)) throw translated(permanent(error))
      // Time spent waiting for those ahead, or standing still, is not time lost in races.
      if (error instanceof LostTransaction) deadline = Number.POSITIVE_INFINITY
      deadline = Math.min(deadline, Date.now() + DEADLINE_MS)
      if (Date.now() >= deadline) throw tooManyWriters(race, error)
      if (race.onlyOnce !== undefined) met.add(race.onlyOnce)
      committing.onRetry?.(race.part)
      if (race.part === MERGED_REFERENCE && latest) survivors = await survivorsFor(latest)
      else if (race.onlyOnce === undefined && latest) {
        for (const key of contestedKeys(latest)) contested.add(key)
        queue.heat(contested)
      }
      await sleep(Math.random() * PAUSE_MS * Math.min(round, 10))
    }
  }
}

/** Where the ids lead that the change names, and those of the runs before it. */
const survivorsFor = ({ database, tenantId, change, survivors }: Work): Promise<Survivors> =>
  readSurvivors(database, tenantId, [...survivors.keys(), ...idsNamedIn(change)])

interface Done<A> extends Committed {
  readonly answer: A | Answer
}

async function attempt<A extends Answer<unknown>>(
  committing: Committing,
  run: (database: Database) => Promise<Done<A>>,
  contested: Set<string>,
  claim?: Claim,
): Promise<Outcome<A>> {
  const { database } = committing
  const queue = writerQueue(database)
  const since = queue.moment
  let done: Done<A> | undefined
  if (contested.size === 0) {
    done = await run(database)
    if (done.change.isEmpty && claim === undefined) return { kind: 'done', change: done.change, answer: done.answer }
    for (const key of contestedKeys(done)) contested.add(key)
  }
  const turn = await queue.enter([...contested], since)
  try {
    if (queue.isHot(contested))
      return await queue.alone(contested, async (inside) =>
        commitDone({ ...committing, database: inside }, await run(inside), claim),
      )
    if (turn.isLate || done === undefined) done = await run(database)
    return await commitDone(committing, done, claim)
  } finally {
    turn.leave()
  }
}

async function commitDone<A extends Answer<unknown>>(
  committing: Committing,
  done: Done<A>,
  claim?: Claim,
): Promise<Outcome<A>> {
  const { change, answer } = done
  const isMade = (change.isEmpty && claim === undefined) || (await commit(committing, done, answer, claim))
  return isMade ? { kind: 'done', change, answer } : { kind: 'claimed by another' }
}

/** Under an idempotency key a final refusal is an outcome like any other: stored with the key and replayed. */
async function runHandler<A extends Answer<unknown>>(
  work: Work,
  handle: Handle<A>,
  claim: Claim | undefined,
  met: ReadonlySet<string>,
): Promise<Done<A>> {
  const { caller, now } = work
  try {
    const answer = (await handle(work)) ?? noContent
    return { caller, now, change: work.change, answer }
  } catch (error) {
    if (claim === undefined || !(error instanceof ApiError) || !storedStatuses.includes(error.status)) throw error
    if (error.isRaceable && !met.has(REFUSED)) throw error
    return { caller, now, change: new Change(), answer: claim.refusal(error) }
  }
}

const storedStatuses: readonly number[] = [404, 409, 422]

/** What other writers may be after as well. */
function contestedKeys({ caller: { tenantId }, change }: Pick<Committed, 'caller' | 'change'>): string[] {
  const rows = change.writes.filter(({ kind }) => kind !== 'insert').map(rowKey)
  return [...rows, ...change.fences.map(({ name }) => `fence/${name}`)].map((key) => `${tenantId}/${key}`)
}

/** A failure of the database becomes "not now" instead of "something broke". */
export function translated(error: unknown): unknown {
  if (error instanceof ApiError) return error
  if (hasLeft(error)) return new BeingMoved()
  if (isTimeout(error)) return unavailable('The database took too long; narrow the request or try again')
  if (isDiskFull(error))
    return unavailable('The disk of the database is full; whoever runs the server must make room', 30)
  return isConnectionLoss(error) ? unavailable('The database is away; try again', 2) : error
}
