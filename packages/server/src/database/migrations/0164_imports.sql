-- Files of rows that become records in the background. A job keeps how far it came in the commit that wrote the rows,
-- so that whoever goes on after a crash repeats nothing. The file lies in the blob store in the parts in which it came;
-- each part is listed before its first byte is written, and leaves the list when its bytes are gone.
create table imports (
  tenant_id uuid not null,
  id uuid not null,
  entity text not null,
  format text not null,
  mapping json not null,
  match_by text not null,
  default_country text,
  dry_run boolean not null,
  silent boolean not null,
  actor json not null,
  status text not null,
  error text,
  received_bytes bigint not null default 0,
  rows integer,
  -- The names of the columns, known once the file was checked.
  columns json,
  done integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  attempts integer not null default 0,
  claim uuid,
  leased_until timestamptz,
  touched_at timestamptz not null,
  finished_at timestamptz,
  primary key (tenant_id, id)
);
create index imports_open on imports (touched_at) where status in ('awaiting_file', 'queued', 'running');

create table import_parts (
  tenant_id uuid not null,
  import_id uuid not null,
  start bigint not null,
  blob text not null,
  -- Null while it is being written.
  bytes bigint,
  listed_at timestamptz not null,
  primary key (tenant_id, import_id, blob)
);

create table import_errors (
  tenant_id uuid not null,
  import_id uuid not null,
  line integer not null,
  cells json not null,
  reason text not null,
  primary key (tenant_id, import_id, line)
);
