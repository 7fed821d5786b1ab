-- Records grow: each row says by which shape it was written, and one of an older shape is completed from the registry's defaults when it is read. The number is
-- how many keys the registry knows; rows of before have that of the version before. Some of their evidence and of `handledBy` lacks keys, which zero stands for.
create table record_shapes (table_name text primary key, shape integer not null, template jsonb not null);

-- Fills what is missing: `fields` says what a key is when it is absent, or null where it may not be, and `items` completes each item of a list.
create function complete_json(value jsonb, template jsonb) returns jsonb language plpgsql immutable as $$
declare
  name text;
  part jsonb;
begin
  if template ? 'items' and jsonb_typeof(value) = 'array' then
    return coalesce((select jsonb_agg(complete_json(item, template -> 'items') order by place) from jsonb_array_elements(value) with ordinality list (item, place)), value);
  end if;
  if not template ? 'fields' or jsonb_typeof(value) <> 'object' then return value; end if;
  for name, part in select * from jsonb_each(template -> 'fields') loop
    if not value ? name or (value -> name = 'null' and not part ? 'nullable') then
      if part ? 'default' then value := value || jsonb_build_object(name, part -> 'default'); end if;
    end if;
    if (part ? 'fields' or part ? 'items') and value ? name then
      value := value || jsonb_build_object(name, complete_json(value -> name, part));
    end if;
  end loop;
  return value;
end $$;

create function complete_record(of_table text, record json) returns text language sql stable as $$
  select coalesce((select complete_json(record::jsonb, template)::text from record_shapes where table_name = of_table), record::text)
$$;

alter table people add column shape integer not null default 18;
alter table people alter column shape set default 0;
alter table work_records add column shape integer not null default 34;
alter table work_records alter column shape set default 0;
alter table parties add column shape integer not null default 21;
alter table parties alter column shape set default 0;
alter table customers add column shape integer not null default 21;
alter table customers alter column shape set default 0;
alter table companies add column shape integer not null default 19;
alter table companies alter column shape set default 0;
alter table locations add column shape integer not null default 26;
alter table locations alter column shape set default 0;
alter table contact_methods add column shape integer not null default 19;
alter table contact_methods alter column shape set default 0;
alter table money_records add column shape integer not null default 27;
alter table money_records alter column shape set default 0;
alter table conversations add column shape integer not null default 26;
alter table conversations alter column shape set default 0;
alter table integration_connections add column shape integer not null default 16;
alter table integration_connections alter column shape set default 0;
alter table external_refs add column shape integer not null default 16;
alter table external_refs alter column shape set default 0;
alter table field_values add column shape integer not null default 17;
alter table field_values alter column shape set default 0;
alter table field_history_entries add column shape integer not null default 22;
alter table field_history_entries alter column shape set default 0;
alter table signal_definitions add column shape integer not null default 15;
alter table signal_definitions alter column shape set default 0;
alter table signal_events add column shape integer not null default 0;
alter table work_type_definitions add column shape integer not null default 18;
alter table work_type_definitions alter column shape set default 0;
alter table tasks add column shape integer not null default 22;
alter table tasks alter column shape set default 0;
alter table notes add column shape integer not null default 15;
alter table notes alter column shape set default 0;
alter table appointments add column shape integer not null default 19;
alter table appointments alter column shape set default 0;
alter table workflow_runs add column shape integer not null default 17;
alter table workflow_runs alter column shape set default 0;
alter table calls add column shape integer not null default 0;
alter table sms add column shape integer not null default 22;
alter table sms alter column shape set default 0;
alter table messages add column shape integer not null default 19;
alter table messages alter column shape set default 0;
alter table voicemails add column shape integer not null default 15;
alter table voicemails alter column shape set default 0;
alter table drafts add column shape integer not null default 26;
alter table drafts alter column shape set default 0;
alter table facts add column shape integer not null default 0;
alter table fact_definitions add column shape integer not null default 18;
alter table fact_definitions alter column shape set default 0;
alter table signals add column shape integer not null default 0;
alter table phone_numbers add column shape integer not null default 19;
alter table phone_numbers alter column shape set default 0;
alter table webhook_subscriptions add column shape integer not null default 20;
alter table webhook_subscriptions alter column shape set default 0;
