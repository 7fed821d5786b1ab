-- Work is found by the names of whom it is for, and those change. Who renames someone leaves a row here in the same statement, and a worker brings the words of
-- the work records up to date, batch by batch. The same way all rows of a table get the words of a field that is searched from this version on.
create table reindexing (
  tenant_id uuid not null,
  table_name text not null,
  -- The rows in which this column has this value; without a column, all rows of the tenant.
  column_name text not null default '',
  value uuid not null default '00000000-0000-0000-0000-000000000000',
  -- Rows up to this id are done.
  after_id uuid not null default '00000000-0000-0000-0000-000000000000',
  -- Who has waited longest is next, so that long work does not keep others waiting.
  moved_at timestamptz not null default now(),
  primary key (tenant_id, table_name, column_name, value)
);
create index reindexing_turn on reindexing (moved_at);

create function renamed() returns trigger language plpgsql as $$
begin
  insert into reindexing (tenant_id, table_name, column_name, value) values (new.tenant_id, 'work_records', tg_argv[0], new.id)
  on conflict (tenant_id, table_name, column_name, value) do update set after_id = excluded.after_id;
  return null;
end $$;
create trigger people_renamed after update of record on people for each row
  when (old.record ->> 'displayName' is distinct from new.record ->> 'displayName') execute function renamed('primary_person_id');
create trigger customers_renamed after update of record on customers for each row
  when (old.record ->> 'displayName' is distinct from new.record ->> 'displayName') execute function renamed('customer_id');

-- People are found by first and last name now, subscriptions by name, URL and description; and work of people who were renamed before this version.
insert into reindexing (tenant_id, table_name) select id, unnest(array['people', 'webhook_subscriptions', 'work_records']) from tenants;
