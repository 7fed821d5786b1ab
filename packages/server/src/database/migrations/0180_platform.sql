-- Whoever runs the service, or integrates with all of its organizations, has one connection to it: the platform API.
-- Its keys belong to no organization. What it keeps besides (subscriptions, deliveries, answers to idempotency keys,
-- logged requests) is kept as a tenant's is, under one id that no tenant has.
create table platform_keys (
  id uuid primary key,
  name text not null,
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['read', 'manage', 'keys', 'events']),
  hash bytea not null unique,
  prefix text not null,
  last4 text not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);

-- Streams that were opened with a key end when it does, on every node.
create function note_platform_key_change() returns trigger language plpgsql as $$
begin
  perform note_auth_change('00000000-0000-7000-8000-000000000000', old.id);
  return null;
end $$;
create trigger platform_keys_change after update of scopes, expires_at, revoked_at or delete on platform_keys
  for each row execute function note_platform_key_change();

-- Whose event a delivery of the platform brings; null where it is of the delivery's own tenant.
alter table webhook_deliveries add column event_tenant_id uuid;

-- Minutes of calls, for usage: each call by the minutes that were begun. Calls wait for this, because a sum that begins
-- while they are written would miss some.
lock table calls in share row exclusive mode;
create function minutes_of_call(record json) returns integer language sql immutable parallel safe as $$
  select least(ceil((record ->> 'duration')::numeric / 60), 100000)::integer
$$;
create or replace function stats_of_call(started_at timestamptz, record json)
  returns table (quarter timestamptz, metric text, label text, value integer) language sql immutable as $$
  select quarter_of(started_at), 'call.' || (record ->> 'direction') || '.' || (record ->> 'status'), '', 0
  union all
  select quarter_of(started_at), 'call.answer', '',
    rounded_seconds(extract(epoch from instant(record ->> 'answeredAt') - started_at))
  where record ->> 'direction' = 'inbound' and record ->> 'status' = 'completed' and record ->> 'answeredAt' is not null
  union all
  select quarter_of(started_at), 'call.minutes', '', minutes_of_call(record) where minutes_of_call(record) > 0
$$;
insert into stats
select c.tenant_id, s.*, count(*) from calls c, stats_of_call(c.started_at, c.record) s
where s.metric = 'call.minutes' group by 1, 2, 3, 4, 5;
