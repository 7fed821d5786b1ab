-- Events from before they were searchable are found by type and id.
with batch as materialized (
  select tenant_id, id from events
  where (tenant_id, id) > (coalesce(split_part($1::text, '/', 1)::uuid, '00000000-0000-0000-0000-000000000000'), coalesce(split_part($1::text, '/', 2), ''))
  order by tenant_id, id limit $2::int
),
-- In the order in which changes lock them; what was written meanwhile is looked at as it is now.
due as materialized (
  select t.tenant_id, t.id from events t join batch using (tenant_id, id) where t.search = '' order by t.tenant_id, t.id for no key update of t
),
written as (
  update events t set search = words_of_event(t.type, t.id)
  from due where t.tenant_id = due.tenant_id and t.id = due.id and t.search = ''
)
select (select tenant_id || '/' || id from batch order by tenant_id desc, id desc limit 1) as cursor, (select count(*)::int from batch) as rows
