-- Filters of work under a name, so that everybody in an organization can go back to them.
create table saved_views (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  shape integer not null default 0,
  search tsvector not null default '',
  primary key (tenant_id, id)
);
create index saved_views_updated_at on saved_views (tenant_id, updated_at);
create index saved_views_search on saved_views using gin (tenant_id, search) with (gin_pending_list_limit = 256);
