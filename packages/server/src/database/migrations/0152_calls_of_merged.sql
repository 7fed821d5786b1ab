-- Whoever is merged may have had very many calls. Each gets its step when it moves; at once only those get it that are
-- running, and so are looked on.
create or replace function call_link_lost() returns trigger language plpgsql as $$
begin
  if current_setting('parley.is_moving_references', true) = 'on' then
    execute format('update call_activity a set revision = a.revision + 1000000, parts_revision = a.revision + 1000000
      where a.is_live and a.tenant_id in (select tenant_id from gone) and exists (
        select from calls c join gone g on c.tenant_id = g.tenant_id and c.%I = g.id
        where c.tenant_id = a.tenant_id and c.id = a.call_id)', tg_argv[0]);
    return null;
  end if;
  execute format('update call_activity a set revision = a.revision + 1000000, parts_revision = a.revision + 1000000
    from calls c join gone g on c.tenant_id = g.tenant_id and c.%I = g.id where a.tenant_id = c.tenant_id and a.call_id = c.id', tg_argv[0]);
  return null;
end $$;
