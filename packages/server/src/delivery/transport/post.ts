// Brings one POST to a subscriber over whichever of its judged addresses takes it: an idle connection first, then new
// ones in turn, within one deadline. Another address is tried only as long as nothing of the request was written, so
// that the subscriber does not get it twice.

import { type Connection, isReady } from './connection.js'
import type { Connections, Opening, Target } from './connections.js'
import { type Exchange, exchange, type Post } from './exchange.js'
import type { FailedOpening } from './open-socket.js'

export interface PostJob {
  target: Target
  /** All of them judged for this attempt. */
  addresses: readonly string[]
  post: Post
  /** On the clock of `performance`. */
  deadlineAt: number
  /** Asked when everything is ready, just before the first byte goes out. */
  mayWrite?: (() => boolean | Promise<boolean>) | undefined
}

/** Milliseconds of each phase on the address that was tried last. */
export interface Phases {
  connect: number | null
  tls: number | null
  firstByte: number | null
}

export interface Posted {
  outcome: Exchange | { kind: 'withheld' }
  phases: Phases
}

/** A name with more addresses than this is no ordinary subscriber: all of them are judged, but no more are tried. */
const addressesTriedMax = 16
/** How long an address that swallows packets may hold up the next one, at most. */
const addressShareMaxMs = 3_000

export async function postToAny(connections: Connections, job: PostJob): Promise<Posted> {
  const candidates = connections.rank(job.target, job.addresses)
  let candidatesLeft = Math.min(candidates.length, addressesTriedMax)
  let last = outOfTime
  for (const address of candidates) {
    const leftMs = job.deadlineAt - performance.now()
    if (leftMs <= 0 || candidatesLeft === 0) return last
    last = await postTo(
      connections,
      job,
      address,
      candidatesLeft === 1 ? leftMs : Math.min(addressShareMaxMs, leftMs / candidatesLeft),
    )
    if (isFinal(last)) return last
    candidatesLeft--
  }
  return last
}

async function postTo(
  connections: Connections,
  job: PostJob,
  address: string,
  connectWithinMs: number,
): Promise<Posted> {
  const connectUntil = performance.now() + connectWithinMs
  for (;;) {
    const idle = connections.takeIdle(job.target, address)
    if (idle === undefined && performance.now() >= connectUntil) return outOfTime
    const opening: Opening = idle
      ? { kind: 'idle', connection: idle }
      : await connections.open(job.target, address, connectUntil)
    if (opening.kind === 'failed') return unwritten(opening)
    // An idle one may just have carried an answer whose sender closes now, and what comes along with a handshake was
    // not asked for: whatever has come in by this moment is heard first.
    await nextTurn()
    const posted = await postOn(connections, job, opening.connection, phasesOf(opening))
    if (opening.kind === 'open' || isFinal(posted) || posted === outOfTime) return posted
  }
}

type Connected = Exclude<Opening, FailedOpening>

const phasesOf = (opening: Connected): Omit<Phases, 'firstByte'> =>
  opening.kind === 'idle' ? { connect: 0, tls: 0 } : { connect: opening.connectMs, tls: opening.tlsMs }

let turn: Promise<void> | undefined

/** After what has come in so far was heard. All who wait at the same time wait together. */
function nextTurn(): Promise<void> {
  turn ??= new Promise((resolve) =>
    setImmediate(() => {
      turn = undefined
      resolve()
    }),
  )
  return turn
}

async function postOn(
  connections: Connections,
  job: PostJob,
  connection: Connection,
  phases: Omit<Phases, 'firstByte'>,
): Promise<Posted> {
  const { post, deadlineAt, mayWrite } = job
  // Awaited only where it takes time: this is on the way of every request.
  const may = mayWrite?.() ?? true
  const isAllowed = may === true || (await orDiscard(connections, connection, may))
  if (!isAllowed) {
    connections.keep(connection)
    return { outcome: { kind: 'withheld' }, phases: { ...phases, firstByte: null } }
  }
  const startedAt = performance.now()
  if (startedAt >= deadlineAt) {
    connections.keep(connection)
    return outOfTime
  }
  if (!isReady(connection)) {
    connections.discard(connection)
    return unwritten({
      error: 'connection_reset',
      detail: 'the connection was closed while idle',
      connectMs: phases.connect,
      tlsMs: phases.tls,
    })
  }
  const outcome = await exchange(connection, post, deadlineAt - startedAt)
  if (outcome.kind === 'answered' && outcome.isWhole) connections.keep(connection, outcome.head.keptForMs)
  else connections.discard(connection)
  const firstByte = outcome.kind === 'answered' ? outcome.headersAt - startedAt : null
  return { outcome, phases: { connect: phases.connect, tls: phases.tls, firstByte } }
}

/**
 * The question fails when the database is away. Then the attempt ends here, and nobody else would close the connection.
 */
async function orDiscard(
  connections: Connections,
  connection: Connection,
  answer: boolean | Promise<boolean>,
): Promise<boolean> {
  try {
    return await answer
  } catch (error) {
    connections.discard(connection)
    throw error
  }
}

/** Nothing was written when a connection could not be opened, or turned out to have been closed while it was idle. */
function isFinal({ outcome }: Posted): boolean {
  return outcome.kind !== 'failed' || outcome.wasWritten
}

/** Nothing of the request went out, so another connection may still carry it. */
function unwritten({ error, detail, connectMs, tlsMs }: Omit<FailedOpening, 'kind'>): Posted {
  return {
    outcome: { kind: 'failed', error, detail, wasWritten: false },
    phases: { connect: connectMs, tls: tlsMs, firstByte: null },
  }
}

/** Nothing is sent after the deadline: the attempt counts as failed by then, and would be sent again. */
const outOfTime = unwritten({ error: 'timeout', detail: 'no time was left to send', connectMs: null, tlsMs: null })
