// Standbys that reads may go to. A standby is behind by what it has not replayed yet, so each read first asks the
// primary how far it is, and a standby is used once it has come that far: nobody ever reads less than was written
// before, whoever wrote it, on whichever node.
import { setTimeout as sleep } from 'node:timers/promises'
import { hostsOf } from './hosts.js'
import { type Database, isConnectionLoss, openDatabase, type PoolOptions } from './pool.js'
import { raw, sql } from './sql.js'

export interface StandbyOptions extends PoolOptions {
  readonly primary: Database
  /** How long a read waits for a standby to catch up before it goes to the primary. */
  readonly waitMs: number
}

/** What a read is to do: where it may go, or why it goes to the primary. */
export type Choice = Database | 'late' | 'away'

export interface Standbys {
  choose(): Promise<Choice>
  /** It failed a read; others go to the primary for a while. */
  leave(standby: Database): void
  close(): Promise<void>
}

const POLL_MS = 5
/** After it was late or away, a standby is left alone so long. */
const REST_MS = 1_000

/** One Database each: what one host has replayed says nothing of another. */
export function openStandbys({ url, primary, waitMs, ...options }: StandbyOptions): Standbys {
  const { urls, kind = 'any' } = hostsOf(url) ?? { urls: [url] }
  const standbys = urls.map((one) => openDatabase({ ...options, url: one, kind }))
  const restingUntil = new Map<Database, { at: number; why: 'late' | 'away' }>()
  let turn = 0
  const rest = (standby: Database, why: 'late' | 'away') => {
    restingUntil.set(standby, { at: Date.now() + REST_MS, why })
    return why
  }
  const next = (): Choice => {
    const now = Date.now()
    const rested = standbys.filter((one) => (restingUntil.get(one)?.at ?? 0) <= now)
    return rested[turn++ % rested.length] ?? restingUntil.get(standbys[0] ?? primary)?.why ?? 'away'
  }
  return {
    async choose() {
      const standby = next()
      if (typeof standby === 'string') return standby
      try {
        return (await hasCaughtUp(standby, primary, waitMs)) ? standby : rest(standby, 'late')
      } catch (error) {
        if (!isConnectionLoss(error)) throw error
        return rest(standby, 'away')
      }
    },
    leave: (standby) => void rest(standby, 'away'),
    close: async () => void (await Promise.all(standbys.map((one) => one.close()))),
  }
}

async function hasCaughtUp(standby: Database, primary: Database, waitMs: number): Promise<boolean> {
  const deadline = Date.now() + waitMs
  const [needed, first] = await Promise.all([positionOf(primary), positionOf(standby)])
  for (let reached = first; reached < needed; reached = await positionOf(standby)) {
    if (Date.now() >= deadline) return false
    await sleep(POLL_MS)
  }
  return true
}

/** As a number of bytes. Those who ask in one moment share the answer, which is asked for after all of them came. */
const positionOf = (database: Database): Promise<bigint> =>
  database.coalesce('position in the write-ahead log', async () => {
    const [row] = await database.read<[string]>(sql`select ${position}::text`)
    return BigInt(row?.[0] ?? 0)
  })

/** A standby that was promoted meanwhile is at its own end. */
const position = raw(`(coalesce(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
  else pg_current_wal_insert_lsn() end, '0/0') - '0/0')`)
