-- What happened, counted by the quarter of an hour: every time zone begins its hours and days at one. Each write adds
-- what it changes to a log, so that writers do not wait for each other at a sum; a chore adds the log up, and whoever
-- reads takes the sums and what is in the log still. In the transaction of the write, so that no number can drift.
create table stats (
  tenant_id uuid not null,
  quarter timestamptz not null,
  metric text not null,
  -- A fact's key; else empty.
  label text not null,
  -- Seconds, for metrics of which the distribution is asked for; else 0.
  value integer not null,
  count bigint not null,
  primary key (tenant_id, quarter, metric, label, value)
);
create table stat_changes (
  tenant_id uuid not null,
  quarter timestamptz not null,
  metric text not null,
  label text not null,
  value integer not null,
  change bigint not null
);
create index stat_changes_tenant on stat_changes (tenant_id, quarter);

create function quarter_of(at timestamptz) returns timestamptz language sql immutable strict parallel safe as $$
  select to_timestamp(floor(extract(epoch from at) / 900) * 900)
$$;

-- What one record counts as. A call counts by its direction and status; one that was answered also by how long it rang.
create function stats_of_call(started_at timestamptz, record json)
  returns table (quarter timestamptz, metric text, label text, value integer) language sql immutable as $$
  select quarter_of(started_at), 'call.' || (record ->> 'direction') || '.' || (record ->> 'status'), '', 0
  union all
  select quarter_of(started_at), 'call.answer', '',
    least(greatest(round(extract(epoch from instant(record ->> 'answeredAt') - started_at)), 0), 86400)::integer
  where record ->> 'direction' = 'inbound' and record ->> 'status' = 'completed' and record ->> 'answeredAt' is not null
$$;
create function stats_of_fact(observed_at timestamptz, record json)
  returns table (quarter timestamptz, metric text, label text, value integer) language sql immutable as $$
  select quarter_of(observed_at), case when record ->> 'status' = 'rejected' then 'fact.rejected' else 'fact.accepted' end,
    record ->> 'key', 0
  where record ->> 'status' in ('confirmed', 'promoted', 'rejected')
$$;

create function count_calls_made() returns trigger language plpgsql as $$
begin
  insert into stat_changes select m.tenant_id, s.*, count(*) from made m, stats_of_call(m.started_at, m.record) s group by 1, 2, 3, 4, 5;
  return null;
end $$;
create function count_calls_changed() returns trigger language plpgsql as $$
begin
  insert into stat_changes
  select tenant_id, quarter, metric, label, value, sum(change) from (
    select m.tenant_id, s.*, 1 as change from made m, stats_of_call(m.started_at, m.record) s
    union all
    select w.tenant_id, s.*, -1 from was w, stats_of_call(w.started_at, w.record) s
  ) c group by 1, 2, 3, 4, 5 having sum(change) <> 0;
  return null;
end $$;
create trigger count_calls_made after insert on calls referencing new table as made for each statement execute function count_calls_made();
create trigger count_calls_changed after update on calls referencing old table as was new table as made for each statement execute function count_calls_changed();

create function count_facts_made() returns trigger language plpgsql as $$
begin
  insert into stat_changes select m.tenant_id, s.*, count(*) from made m, stats_of_fact(m.observed_at, m.record) s group by 1, 2, 3, 4, 5;
  return null;
end $$;
create function count_facts_changed() returns trigger language plpgsql as $$
begin
  insert into stat_changes
  select tenant_id, quarter, metric, label, value, sum(change) from (
    select m.tenant_id, s.*, 1 as change from made m, stats_of_fact(m.observed_at, m.record) s
    union all
    select w.tenant_id, s.*, -1 from was w, stats_of_fact(w.observed_at, w.record) s
  ) c group by 1, 2, 3, 4, 5 having sum(change) <> 0;
  return null;
end $$;
create trigger count_facts_made after insert on facts referencing new table as made for each statement execute function count_facts_made();
create trigger count_facts_changed after update on facts referencing old table as was new table as made for each statement execute function count_facts_changed();

-- A text keeps its direction and its time.
create function count_sms_made() returns trigger language plpgsql as $$
begin
  insert into stat_changes select tenant_id, quarter_of(sent_at), 'sms.' || direction, '', 0, count(*) from made group by 1, 2, 3;
  return null;
end $$;
create trigger count_sms_made after insert on sms referencing new table as made for each statement execute function count_sms_made();

insert into stats select c.tenant_id, s.*, count(*) from calls c, stats_of_call(c.started_at, c.record) s group by 1, 2, 3, 4, 5;
insert into stats select f.tenant_id, s.*, count(*) from facts f, stats_of_fact(f.observed_at, f.record) s group by 1, 2, 3, 4, 5;
insert into stats select tenant_id, quarter_of(sent_at), 'sms.' || direction, '', 0, count(*) from sms group by 1, 2, 3;
