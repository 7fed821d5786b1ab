-- Minutes of calls are counted in batches (0272), in the order of (tenant, id), and no write of a call waits for longer
-- than one of them takes. Up to where they are counted is in a table: the minutes of a call up to there are kept by the
-- triggers, and those of a call beyond are counted when the batches come to it. Whoever writes a call looks at the
-- place while no batch can move it. Where 0180 has counted them already, nothing of this is needed.
create function minutes_are_counted() returns boolean language sql stable as $$
  select position('call.minutes' in prosrc) > 0 from pg_proc
  where oid = 'stats_of_call(timestamptz, json)'::regprocedure
$$;

-- What triggers call while minutes are being counted, and what they call before and after that.
create function count_calls_while_counting() returns trigger language plpgsql as $$
declare
  place record;
begin
  select * into place from call_minutes_counted;
  insert into stat_changes
  select tenant_id, quarter, metric, label, value, sum(change) from (
    select m.tenant_id, s.*, 1 as change from made m, stats_of_call(m.started_at, m.record) s
    union all
    select m.tenant_id, quarter_of(m.started_at), 'call.minutes', '', minutes_of_call(m.record), 1 from made m
    where (m.tenant_id, m.id) <= (place.last_tenant, place.last_id) and minutes_of_call(m.record) > 0
  ) c group by 1, 2, 3, 4, 5;
  return null;
end $$;
create function count_changes_while_counting() returns trigger language plpgsql as $$
declare
  place record;
begin
  select * into place from call_minutes_counted;
  insert into stat_changes
  select tenant_id, quarter, metric, label, value, sum(change) from (
    select m.tenant_id, s.*, 1 as change from made m, stats_of_call(m.started_at, m.record) s
    union all
    select w.tenant_id, s.*, -1 from was w, stats_of_call(w.started_at, w.record) s
    union all
    select c.tenant_id, quarter_of(c.started_at), 'call.minutes', '', minutes_of_call(c.record), c.change from (
      select tenant_id, id, started_at, record, 1 as change from made
      union all select tenant_id, id, started_at, record, -1 from was
    ) c where (c.tenant_id, c.id) <= (place.last_tenant, place.last_id) and minutes_of_call(c.record) > 0
  ) c group by 1, 2, 3, 4, 5 having sum(change) <> 0;
  return null;
end $$;

create function begin_counting_minutes() returns void language plpgsql as $$
begin
  if minutes_are_counted() then return; end if;
  -- A copy of a database whose 0180 has counted them, made by this version: they are in what was copied.
  if exists (select from stats where metric = 'call.minutes')
    or exists (select from stat_changes where metric = 'call.minutes') then
    perform end_counting_minutes();
    return;
  end if;
  create table call_minutes_counted (last_tenant uuid not null, last_id uuid not null);
  insert into call_minutes_counted
  values ('00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');
  create or replace trigger count_calls_made after insert on calls
    referencing new table as made for each statement execute function count_calls_while_counting();
  create or replace trigger count_calls_changed after update on calls
    referencing old table as was new table as made for each statement execute function count_changes_while_counting();
end $$;

-- Counts the next calls, and how many there were. When there are none left, the triggers count minutes like all else.
create function count_minutes_of_calls(most integer) returns integer language plpgsql as $$
declare
  counted integer;
begin
  if minutes_are_counted() then return 0; end if;
  -- Whoever is writing a call has looked at the place; whoever comes later sees where it is then.
  lock table calls in share row exclusive mode;
  with next as materialized (
    select c.tenant_id, c.id, c.started_at, minutes_of_call(c.record) as minutes
    from calls c where (c.tenant_id, c.id) > (select last_tenant, last_id from call_minutes_counted)
    order by c.tenant_id, c.id limit most
  ),
  noted as (
    insert into stat_changes select tenant_id, quarter_of(started_at), 'call.minutes', '', minutes, count(*) from next
    where minutes > 0 group by 1, 2, 5
  ),
  moved as (
    update call_minutes_counted set last_tenant = n.tenant_id, last_id = n.id
    from (select tenant_id, id from next order by tenant_id desc, id desc limit 1) n
  )
  select count(*) into counted from next;
  if counted = 0 then perform end_counting_minutes(); end if;
  return counted;
end $$;

create function end_counting_minutes() returns void language plpgsql as $$
begin
  create or replace function stats_of_call(started_at timestamptz, record json)
    returns table (quarter timestamptz, metric text, label text, value integer) language sql immutable as $call$
    select quarter_of(started_at), 'call.' || (record ->> 'direction') || '.' || (record ->> 'status'), '', 0
    union all
    select quarter_of(started_at), 'call.answer', '',
      rounded_seconds(extract(epoch from instant(record ->> 'answeredAt') - started_at))
    where record ->> 'direction' = 'inbound' and record ->> 'status' = 'completed'
      and record ->> 'answeredAt' is not null
    union all
    select quarter_of(started_at), 'call.minutes', '', minutes_of_call(record) where minutes_of_call(record) > 0
  $call$;
  create or replace trigger count_calls_made after insert on calls
    referencing new table as made for each statement execute function count_calls_made();
  create or replace trigger count_calls_changed after update on calls
    referencing old table as was new table as made for each statement execute function count_calls_changed();
  drop table if exists call_minutes_counted;
end $$;

select begin_counting_minutes();
