-- What sending needs: leases and lanes on the deliveries themselves, one small row per subscription that workers take turns on, the log of attempts,
-- and replays of many deliveries as jobs. docs/decisions/0020-delivery-queue.md says why it has this shape.

-- A claim writes none of the indexed columns, so it stays on its page (HOT) and touches no index.
alter table webhook_deliveries
  -- Never tried to its end and never replayed: these have a lane of their own, which retries and replays cannot fill.
  add column is_fresh boolean not null default true,
  -- Attempts of earlier cycles: a replay begins a new cycle, and attempt_count goes on.
  add column attempts_before integer not null default 0,
  -- Whoever settles must still hold this.
  add column claim uuid,
  add column leased_until timestamptz,
  -- The bytes of a test event, which is not in the event log.
  add column body text;
alter table webhook_deliveries set (fillfactor = 75);

create index webhook_deliveries_open on webhook_deliveries (tenant_id, subscription_id, is_fresh, next_attempt_at, id)
  where status in ('PENDING', 'RETRYING');
create index webhook_deliveries_unhappy on webhook_deliveries (tenant_id, subscription_id, id)
  where status in ('FAILED', 'DEAD_LETTERED');

-- The sending side of a subscription. A worker that claims deliveries of a subscription holds this row's lock meanwhile, and a change of the
-- subscription takes the same lock, so after it no claim can be made by what was true before.
create table webhook_queues (
  tenant_id uuid not null,
  subscription_id uuid not null,
  -- The version of the subscription, by which workers know that what they remember of it is old.
  version integer not null,
  is_active boolean not null,
  is_revoked boolean not null,
  throttle_per_second integer,
  -- Where it is throttled: the moment from which the next delivery may go.
  free_at timestamptz,
  -- The last claim, on the database's own clock.
  claimed_at timestamptz not null default '-infinity',
  primary key (tenant_id, subscription_id)
) with (fillfactor = 50);

create function webhook_subscription_written() returns trigger language plpgsql as $$
begin
  insert into webhook_queues (tenant_id, subscription_id, version, is_active, is_revoked, throttle_per_second)
  values (new.tenant_id, new.id, new.version, new.status = 'active' and new.revoked_at is null, new.revoked_at is not null, (new.record ->> 'throttlePerSecond')::integer)
  on conflict (tenant_id, subscription_id) do update set version = excluded.version, is_active = excluded.is_active,
    is_revoked = excluded.is_revoked, throttle_per_second = excluded.throttle_per_second, free_at = null;
  return null;
end $$;
create trigger webhook_subscription_written after insert or update on webhook_subscriptions for each row execute function webhook_subscription_written();

insert into webhook_queues (tenant_id, subscription_id, version, is_active, is_revoked, throttle_per_second)
select tenant_id, id, version, status = 'active' and revoked_at is null, revoked_at is not null, (record ->> 'throttlePerSecond')::integer from webhook_subscriptions;

-- Subscriptions of which nothing but failures is known since a time. A success removes the row, so a healthy subscription costs no write here.
create table webhook_failures (
  tenant_id uuid not null,
  subscription_id uuid not null,
  since timestamptz not null,
  attempts integer not null,
  primary key (tenant_id, subscription_id)
);

create table webhook_attempts (
  tenant_id uuid not null,
  delivery_id uuid not null,
  number integer not null,
  started_at timestamptz not null,
  duration_ms real not null,
  dns_ms real,
  connect_ms real,
  tls_ms real,
  first_byte_ms real,
  response_status smallint,
  -- The first 2 KiB.
  response_body text,
  error text,
  trigger text not null,
  primary key (tenant_id, delivery_id, number)
);

-- Replays of many deliveries. A worker moves one on batch by batch: each batch and the place it has come to are one statement.
create table webhook_replays (
  tenant_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  status text not null default 'running' check (status in ('running', 'completed', 'canceled')),
  since timestamptz not null,
  until timestamptz not null,
  statuses text[] not null,
  event_types text[] not null,
  matched integer not null,
  queued integer not null default 0,
  -- The last delivery that was looked at, and the id that all of them are below.
  cursor uuid not null,
  last uuid not null,
  finished_at timestamptz,
  primary key (tenant_id, id)
);
create index webhook_replays_running on webhook_replays (tenant_id, id) where status = 'running';
