-- The time in a UUIDv7, to the millisecond, and the first id after that millisecond: what is made is sorted among what
-- happened at another time than it was written down.
create function id_time(id uuid) returns timestamptz language sql immutable strict parallel safe as $$
  select 'epoch'::timestamptz + ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint * interval '1 millisecond'
$$;
create function first_id_after(at timestamptz) returns uuid language sql immutable strict parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint + 1), 12, '0') || repeat('0', 20))::uuid
$$;
