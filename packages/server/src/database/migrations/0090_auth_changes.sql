-- One number for all keys told nodes that something had changed, so each change made them forget every key; a flood of bad keys then kept good ones out.
-- Now each step of the number says whose key or organization changed, and nodes forget only that. The row of the number stays locked until its transaction
-- ends, so steps come to light in order and without gaps: a node that counts fewer steps than the number rose has missed some, and forgets everything.
create table auth_changes (
  revision bigint primary key,
  organization_id uuid not null,
  -- Null: whatever is known of the organization.
  key_id uuid
);

create function note_auth_change(changed_organization uuid, changed_key uuid) returns void language plpgsql as $$
declare
  current_revision bigint;
begin
  update auth_revision set revision = revision + 1 returning revision into current_revision;
  insert into auth_changes (revision, organization_id, key_id) values (current_revision, changed_organization, changed_key);
  -- Nodes look twice a second; who has not looked for this long forgets everything.
  delete from auth_changes where revision <= current_revision - 10000;
end $$;

create function note_key_change() returns trigger language plpgsql as $$
begin
  perform note_auth_change((select organization_id from tenants where id = old.tenant_id), old.id);
  return null;
end $$;
create function note_tenant_change() returns trigger language plpgsql as $$
begin
  perform note_auth_change(old.organization_id, null);
  return null;
end $$;
create function note_organization_change() returns trigger language plpgsql as $$
begin
  perform note_auth_change(old.id, null);
  return null;
end $$;

drop trigger api_keys_revision on api_keys;
drop trigger organizations_revision on organizations;
drop trigger tenants_revision on tenants;
drop function bump_auth_revision();
create trigger api_keys_change after update of scope, expires_at, revoked_at or delete on api_keys for each row execute function note_key_change();
create trigger organizations_change after update or delete on organizations for each row execute function note_organization_change();
create trigger tenants_change after update or delete on tenants for each row execute function note_tenant_change();
