-- Always true, and dear in the eyes of the planner. Beside it the few steps by which one index is deeper than another
-- count for nothing, so that rows are read in the order of the index that has the order which is asked for, instead of
-- all of them being read by another one and sorted.
create function in_index_order(uuid) returns boolean language plpgsql immutable parallel safe cost 10000 as $$
begin
  return true;
end $$;
