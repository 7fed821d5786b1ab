-- Calls are found by what was said in them. The words of a transcript are kept apart from the call, whose row changes
-- for other reasons; they are made beside the writers, a few seconds after something was said.
create table call_transcripts (
  tenant_id uuid not null,
  -- The call's.
  id uuid not null,
  search tsvector not null,
  primary key (tenant_id, id)
);
alter table call_transcripts alter column search set storage main;
create index call_transcripts_search on call_transcripts using gin (tenant_id, search) with (gin_pending_list_limit = 256);

-- Calls whose words are to be made. The number rises with everything that is said, so that whoever made the words of an
-- earlier one does not take the row away.
create table transcripts_due (
  tenant_id uuid not null,
  call_id uuid not null,
  due_at timestamptz not null,
  changes bigint not null default 0,
  primary key (tenant_id, call_id)
) with (fillfactor = 70);
create index transcripts_due_first on transcripts_due (due_at);

create function transcript_changed() returns trigger language plpgsql as $$
begin
  insert into transcripts_due as d (tenant_id, call_id, due_at)
  select distinct tenant_id, call_id, now() + interval '3 seconds' from made order by 1, 2
  on conflict (tenant_id, call_id) do update set changes = d.changes + 1;
  return null;
end $$;
create trigger transcript_made after insert on call_segments referencing new table as made for each statement execute function transcript_changed();
create trigger transcript_changed after update on call_segments referencing new table as made for each statement execute function transcript_changed();

insert into transcripts_due (tenant_id, call_id, due_at)
select tenant_id, call_id, now() from call_activity where segment_count > 0;
