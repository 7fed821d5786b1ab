-- `q` works on every list. Events and deletions get words like records have. Those that an older version wrote, or still writes beside this one, are found by
-- type and id, which need no folding.
alter table events add column search tsvector not null default '';
alter table deleted_records add column search tsvector not null default '';

create function words_of_event(type text, id text) returns tsvector language sql immutable as $$
  select array_to_tsvector(string_to_array(translate(type, '._', '  '), ' ') || lower(id))
$$;
create function words_of_deletion(entity_type text, record_id uuid) returns tsvector language sql immutable as $$
  select array_to_tsvector(string_to_array(entity_type, '_') || string_to_array(record_id::text, '-'))
$$;

create function event_without_words() returns trigger language plpgsql as $$
begin
  new.search := words_of_event(new.type, new.id);
  return new;
end $$;
create trigger event_without_words before insert on events for each row when (new.search = '') execute function event_without_words();

create function deletion_without_words() returns trigger language plpgsql as $$
begin
  new.search := words_of_deletion(new.entity_type, new.record_id);
  return new;
end $$;
create trigger deletion_without_words before insert on deleted_records for each row when (new.search = '') execute function deletion_without_words();
