-- The platform follows the events of all tenants in one order. Entries are appended at the end, so they cost little.
create index concurrently if not exists events_feed on events (xact, id);
