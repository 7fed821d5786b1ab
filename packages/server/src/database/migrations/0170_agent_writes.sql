-- An agent at /mcp proposes unless its key says that it may write by itself: who mints the key decides, once.
alter table api_keys add column agent_writes text not null default 'propose'
  check (agent_writes in ('propose', 'direct'));

drop trigger api_keys_change on api_keys;
create trigger api_keys_change after update of scope, expires_at, revoked_at, agent_writes or delete on api_keys
  for each row execute function note_key_change();
