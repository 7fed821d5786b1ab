-- The queue holds what is open, whatever the history: a delivery that is finished moves, with its attempts, to a table
-- that leaves by time. What was finished before moves in the background.
create table finished_deliveries (
  like webhook_deliveries including defaults,
  primary key (tenant_id, subscription_id, id)
) partition by range (id);
create index finished_deliveries_unhappy on finished_deliveries (tenant_id, subscription_id, id)
  where status in ('FAILED', 'DEAD_LETTERED');
create table finished_deliveries_default partition of finished_deliveries default;

-- What is read of deliveries, open or finished. A column that the tables get comes here too.
create view all_deliveries as
select *, false as has_moved from webhook_deliveries union all select *, true from finished_deliveries;

-- Where there is a history, partitions for it.
do $$
declare
  width integer := 8;
  start date := (now() at time zone 'utc')::date - 12 * 8;
  first_id text := $id$ (lpad(to_hex(extract(epoch from %L::date at time zone 'utc')::bigint * 1000), 12, '0') || repeat('0', 20))::uuid $id$;
  low uuid;
  high uuid;
begin
  if not exists (select from webhook_deliveries) then return; end if;
  while start <= (now() at time zone 'utc')::date loop
    execute 'select ' || format(first_id, start) into low;
    execute 'select ' || format(first_id, start + width) into high;
    execute format('create table %I partition of finished_deliveries for values from (%L) to (%L)',
      'finished_deliveries_p' || to_char(start, 'YYYYMMDD') || '_' || to_char(start + width, 'YYYYMMDD'), low, high);
    start := start + width;
  end loop;
end $$;
