-- Addresses under which calendar programs read a tenant's appointments and scheduled work. The address is the credential, so only its hash is kept.
create table calendar_feeds (
  tenant_id uuid not null references tenants,
  id uuid not null,
  name text not null,
  -- Only what is assigned to this user; null for everything.
  assigned_to_id uuid,
  hash bytea not null unique,
  primary key (tenant_id, id)
);
