-- How long calls rang was counted to the second, which makes about as many rows as there are calls. Now it is to the
-- second up to ten, to five up to a minute, and to a quarter of a minute beyond.
create function rounded_seconds(seconds numeric) returns integer language sql immutable strict parallel safe as $$
  select case when seconds <= 10 then round(greatest(seconds, 0)) when seconds <= 60 then round(seconds / 5) * 5
    else round(least(seconds, 86400) / 15) * 15 end::integer
$$;

create or replace function stats_of_call(started_at timestamptz, record json)
  returns table (quarter timestamptz, metric text, label text, value integer) language sql immutable as $$
  select quarter_of(started_at), 'call.' || (record ->> 'direction') || '.' || (record ->> 'status'), '', 0
  union all
  select quarter_of(started_at), 'call.answer', '',
    rounded_seconds(extract(epoch from instant(record ->> 'answeredAt') - started_at))
  where record ->> 'direction' = 'inbound' and record ->> 'status' = 'completed' and record ->> 'answeredAt' is not null
$$;

update stat_changes set value = rounded_seconds(value) where metric = 'call.answer';
create temporary table old_answers on commit drop as select * from stats where metric = 'call.answer';
delete from stats where metric = 'call.answer';
insert into stats select tenant_id, quarter, metric, label, rounded_seconds(value), sum(count) from old_answers group by 1, 2, 3, 4, 5;
