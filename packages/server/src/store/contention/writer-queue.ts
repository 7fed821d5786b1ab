// Writers of one record, or of one fence, wait for each other instead of spinning: those of this process in memory, and
// those of other nodes by locks of the database, which are taken only for what was lately lost to another node.
// Nothing depends on it but speed: the commit is fenced by versions whoever waited.
import { createHash } from 'node:crypto'
import type { Database } from '../../database/pool.js'

export interface Turn {
  /** Somebody was ahead, or has left since the handler began to read, and has most likely changed what it read. */
  readonly isLate: boolean
  leave(): void
}

/** How long writers go on waiting in the database after a lost race, or after they met somebody there. */
const HOT_MS = 2_000
/** Beyond that many keys, the ones that were noted first are forgotten. */
const NOTED_KEYS = 1_000
/** The locks of one tenant: few, so that a batch of a thousand rows does not fill the server's table of locks. */
const LOCKS = 64
const LOCK_WAIT_MS = 4_000

export class WriterQueue {
  private readonly tails = new Map<string, Promise<void>>()
  private readonly hotUntil = new Map<string, number>()
  /** How many have left, and which of them was the last of a key. */
  private left = 0
  private readonly lastOf = new Map<string, number>()
  private free: number
  private readonly waiting: (() => void)[] = []

  constructor(private readonly database: Database) {
    // Whoever waits for a lock keeps a connection; the other half is for those who need none of these locks.
    this.free = Math.max(1, Math.floor(database.stats().connectionsMax / 2))
  }

  /** Taken before a handler reads, to tell `enter` since when others may have changed it. */
  get moment(): number {
    return this.left
  }

  /** Keys are taken in sorted order, so nobody waits in a circle. */
  async enter(keys: readonly string[], since: number): Promise<Turn> {
    let waited = false
    const leaves: (() => void)[] = []
    for (const key of [...keys].sort()) {
      const before = this.tails.get(key)
      let leave = () => {}
      const tail = new Promise<void>((resolve) => {
        leave = resolve
      })
      this.tails.set(key, tail)
      leaves.push(() => {
        if (this.tails.get(key) === tail) this.tails.delete(key)
        note(this.lastOf, key, ++this.left)
        leave()
      })
      if (before) {
        waited = true
        await before
      }
    }
    const isLate = waited || keys.some((key) => (this.lastOf.get(key) ?? 0) > since)
    return { isLate, leave: () => leaves.forEach((leave) => leave()) }
  }

  /** Another node is after the same. */
  heat(keys: Iterable<string>): void {
    for (const key of keys) note(this.hotUntil, key, Date.now() + HOT_MS)
  }

  isHot(keys: Iterable<string>): boolean {
    if (this.hotUntil.size === 0) return false
    return [...keys].some((key) => (this.hotUntil.get(key) ?? 0) > Date.now())
  }

  /** Runs alone among all nodes that do the same for one of these keys. What it reads is read inside as well. */
  async alone<T>(keys: Iterable<string>, use: (inside: Database) => Promise<T>): Promise<T> {
    await this.takePlace()
    try {
      return await this.database.transaction(opening(keys), (inside, locks) => {
        // As long as nodes have to wait for each other, none of them goes ahead without asking.
        if (locks.some(({ free }) => free === false)) this.heat(keys)
        return use(inside)
      })
    } finally {
      this.leavePlace()
    }
  }

  private async takePlace(): Promise<void> {
    if (this.free > 0) this.free--
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
  }

  private leavePlace(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.free++
  }
}

function note(noted: Map<string, number>, key: string, value: number): void {
  noted.delete(key)
  noted.set(key, value)
  if (noted.size <= NOTED_KEYS) return
  const [first] = noted.keys()
  if (first !== undefined) noted.delete(first)
}

/**
 * The locks end with the transaction, so that they need no connection of their own. A node that freezes in between lets
 * go of them soon.
 */
function opening(keys: Iterable<string>): string {
  const locks = [...new Set([...keys].map(lockOf))].sort((a, b) => a - b)
  return `set local statement_timeout = ${LOCK_WAIT_MS + 1_000}; set local lock_timeout = ${LOCK_WAIT_MS};
    set local idle_in_transaction_session_timeout = ${LOCK_WAIT_MS};
    ${locks.map(takeLock).join(' ')}
    set local statement_timeout to default`
}

/** Says whether it was free. */
const takeLock = (lock: number): string =>
  `select pg_try_advisory_xact_lock(${lock}) as free; select pg_advisory_xact_lock(${lock});`

/** A key is the tenant's id, a slash, and what is contested. */
function lockOf(key: string): number {
  const tenantId = key.slice(0, key.indexOf('/'))
  return Number(hash(`writers of ${tenantId}`) - (hash(key) % BigInt(LOCKS)))
}

/** 52 bits, so that it is a number here and there. */
const hash = (text: string): bigint => createHash('sha256').update(text).digest().readBigUInt64BE() >> 12n

const queues = new WeakMap<Database, WriterQueue>()

/** Each node has one. */
export function writerQueue(database: Database): WriterQueue {
  const queue = queues.get(database) ?? new WriterQueue(database)
  queues.set(database, queue)
  return queue
}
