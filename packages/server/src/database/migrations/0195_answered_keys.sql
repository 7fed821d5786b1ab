-- Idempotency keys leave as partitions of a day. A key has to be alone over 24 hours, also across midnight: a request
-- of the first minutes of a day claims it in both days, so that it meets whoever began before, and every other one looks
-- at the day before. docs/decisions/0028-partitions.md says why that is enough.
create table answered_keys (
  tenant_id uuid not null,
  key text not null,
  -- On the database's own clock, which all nodes share.
  day date not null,
  fingerprint bytea not null,
  status smallint not null,
  -- The answer's bytes; encrypted when it shows a secret.
  body bytea not null,
  sealed boolean not null,
  headers json not null,
  created_at timestamptz not null,
  primary key (tenant_id, key, day)
) partition by range (day);
create table answered_keys_default partition of answered_keys default;

-- The present, for keys.
create function key_clock() returns timestamptz language sql stable parallel safe as $$ select now() $$;

-- Nodes of the version before claim in the old table. A claim there is one here too, and where this one was answered
-- already, the old node finds that answer.
create function key_of_before() returns trigger language plpgsql as $$
declare
  today date := (key_clock() at time zone 'utc')::date;
begin
  if pg_trigger_depth() > 1 then return new; end if;
  insert into answered_keys select new.tenant_id, new.key, today, new.fingerprint, new.status, new.body, new.sealed,
    new.headers, new.created_at
  where not exists (select from answered_keys a where a.tenant_id = new.tenant_id and a.key = new.key
    and a.day = today - 1 and a.created_at >= new.created_at - interval '24 hours')
  on conflict (tenant_id, key, day) do update set fingerprint = excluded.fingerprint, status = excluded.status,
    body = excluded.body, sealed = excluded.sealed, headers = excluded.headers, created_at = excluded.created_at
    where answered_keys.created_at < excluded.created_at - interval '24 hours';
  if found then return new; end if;
  insert into idempotency_keys select tenant_id, key, fingerprint, status, body, sealed, headers, created_at
  from answered_keys where tenant_id = new.tenant_id and key = new.key order by created_at desc limit 1
  on conflict (tenant_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
    body = excluded.body, sealed = excluded.sealed, headers = excluded.headers, created_at = excluded.created_at;
  return null;
end $$;
create trigger key_of_before before insert on idempotency_keys for each row execute function key_of_before();
