-- A fence is read and bumped within the seconds of one request. Its age lets a sweep remove it later, so that the table does not grow with every caller.
alter table fences add column touched_at timestamptz not null default now();
create index fences_age on fences (touched_at);
