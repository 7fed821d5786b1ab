-- Logs grow by time and leave by time: as partitions that are dropped, not as rows that are deleted. The table as it is
-- becomes the default partition of the new one, which reads no row; what becomes of it then is in
-- docs/decisions/0028-partitions.md. Nodes of the version before go on with the same statements.
create function partition_by_range(name text, key text) returns void language plpgsql as $$
declare
  before text := name || '_before';
  made record;
begin
  execute format('alter table %I rename to %I', name, before);
  for made in select relname from pg_index join pg_class on oid = indexrelid where indrelid = before::regclass loop
    execute format('alter index %I rename to %I', made.relname, made.relname || '_before');
  end loop;
  execute format('create table %I (like %I including defaults including constraints including storage)
    partition by range (%I)', name, before, key);
  for made in
    select relname, indisprimary, pg_get_indexdef(indexrelid) as text from pg_index join pg_class on oid = indexrelid
    where indrelid = before::regclass
  loop
    if made.indisprimary then
      execute (select format('alter table %I add constraint %I %s', name, name || '_pkey', pg_get_constraintdef(oid))
        from pg_constraint where conrelid = before::regclass and contype = 'p');
    else
      execute replace(replace(made.text, format(' %I ON ', made.relname),
        format(' %I ON ', regexp_replace(made.relname, '_before$', ''))), '.' || before || ' ', '.' || name || ' ');
    end if;
  end loop;
  for made in
    select tgname, pg_get_triggerdef(oid) as text from pg_trigger where tgrelid = before::regclass and not tgisinternal
  loop
    execute format('drop trigger %I on %I', made.tgname, before);
    execute replace(made.text, '.' || before || ' ', '.' || name || ' ');
  end loop;
  execute format('alter table %I attach partition %I default', name, before);
end $$;

-- Made concurrently for long; a database that comes from before it gets it here.
create index if not exists events_search on events using gin (tenant_id, search) with (gin_pending_list_limit = 256);
select partition_by_range('events', 'id');
