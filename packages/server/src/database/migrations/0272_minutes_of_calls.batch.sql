-- The place is kept beside the counts, where triggers see it; the cursor of the batches is not needed.
select null::text as cursor, count_minutes_of_calls($2::integer) as rows where $1::text is null
