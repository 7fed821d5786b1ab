-- What hangs on a call: its transcript, how far the call has come, and the recordings of voicemails.
-- A call's own row is wide and indexed eight times, so the parts that change several times a second while people talk live in rows of their own.

alter table calls add column "voicemail_id" uuid generated always as ((record ->> 'voicemailId')::uuid) stored;
create index calls_voicemail_id on calls (tenant_id, "voicemail_id", id) where "voicemail_id" is not null;

-- Both are composed at each read now.
update calls set record = (record::jsonb - 'transcriptStatus' - 'transcriptSegmentCount')::json;
update voicemails set record = (record::jsonb - 'recordingUrl')::json;

create table call_segments (
  tenant_id uuid not null,
  call_id uuid not null,
  sequence integer not null,
  id uuid not null,
  speaker text not null,
  text text not null,
  start_ms integer not null,
  end_ms integer,
  confidence double precision,
  is_final boolean not null,
  -- The revision of the call that brought the segment as it is: a stream asks for what is newer than it has sent.
  revision bigint not null,
  primary key (tenant_id, call_id, sequence)
);

-- How far each call has come. The row is the lock under which everything of one call is numbered, so that a reader who has seen a revision
-- has seen all that came before it. None of the columns that change often is indexed, so that an update stays on its page.
create table call_activity (
  tenant_id uuid not null,
  call_id uuid not null,
  -- Rises with every change of the call and of what hangs on it.
  revision bigint not null,
  -- The last revision that brought segments, and the last one that brought anything else.
  segments_revision bigint not null default 0,
  parts_revision bigint not null,
  segment_count integer not null default 0,
  last_sequence integer,
  is_live boolean not null,
  reported_at timestamptz not null,
  primary key (tenant_id, call_id)
) with (fillfactor = 70);
create index call_activity_live on call_activity (tenant_id, call_id) where is_live;

create function call_made() returns trigger language plpgsql as $$
begin
  insert into call_activity (tenant_id, call_id, revision, parts_revision, is_live, reported_at)
  select tenant_id, id, 1, 1, (record ->> 'endedAt') is null, updated_at from made;
  return null;
end $$;
create trigger call_made after insert on calls referencing new table as made for each statement execute function call_made();

-- What a reader is shown as the revision counts the versions of the linked person, customer and work record too. A new link may point to a record
-- with a lower version, so it takes a step that is larger than any version.
create function call_changed() returns trigger language plpgsql as $$
begin
  update call_activity a
  set revision = a.revision + n.step, parts_revision = a.revision + n.step, is_live = n.is_live, reported_at = greatest(a.reported_at, n.updated_at)
  from (
    select made.tenant_id, made.id, made.updated_at, (made.record ->> 'endedAt') is null as is_live,
      case when (made.person_id, made.customer_id, made.work_record_id) is distinct from (was.person_id, was.customer_id, was.work_record_id)
        then 1000000 else 1 end as step
    from made join was using (tenant_id, id)
  ) n
  where a.tenant_id = n.tenant_id and a.call_id = n.id;
  return null;
end $$;
create trigger call_changed after update on calls referencing old table as was new table as made for each statement execute function call_changed();

-- Facts, drafts, signals and voicemails of a call. The argument names the field that holds the call's id.
create function call_part_changed() returns trigger language plpgsql as $$
begin
  update call_activity a
  set revision = a.revision + 1, parts_revision = a.revision + 1, reported_at = greatest(a.reported_at, n.updated_at)
  from (select tenant_id, (record ->> tg_argv[0])::uuid as call_id, max(updated_at) as updated_at from made group by 1, 2) n
  where a.tenant_id = n.tenant_id and a.call_id = n.call_id;
  return null;
end $$;
create trigger facts_made after insert on facts referencing new table as made for each statement execute function call_part_changed('sourceCallSessionId');
create trigger facts_changed after update on facts referencing new table as made for each statement execute function call_part_changed('sourceCallSessionId');
create trigger drafts_made after insert on drafts referencing new table as made for each statement execute function call_part_changed('callSessionId');
create trigger drafts_changed after update on drafts referencing new table as made for each statement execute function call_part_changed('callSessionId');
create trigger signals_made after insert on signals referencing new table as made for each statement execute function call_part_changed('callSessionId');
create trigger signals_changed after update on signals referencing new table as made for each statement execute function call_part_changed('callSessionId');
create trigger voicemails_made after insert on voicemails referencing new table as made for each statement execute function call_part_changed('callSessionId');
create trigger voicemails_changed after update on voicemails referencing new table as made for each statement execute function call_part_changed('callSessionId');

-- A linked record that is deleted takes its version out of the sum.
create function call_link_lost() returns trigger language plpgsql as $$
begin
  execute format('update call_activity a set revision = a.revision + 1000000, parts_revision = a.revision + 1000000
    from calls c join gone g on c.tenant_id = g.tenant_id and c.%I = g.id where a.tenant_id = c.tenant_id and a.call_id = c.id', tg_argv[0]);
  return null;
end $$;
create trigger people_gone after delete on people referencing old table as gone for each statement execute function call_link_lost('person_id');
create trigger customers_gone after delete on customers referencing old table as gone for each statement execute function call_link_lost('customer_id');
create trigger work_records_gone after delete on work_records referencing old table as gone for each statement execute function call_link_lost('work_record_id');

-- Calls that were there before.
insert into call_activity (tenant_id, call_id, revision, parts_revision, is_live, reported_at)
select tenant_id, id, version, version, (record ->> 'endedAt') is null, updated_at from calls;

-- The audio of voicemails. The bytes are in the blob store under this name.
create table voicemail_recordings (
  tenant_id uuid not null,
  voicemail_id uuid not null,
  blob text not null,
  media_type text not null,
  bytes bigint not null,
  primary key (tenant_id, voicemail_id)
);

-- The events of a call, for its surface: whatever names the call, not only what is about it.
alter table events add column call_id uuid;
create index events_call on events (tenant_id, call_id, xact, id) where call_id is not null;

create function call_event_logged() returns trigger language plpgsql as $$
begin
  update call_activity set revision = revision + 1, parts_revision = revision + 1 where tenant_id = new.tenant_id and call_id = new.call_id;
  return null;
end $$;
create trigger call_event_logged after insert on events for each row when (new.call_id is not null) execute function call_event_logged();
