-- A definition may be given another type only while all of its facts fit. Facts are captured side by side, each holding its definition with a shared
-- row lock, so whoever retypes it must count once more after taking the row for itself. The statement that does so sees the database as it was
-- when it began; a volatile function looks again.
create function facts_under_definition(tenant uuid, definition uuid, fact_key text, most integer) returns integer language plpgsql volatile as $$
begin
  perform 1 from fact_definitions d where d.tenant_id = tenant and d.id = definition for no key update;
  return (select count(*) from (select 1 from facts f where f.tenant_id = tenant and f.key = fact_key limit most) counted);
end $$;
