// When a call was last heard of, beside its record: what tells a call that goes on from one that was left behind.
import { sql } from '../../database/sql.js'
import type { Work } from '../../store/work.js'

/**
 * A report that tells nothing new still tells that the call goes on. Its revision stays, since nobody who looks on sees
 * a difference.
 */
export function markReported(work: Work, callId: string): void {
  work.addStatement(
    sql`update call_activity a set reported_at = greatest(a.reported_at, ${work.now}::timestamptz) from not_a_replay
      where a.tenant_id = ${work.tenantId}::uuid and a.call_id = ${callId}::uuid and a.is_live returning 1`,
    undefined,
    { recurs: true },
  )
}
