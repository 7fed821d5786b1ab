-- Whether anybody set a display name is remembered in the record. Of older ones a name that is what would be derived counts as derived.
-- The key goes where the registry has it. It is put before the first key that follows, which no free-form field precedes, and a quote within a text is escaped.

-- As the service derives a person's name: names, legal name, the e-mail's local part, the phone.
update people set record = regexp_replace(record::text, ',"legalName":', ',"displayNameDerived":' || (
  record ->> 'displayName' = left(coalesce(
    nullif(btrim(concat_ws(' ', nullif(record ->> 'firstName', ''), nullif(record ->> 'lastName', ''))), ''),
    nullif(btrim(record ->> 'legalName'), ''),
    nullif(split_part(record ->> 'primaryEmail', '@', 1), ''),
    record ->> 'primaryPhone',
    'Unknown'), 255)
)::text || ',"legalName":')::json;

update parties set record = regexp_replace(record::text, ',"firstName":', ',"displayNameDerived":' || (
  record ->> 'displayName' = left(coalesce(
    nullif(btrim(record ->> 'orgName'), ''),
    btrim(concat_ws(' ', nullif(record ->> 'firstName', ''), nullif(record ->> 'lastName', '')))), 255)
)::text || ',"firstName":')::json;

update customers c set record = regexp_replace(c.record::text, ',"customerType":', ',"displayNameDerived":' || (c.record ->> 'displayName' = coalesce(
  (select p.record ->> 'displayName' from people p where p.tenant_id = c.tenant_id and p.id = c.primary_person_id),
  (select o.record ->> 'name' from companies o where o.tenant_id = c.tenant_id and o.id = c.primary_company_id),
  'Unnamed customer'
))::text || ',"customerType":')::json;
