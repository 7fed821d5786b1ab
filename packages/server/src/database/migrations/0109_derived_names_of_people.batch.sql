-- Whether anybody set a display name is remembered in the record. Of older ones a name that is what would be derived counts as derived.
-- The key goes where the registry has it. It is put before the first key that follows, which no free-form field precedes, and a quote within a text is escaped.
-- As the service derives a person's name: names, legal name, the e-mail's local part, the phone.
with batch as materialized (
  select tenant_id, id from people
  where (tenant_id, id) > (coalesce(split_part($1::text, '/', 1)::uuid, '00000000-0000-0000-0000-000000000000'), coalesce(split_part($1::text, '/', 2)::uuid, '00000000-0000-0000-0000-000000000000'))
  order by tenant_id, id limit $2::int
),
-- In the order in which changes lock them; what was written meanwhile is looked at as it is now.
due as materialized (
  select t.tenant_id, t.id from people t join batch using (tenant_id, id) where t.record ->> 'displayNameDerived' is null order by t.tenant_id, t.id for no key update of t
),
written as (
  update people t set record = regexp_replace(t.record::text, '(,"displayNameDerived":null)?,"legalName":', ',"displayNameDerived":' || (
    t.record ->> 'displayName' = left(coalesce(
      nullif(btrim(concat_ws(' ', nullif(t.record ->> 'firstName', ''), nullif(t.record ->> 'lastName', ''))), ''),
      nullif(btrim(t.record ->> 'legalName'), ''),
      nullif(split_part(t.record ->> 'primaryEmail', '@', 1), ''),
      t.record ->> 'primaryPhone',
      'Unknown'), 255)
  )::text || ',"legalName":')::json
  from due where t.tenant_id = due.tenant_id and t.id = due.id and t.record ->> 'displayNameDerived' is null
)
select (select tenant_id || '/' || id from batch order by tenant_id desc, id desc limit 1) as cursor, (select count(*)::int from batch) as rows
