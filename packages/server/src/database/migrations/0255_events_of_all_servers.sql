-- Where organizations live on several servers, the server of DATABASE_URL brings the events of all of them together, for
-- the platform: docs/decisions/0030-shards.md.

-- On that server: up to where the events of each other server are here.
create table followed_servers (
  shard text primary key,
  xact xid8 not null default '0',
  id text not null default ''
);

-- An event that came with its organization from another server: those who follow all organizations have it from there.
alter table events add column moved_in boolean not null default false;
do $$
declare
  arriving uuid;
begin
  for arriving in
    select t.id from tenants t join moving_organizations m using (organization_id) where m.state = 'arriving'
  loop
    update events set moved_in = true where tenant_id = arriving;
  end loop;
end $$;

-- As before, and marks what has a mark.
create or replace function place_moved_row() returns trigger language plpgsql as $$
declare
  written bigint := new.xact::text::bigint;
  placed bigint;
begin
  select f.rank + case when f.is_tail then written - f.step else 0 end into placed from public.feed_steps f
    where f.of_tenant = new.tenant_id and f.step <= written order by f.step desc limit 1;
  if found then
    new.xact := placed::text::xid8;
    if public.has_column(tg_relid, 'moved_in') then
      new.moved_in := true;
    end if;
  end if;
  return new;
end $$;
