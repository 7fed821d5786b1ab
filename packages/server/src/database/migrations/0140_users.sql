-- People who sign in. A user belongs to any number of organizations, with a role in each, and to no tenant: which
-- organization and which of its tenants a request is about, the request says itself. `people` are those who call.
create table users (
  id uuid primary key,
  name text not null,
  -- Null until one is known: whoever set the server up signs in by a link.
  email text unique check (email = lower(email)),
  -- scrypt, with its parameters; null for those who sign in otherwise.
  password text,
  created_at timestamptz not null
);

-- Who a user is at an OpenID Connect provider. An e-mail address proves nothing there, so it links nobody.
create table user_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users,
  linked_at timestamptz not null,
  primary key (issuer, subject)
);
create index user_identities_user on user_identities (user_id);

create table memberships (
  organization_id uuid not null references organizations,
  user_id uuid not null references users,
  role text not null check (role in ('owner', 'agent', 'viewer')),
  joined_at timestamptz not null,
  primary key (organization_id, user_id)
);
create index memberships_user on memberships (user_id);

-- A session is an opaque value in a cookie, of which only the SHA-256 is kept. Ending one deletes its row.
create table user_sessions (
  hash bytea primary key,
  id uuid not null unique,
  user_id uuid not null references users,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  user_agent text,
  address text
);
create index user_sessions_user on user_sessions (user_id);
create index user_sessions_age on user_sessions (expires_at);

-- Links that are good once: to sign in, to join an organization, to choose a new password. Voiding one deletes its row.
create table one_time_links (
  id uuid primary key,
  hash bytea not null unique,
  purpose text not null check (purpose in ('sign_in', 'invitation', 'reset')),
  -- Whom it signs in, or whose password it resets. An invitation names an address instead.
  user_id uuid references users,
  email text,
  role text check (role in ('owner', 'agent', 'viewer')),
  -- Who made it: an organization for an invitation and for a reset by an owner; null for the operator and the mail.
  organization_id uuid references organizations,
  created_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index one_time_links_organization on one_time_links (organization_id, id) where purpose = 'invitation';
create index one_time_links_user on one_time_links (user_id);
create index one_time_links_age on one_time_links (expires_at);

-- How often someone tried to sign in, by what is limited: an address, an e-mail address, both. In the database, so that
-- neither a restart nor another node gives further guesses.
create table sign_in_attempts (
  subject bytea primary key,
  attempts integer not null,
  began_at timestamptz not null
);
create index sign_in_attempts_age on sign_in_attempts (began_at);

-- Nodes close the streams of those who lost a role or a session, as they do with keys.
create function note_membership_change() returns trigger language plpgsql as $$
begin
  perform note_auth_change(old.organization_id, old.user_id);
  return null;
end $$;
create trigger memberships_change after update of role or delete on memberships
  for each row execute function note_membership_change();

create function note_session_end() returns trigger language plpgsql as $$
begin
  perform note_auth_change(m.organization_id, old.user_id) from memberships m where m.user_id = old.user_id;
  return null;
end $$;
create trigger user_sessions_end after delete on user_sessions
  for each row when (old.expires_at > now()) execute function note_session_end();

-- An organization that has had an owner keeps one. The lock makes two who leave at once do so one after the other, and
-- the second look sees what the first did.
create function keep_an_owner() returns trigger language plpgsql as $$
begin
  perform 1 from organizations where id = old.organization_id for no key update;
  if not exists (select 1 from memberships where organization_id = old.organization_id and role = 'owner') then
    raise exception 'last_owner' using errcode = 'PA001';
  end if;
  return null;
end $$;
create trigger memberships_owner after update of role or delete on memberships
  for each row when (old.role = 'owner') execute function keep_an_owner();
