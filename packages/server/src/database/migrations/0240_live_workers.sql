-- Sweeps go by time: what came due, which subscriptions changed, and which worker has not been heard of. So a lease that
-- lapsed is found without looking at every subscription that has something open.

-- A worker that sends is taken to be gone, with whatever it held, when it has not been heard of until then.
create table delivery_workers (
  id uuid primary key,
  alive_until timestamptz not null
);

-- When the subscription was written last: one that goes on after a pause has deliveries that came due long ago.
alter table webhook_queues add column changed_at timestamptz;

create or replace function webhook_subscription_written() returns trigger language plpgsql as $$
begin
  insert into webhook_queues
    (tenant_id, subscription_id, version, is_active, is_revoked, throttle_per_second, changed_at)
  values (new.tenant_id, new.id, new.version, new.status = 'active' and new.revoked_at is null,
    new.revoked_at is not null, (new.record ->> 'throttlePerSecond')::integer, now())
  on conflict (tenant_id, subscription_id) do update set version = excluded.version, is_active = excluded.is_active,
    is_revoked = excluded.is_revoked, throttle_per_second = excluded.throttle_per_second, free_at = null,
    changed_at = now();
  return null;
end $$;
