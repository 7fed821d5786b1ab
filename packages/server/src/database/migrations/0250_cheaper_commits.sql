-- What every commit pays for, and need not.

-- Aborts the statement it stands in, as `must` does. It is not even called where no part of a commit has lost its race.
create function lose_race(part text) returns void language plpgsql strict as $$
begin
  raise exception '%', part using errcode = 'PA001';
end $$;

-- Keys are looked for in `answered_keys` alone. What nodes of before claim comes there by a trigger; this is what they
-- had claimed before there was one.
insert into answered_keys (tenant_id, key, day, fingerprint, status, body, sealed, headers, created_at)
select tenant_id, key, (key_clock() at time zone 'utc')::date, fingerprint, status, body, sealed, headers, created_at
from idempotency_keys where created_at >= now() - interval '24 hours' on conflict do nothing;

-- Postgres reads the text of a check constraint anew in every statement that writes to the table: 3 % of a create with
-- one subscription. No status comes from outside; the code has a type for it.
alter table webhook_deliveries drop constraint if exists webhook_deliveries_status_check;
