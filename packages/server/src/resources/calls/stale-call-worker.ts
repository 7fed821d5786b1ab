// Ends calls that nobody reports on any more: a telephony system that went away must not leave calls ringing for ever.
// Safe on any number of nodes: each call is looked at again inside the change that ends it, and ends once.
import { calls, limits } from '@parley/contract'
import { sql } from '../../database/sql.js'
import { commitAsSystem, type SystemParts } from '../generic/system-caller.js'
import { endCall } from './end-call.js'

const SILENCE_MS = limits.callSilenceHours * 60 * 60 * 1_000
const BATCH = 100

interface Silent {
  readonly tenant_id: string
  readonly call_id: string
}

/**
 * Ends all calls that have been silent for too long, and says how many. One that cannot be ended now does not keep the
 * others waiting.
 */
export async function endSilentCalls(parts: SystemParts, onTrouble: (error: Error) => void): Promise<number> {
  let ended = 0
  for (let after: Silent | undefined; ; ) {
    const silent = await findSilent(parts, after)
    for (const one of silent) {
      await endSilent(parts, one).then(
        (isEnded) => (ended += isEnded ? 1 : 0),
        (error: Error) => onTrouble(error),
      )
    }
    if (silent.length < BATCH) return ended
    after = silent.at(-1)
  }
}

const silentSince = (clock: () => Date): Date => new Date(clock().getTime() - SILENCE_MS)

function findSilent({ database, clock }: SystemParts, after: Silent | undefined): Promise<Silent[]> {
  const { tenant_id: tenantId = null, call_id: callId = null } = after ?? {}
  return database.query<Silent & Record<string, unknown>>(sql`select tenant_id, call_id from call_activity
    where is_live and reported_at < ${silentSince(clock)}
      and (${tenantId}::uuid is null or (tenant_id, call_id) > (${tenantId}::uuid, ${callId}::uuid))
    order by tenant_id, call_id limit ${BATCH}`)
}

async function endSilent(parts: SystemParts, { tenant_id: tenantId, call_id: callId }: Silent): Promise<boolean> {
  const change = await commitAsSystem(parts, tenantId, 'call-reaper', async (work) => {
    const silent = sql`a.tenant_id = ${tenantId}::uuid and a.call_id = ${callId}::uuid and a.is_live
      and a.reported_at < ${silentSince(parts.clock)}`
    const [activity] = await parts.database.read<[Date]>(sql`select a.reported_at from call_activity a where ${silent}`)
    const call = activity && (await work.get(calls, callId))
    // It ended when it was last heard of: the hours since were silence and no talk.
    if (activity && call?.endedAt === null) {
      const endedAt = activity[0].toISOString()
      await endCall(work, call, { endReason: 'timeout', endedAt: endedAt < call.startedAt ? null : endedAt })
      // A report that changes nothing moves no version, and still keeps the call alive.
      work.addStatement(sql`select 1 from call_activity a, not_a_replay where ${silent} for update of a`, 1)
    }
  })
  return change !== undefined && change.writes.length > 0
}

export interface StaleCallWorker {
  start(): void
  stop(): Promise<void>
}

const LOOK_MS = 60_000

export function createStaleCallWorker(parts: SystemParts, onTrouble: (error: Error) => void): StaleCallWorker {
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()
  const look = () => {
    looking = looking.then(() =>
      endSilentCalls(parts, onTrouble).then(
        () => undefined,
        (error: Error) => onTrouble(error),
      ),
    )
  }
  return {
    start() {
      timer = setInterval(look, LOOK_MS)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}
