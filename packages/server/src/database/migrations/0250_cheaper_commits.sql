-- What every commit pays for.

-- Aborts the statement it stands in, as `must` does. It is not even called where no part of a commit has lost its race.
create function lose_race(part text) returns void language plpgsql strict as $$
begin
  raise exception '%', part using errcode = 'PA001';
end $$;
