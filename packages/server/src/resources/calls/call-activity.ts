// When a call was last heard of, beside its record: what tells a call that goes on from one that was left behind.
import { sql } from '../../database/sql.js'
import type { Change } from '../../store/change.js'
import type { WriteContext } from '../generic/system-caller.js'

/**
 * A report that tells nothing new still tells that the call goes on. Its revision stays, since nobody who looks on sees
 * a difference.
 */
export function markReported(
  change: Change,
  { caller: { tenantId }, now }: Pick<WriteContext, 'caller' | 'now'>,
  callId: string,
): void {
  change.addStatement(
    sql`update call_activity a set reported_at = greatest(a.reported_at, ${now}::timestamptz) from proceed
      where a.tenant_id = ${tenantId}::uuid and a.call_id = ${callId}::uuid and a.is_live returning 1`,
    undefined,
    { recurs: true },
  )
}
