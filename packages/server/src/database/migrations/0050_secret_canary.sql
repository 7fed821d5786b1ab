-- A secret that is wrong or lost must be noticed at the start and not at the first thing that cannot be opened: one sealed row that every start opens.
create table secret_canary (only_row boolean primary key default true check (only_row), sealed bytea not null);

-- Retention takes finished deliveries by age, however many that are held lie between them. Ids carry their time.
create index webhook_deliveries_finished on webhook_deliveries (id) where status in ('SUCCEEDED', 'FAILED', 'DEAD_LETTERED');

-- Replays take turns: the next batch is of the job that had none for the longest time.
alter table webhook_replays add column moved_at timestamptz not null default '-infinity';
drop index webhook_replays_running;
create index webhook_replays_running on webhook_replays (moved_at, tenant_id, id) where status = 'running';
