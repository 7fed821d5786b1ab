// Fans new events out in the commit that makes them: one delivery for each subscription that wants the event.
import { raw, sql } from '../../database/sql.js'
import type { BroughtFanOut } from '../../shards/brought-events.js'
import { PLATFORM_ID } from '../../store/caller.js'
import type { FanOut } from '../../store/commit-events.js'

/**
 * A subscription is not told of what happens to itself. Those of the platform are told of every tenant, unless they
 * have chosen an environment.
 */
export const fanOutToSubscriptions: FanOut = ({ tenantId, environment, now }) =>
  sql`insert into webhook_deliveries
      (tenant_id, id, subscription_id, event_id, event_type, next_attempt_at, created_at, event_tenant_id)
    select s.tenant_id, uuid_v7(e.occurred_at), s.id, e.id, e.type, least(${now}::timestamptz, now()), e.occurred_at,
      nullif(${tenantId}::uuid, s.tenant_id)
    from inserted_events e join webhook_subscriptions s
      on s.tenant_id in (${tenantId}::uuid, ${platform}) and ${isWanted}
      and (s.tenant_id = ${tenantId}::uuid or coalesce(s.record ->> 'environment', ${environment}) = ${environment})
    returning tenant_id`

const isWanted = raw(`s.revoked_at is null and s.id is distinct from e.subject_id
      and (e.type = any (s.event_types) or (s.event_types = '{}' and not e.opt_in))`)

/**
 * Events of other servers, for the subscriptions of the platform. They may have happened long ago: who subscribes is
 * told of what happens from then on, and of a minute before, because clocks of nodes differ.
 */
export const fanOutBrought: BroughtFanOut = () =>
  sql`insert into webhook_deliveries
      (tenant_id, id, subscription_id, event_id, event_type, next_attempt_at, created_at)
    select s.tenant_id, uuid_v7(e.occurred_at), s.id, e.id, e.type, now(), e.occurred_at
    from inserted_events e join webhook_subscriptions s on s.tenant_id = ${platform} and ${isWanted}
      and coalesce(s.record ->> 'environment', e.environment) = e.environment
      and id_time(s.id) < e.occurred_at + interval '1 minute'`

const platform = raw(`'${PLATFORM_ID}'::uuid`)
