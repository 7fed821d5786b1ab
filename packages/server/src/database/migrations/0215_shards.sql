-- An organization may live on another server than the one of DATABASE_URL, and may be moved while it is used. Every
-- server has these tables. The first three say something on the server of DATABASE_URL alone, which is the directory.

-- Where an organization lives, by the name of the server in DATABASE_SHARDS. Without a row: here.
create table organization_homes (
  organization_id uuid primary key,
  shard text not null
);

-- Whose key it is, of those whose organization does not live here or has moved. A key that is missing is looked for on
-- every server, and written down when it is found.
create table key_homes (
  hash bytea primary key,
  organization_id uuid not null
);
create index key_homes_organization on key_homes (organization_id);

-- Moves of organizations: what has been done, so that a move goes on where it was left.
create table organization_moves (
  organization_id uuid primary key,
  source text not null,
  target text not null,
  phase text not null,
  started_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  -- How long nobody could write, once that is known.
  paused_ms integer
);

-- On both servers of a move. Where an organization leaves, `leaving`: its keys are looked up at each request;
-- `draining`: workers claim nothing more; `closed`: nothing is written; `gone`: never again. `draining` and `closed`
-- lapse, in case that the mover does not come back. Where it comes to, `arriving`: its rows are nobody's yet.
create table moving_organizations (
  organization_id uuid primary key,
  state text not null check (state in ('leaving', 'draining', 'closed', 'gone', 'arriving')),
  lapses_at timestamptz
);

-- Written when an organization is closed. It goes to the other server like any other row, and is the last to arrive.
create table move_marks (
  organization_id uuid primary key,
  mark bigint not null
);

-- Where events go in the feed of a server that they are moved to: docs/decisions/0030-shards.md.
create table feed_steps (
  of_tenant uuid,
  step bigint,
  rank bigint not null,
  is_tail boolean not null default false,
  primary key (of_tenant, step)
);

create function place_moved_row() returns trigger language plpgsql as $$
declare
  written bigint := new.xact::text::bigint;
  placed bigint;
begin
  select f.rank + case when f.is_tail then written - f.step else 0 end into placed from public.feed_steps f
    where f.of_tenant = new.tenant_id and f.step <= written order by f.step desc limit 1;
  if found then
    new.xact := placed::text::xid8;
  end if;
  return new;
end $$;

-- The fence of a move, as triggers that exist only while an organization moves. Who writes holds the lock until its
-- transaction ends, so whoever closes the fence knows that nobody is still at it. Statements of workers touch many
-- tenants at once: for them a row of this organization is passed over, as if another worker held it. Everybody else is
-- refused.
create function refuse_moving() returns trigger language plpgsql as $$
declare
  moving moving_organizations;
begin
  if current_setting('parley.moving', true) = 'on' then
    return coalesce(new, old);
  end if;
  perform pg_advisory_xact_lock_shared(hashtextextended('moving ' || tg_argv[0], 0));
  select * into moving from moving_organizations where organization_id = tg_argv[0]::uuid;
  if moving.state = 'draining' and moving.lapses_at > clock_timestamp() then
    if tg_op = 'UPDATE' and to_jsonb(new) ->> 'claim' is not null
      and to_jsonb(new) ->> 'claim' is distinct from to_jsonb(old) ->> 'claim' then
      return null;
    end if;
  elsif moving.state in ('gone', 'arriving')
    or (moving.state = 'closed' and moving.lapses_at > clock_timestamp()) then
    if tg_argv[1] = 'batched' then
      return null;
    end if;
    raise exception 'the organization is being moved' using errcode = 'PA002';
  end if;
  return coalesce(new, old);
end $$;

-- For looking tables up by what they are made of.
create function has_column(relation oid, name text) returns boolean language sql stable as $$
  select exists (select from pg_attribute a where a.attrelid = relation and a.attname = name and a.attnum > 0
    and not a.attisdropped)
$$;
