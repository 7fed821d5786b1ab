-- People and customers that turn out to be one are merged: the one goes, its id leads to the other, and what named it
-- names the other. Rows stay for good, because an old id may come back after years; what it takes to undo a merge goes
-- after thirty days.
create table merges (
  tenant_id uuid not null,
  id uuid not null,
  entity_type text not null,
  merged_id uuid not null,
  -- As it was asked for: the next link of a chain, if that one was merged later.
  into_id uuid not null,
  -- `settling`: all that could be seen has moved; writes that began before the merge may still come to light.
  status text not null check (status in ('moving', 'settling', 'done', 'moving_back', 'undone')),
  moved integer not null default 0,
  merged_at timestamptz not null,
  undone_at timestamptz,
  -- The merged record as it was, and what the other one took over from it; null when it is too late to undo.
  record json,
  taken json,
  -- When a worker may take it up; for one that is being worked on, when the lease lapses.
  due_at timestamptz not null default now(),
  xact xid8 not null default pg_current_xact_id(),
  primary key (tenant_id, id)
);
-- An id leads to one record.
create unique index merges_merged on merges (tenant_id, merged_id) where status in ('moving', 'settling', 'done');
create index merges_of on merges (tenant_id, merged_id, id);
create index merges_into on merges (tenant_id, into_id, id);
create index merges_due on merges (due_at) where status in ('moving', 'settling', 'moving_back');
create index merges_age on merges (merged_at) where record is not null;

-- What a merge has moved, so that it can be given back: of each record, the fields with what they said before and since.
create table moved_references (
  tenant_id uuid not null,
  merge_id uuid not null,
  table_name text not null,
  record_id uuid not null,
  changes json not null,
  -- A record that had to go, because the other one has its like.
  removed json,
  primary key (tenant_id, merge_id, table_name, record_id)
);

alter table deleted_records add column merged_into_id uuid;

-- Where an id leads: through every merge that stands.
create function survivor_of(of_tenant uuid, old_id uuid) returns uuid language sql stable as $$
  with recursive way (id, step) as (
    select old_id, 0
    union all
    select m.into_id, step + 1 from way join merges m on m.tenant_id = of_tenant and m.merged_id = way.id
      and m.status in ('moving', 'settling', 'done')
    where step < 1000
  ) select id from way order by step desc limit 1
$$;

-- A call whose person or customer was merged is read anew by nobody: what was said is about the same one.
create or replace function call_changed() returns trigger language plpgsql as $$
begin
  update call_activity a
  set revision = a.revision + n.step, parts_revision = a.revision + n.step, is_live = n.is_live, reported_at = greatest(a.reported_at, n.updated_at)
  from (
    select made.tenant_id, made.id, made.updated_at, (made.record ->> 'endedAt') is null as is_live,
      case when (made.person_id, made.customer_id, made.work_record_id) is distinct from (was.person_id, was.customer_id, was.work_record_id)
        then 1000000 else 1 end as step
    from made join was using (tenant_id, id)
  ) n
  where a.tenant_id = n.tenant_id and a.call_id = n.id;
  if current_setting('parley.is_moving_references', true) = 'on' then return null; end if;
  insert into understanding_jobs (tenant_id, kind, subject_id)
  select made.tenant_id, 'call', made.id
  from made join was using (tenant_id, id) join call_activity a on a.tenant_id = made.tenant_id and a.call_id = made.id
  where a.understood_revision is not null and (
    (made.record ->> 'endedAt') is not null and (was.record ->> 'endedAt') is null
    or (made.person_id, made.customer_id, made.work_record_id) is distinct from (was.person_id, was.customer_id, was.work_record_id))
  on conflict (tenant_id, kind, subject_id) do update set generation = understanding_jobs.generation + 1;
  return null;
end $$;
