-- The ground: functions that the tables lean on, tenants and their keys, and the machinery of the commit statement.
-- Every table is keyed by tenant_id first, so that it can be sharded by tenant.

create extension if not exists btree_gin;

-- Stored instants always end in Z, so reading them does not depend on the session's time zone, whatever Postgres thinks of the cast.
create function instant(value text) returns timestamptz language sql immutable strict parallel safe as $$ select value::timestamptz $$;

-- Aborts the statement it stands in: a lost race must leave nothing behind.
create function must(holds boolean, reason text) returns boolean language plpgsql as $$
begin
  if holds is not true then
    raise exception '%', reason using errcode = 'PA001';
  end if;
  return true;
end $$;

-- A UUIDv7 of the given time, for rows whose number is not known before the statement runs. (Postgres has its own from 18 on; we support 15.)
create function uuid_v7(at timestamptz) returns uuid language sql volatile parallel safe as $$
  select encode(
    set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1),
    'hex')::uuid
$$;

create table organizations (
  id uuid primary key,
  name text not null,
  api_enabled boolean not null default true,
  -- {"read": {"sustained": 100, "burst": 200}, "write": …}; what is not said here follows the server's settings.
  limits json not null default '{}',
  created_at timestamptz not null
);

-- One side of an organization: sandbox or production.
create table tenants (
  id uuid primary key,
  organization_id uuid not null references organizations,
  environment text not null check (environment in ('sandbox', 'production')),
  settings json not null,
  version integer not null default 1,
  updated_at timestamptz not null,
  unique (organization_id, environment)
);

create table api_keys (
  tenant_id uuid not null references tenants,
  id uuid not null,
  name text not null,
  scope text not null check (scope in ('READ', 'WRITE', 'ADMIN')),
  hash bytea not null unique,
  prefix text not null,
  last4 text not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, id)
);

-- Nodes trust what they remember of keys only while this number stands still. It is a row and not a sequence because it must change
-- together with the commit that it announces.
create table auth_revision (only_row boolean primary key default true check (only_row), revision bigint not null);
insert into auth_revision (revision) values (1);

create function bump_auth_revision() returns trigger language plpgsql as $$
begin
  update auth_revision set revision = revision + 1;
  return null;
end $$;
create trigger api_keys_revision after update of scope, expires_at, revoked_at or delete on api_keys for each statement execute function bump_auth_revision();
create trigger organizations_revision after update or delete on organizations for each statement execute function bump_auth_revision();
create trigger tenants_revision after update or delete on tenants for each statement execute function bump_auth_revision();

create table idempotency_keys (
  tenant_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  status smallint not null,
  -- The answer's bytes; encrypted when it shows a secret.
  body bytea not null,
  sealed boolean not null,
  headers json not null,
  created_at timestamptz not null,
  primary key (tenant_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Version fences cover rows that exist; these cover the ones that do not exist yet.
create table fences (tenant_id uuid not null, name text not null, version integer not null, primary key (tenant_id, name));

-- Rising numbers that people read, such as WR-000123.
create table counters (tenant_id uuid not null, name text not null, value bigint not null, primary key (tenant_id, name));

-- What was deleted, moved here in the statement that deleted it, so that no query has to think of the dead.
create table deleted_records (
  tenant_id uuid not null,
  id uuid not null,
  entity_type text not null,
  record_id uuid not null,
  deleted_at timestamptz not null,
  record json not null,
  primary key (tenant_id, id)
);
create index deleted_records_age on deleted_records (deleted_at);

-- The event log. `xact` orders readers: ids are taken before the commit, so a reader that went by id could pass one by.
create table events (
  tenant_id uuid not null,
  id text not null,
  type text not null,
  opt_in boolean not null,
  occurred_at timestamptz not null,
  subject_id uuid,
  body text not null,
  xact xid8 not null default pg_current_xact_id(),
  primary key (tenant_id, id)
);
create index events_order on events (tenant_id, xact, id);
create index events_subject on events (tenant_id, subject_id, xact, id);
create index events_type on events (tenant_id, type, xact, id);
create index events_age on events (occurred_at);

create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  event_id text not null,
  event_type text not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'SUCCEEDED', 'FAILED', 'RETRYING', 'DEAD_LETTERED')),
  attempt_count integer not null default 0,
  replay_count integer not null default 0,
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  last_response_status integer,
  last_error text,
  created_at timestamptz not null,
  delivered_at timestamptz,
  primary key (tenant_id, id)
);
create index webhook_deliveries_list on webhook_deliveries (tenant_id, subscription_id, id);
