-- Migrations that run beside serving nodes: which node works on one, how far a batch job has come, and where it goes on after a crash.
create table migration_progress (
  name text primary key,
  cursor text,
  rows bigint not null default 0,
  leased_by uuid,
  leased_until timestamptz not null default '-infinity'
);
