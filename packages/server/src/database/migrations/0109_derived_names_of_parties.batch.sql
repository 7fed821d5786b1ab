-- As 0109_derived_names_of_people: a party is called after its organization, else by its names.
with batch as materialized (
  select tenant_id, id from parties
  where (tenant_id, id) > (coalesce(split_part($1::text, '/', 1)::uuid, '00000000-0000-0000-0000-000000000000'), coalesce(split_part($1::text, '/', 2)::uuid, '00000000-0000-0000-0000-000000000000'))
  order by tenant_id, id limit $2::int
),
-- In the order in which changes lock them; what was written meanwhile is looked at as it is now.
due as materialized (
  select t.tenant_id, t.id from parties t join batch using (tenant_id, id) where t.record ->> 'displayNameDerived' is null order by t.tenant_id, t.id for no key update of t
),
written as (
  update parties t set record = regexp_replace(t.record::text, '(,"displayNameDerived":null)?,"firstName":', ',"displayNameDerived":' || (
    t.record ->> 'displayName' = left(coalesce(
      nullif(btrim(t.record ->> 'orgName'), ''),
      btrim(concat_ws(' ', nullif(t.record ->> 'firstName', ''), nullif(t.record ->> 'lastName', '')))), 255)
  )::text || ',"firstName":')::json
  from due where t.tenant_id = due.tenant_id and t.id = due.id and t.record ->> 'displayNameDerived' is null
)
select (select tenant_id || '/' || id from batch order by tenant_id desc, id desc limit 1) as cursor, (select count(*)::int from batch) as rows
