-- Readers that go by transaction need not look into partitions whose time is past, as long as nothing new is written
-- there: docs/decisions/0028-partitions.md. A partition that is past has a trigger; what is written there all the same
-- takes the row away, in the same transaction.
create table past_partitions (
  table_name text primary key,
  -- What lies below this was written by transactions up to `last_xact`.
  below text not null,
  last_xact xid8 not null
);

create function past_partition_written() returns trigger language plpgsql as $$
begin
  delete from public.past_partitions where table_name = tg_argv[0];
  return null;
end $$;
