// Fans new events out in the commit that makes them: one delivery for each subscription that wants the event.
import { sql } from '../../database/sql.js'
import type { FanOut } from '../../store/commit-events.js'

/** A subscription is not told of what happens to itself. */
export const fanOutToSubscriptions: FanOut = (tenantId, now) =>
  sql`insert into webhook_deliveries
      (tenant_id, id, subscription_id, event_id, event_type, next_attempt_at, created_at)
    select s.tenant_id, uuid_v7(e.occurred_at), s.id, e.id, e.type, least(${now}::timestamptz, now()), e.occurred_at
    from inserted_events e join webhook_subscriptions s
      on s.tenant_id = ${tenantId}::uuid and s.revoked_at is null and s.id is distinct from e.subject_id
      and (e.type = any (s.event_types) or (s.event_types = '{}' and not e.opt_in)) returning 1`
