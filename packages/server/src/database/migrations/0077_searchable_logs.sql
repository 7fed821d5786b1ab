-- `q` works on every list. Events and deletions get words like records have: of older ones the type and the id, which need no folding.
alter table events add column search tsvector not null default '';
update events set search = array_to_tsvector(string_to_array(translate(type, '._', '  '), ' ') || lower(id));
create index events_search on events using gin (tenant_id, search) with (gin_pending_list_limit = 256);

alter table deleted_records add column search tsvector not null default '';
update deleted_records set search = array_to_tsvector(string_to_array(entity_type, '_') || string_to_array(record_id::text, '-'));
create index deleted_records_search on deleted_records using gin (tenant_id, search) with (gin_pending_list_limit = 256);
