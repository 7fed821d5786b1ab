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

-- Minutes of calls, for usage: each call by the minutes that were begun. Those of the calls that are there are counted
-- beside serving nodes, by 0271 and 0272; this migration did it by itself once, while calls waited.
create function minutes_of_call(record json) returns integer language sql immutable parallel safe as $$
  select least(ceil((record ->> 'duration')::numeric / 60), 100000)::integer
$$;
