-- What was said is read by the extractor. A call that is talked on is found by its revision, so that its segments are written as quickly as before;
-- everything else leaves a job: the end of a call, a person or work record that it gets, segments that come late, a voicemail, a text.

-- The revision of the segments that were read last. Null for the calls of before, which are left alone.
alter table call_activity add column understood_revision bigint;
alter table call_activity alter column understood_revision set default 0;

create table understanding_jobs (
  tenant_id uuid not null,
  kind text not null check (kind in ('call', 'sms', 'voicemail')),
  subject_id uuid not null,
  -- Rises when there is more to read while somebody reads: who reads may take the job away only as it was.
  generation integer not null default 1,
  due_at timestamptz not null default now(),
  claim uuid,
  attempts integer not null default 0,
  error text,
  primary key (tenant_id, kind, subject_id)
);
create index understanding_jobs_due on understanding_jobs (tenant_id, due_at);

-- A call that has ended or was given a person, a customer or a work record.
create or replace function call_changed() returns trigger language plpgsql as $$
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
  insert into understanding_jobs (tenant_id, kind, subject_id)
  select made.tenant_id, 'call', made.id
  from made join was using (tenant_id, id) join call_activity a on a.tenant_id = made.tenant_id and a.call_id = made.id
  where a.understood_revision is not null and (
    (made.record ->> 'endedAt') is not null and (was.record ->> 'endedAt') is null
    or (made.person_id, made.customer_id, made.work_record_id) is distinct from (was.person_id, was.customer_id, was.work_record_id))
  on conflict (tenant_id, kind, subject_id) do update set generation = understanding_jobs.generation + 1;
  return null;
end $$;

-- A voicemail is read when there are words of it: with its call, or by itself where it has none.
create function voicemail_to_understand() returns trigger language plpgsql as $$
begin
  insert into understanding_jobs (tenant_id, kind, subject_id)
  select distinct v.tenant_id, case when v.call_id is null then 'voicemail' else 'call' end, coalesce(v.call_id, v.id)
  from (select tenant_id, id, (record ->> 'callSessionId')::uuid as call_id, record ->> 'transcript' as words from made) v
    left join call_activity a on a.tenant_id = v.tenant_id and a.call_id = v.call_id
  where btrim(v.words) <> '' and (v.call_id is null or a.understood_revision is not null)
  on conflict (tenant_id, kind, subject_id) do update set generation = understanding_jobs.generation + 1;
  return null;
end $$;
create trigger voicemail_to_understand after insert on voicemails
  referencing new table as made for each statement execute function voicemail_to_understand();

create function voicemail_to_understand_again() returns trigger language plpgsql as $$
begin
  insert into understanding_jobs (tenant_id, kind, subject_id)
  select distinct v.tenant_id, case when v.call_id is null then 'voicemail' else 'call' end, coalesce(v.call_id, v.id)
  from (
    select made.tenant_id, made.id, (made.record ->> 'callSessionId')::uuid as call_id, made.record ->> 'transcript' as words,
      was.record ->> 'transcript' as words_before, (was.record ->> 'callSessionId')::uuid as call_before
    from made join was using (tenant_id, id)
  ) v
    left join call_activity a on a.tenant_id = v.tenant_id and a.call_id = v.call_id
  where btrim(v.words) <> '' and (
    v.call_id is null and btrim(coalesce(v.words_before, '')) = ''
    or a.understood_revision is not null and (v.words, v.call_id) is distinct from (v.words_before, v.call_before))
  on conflict (tenant_id, kind, subject_id) do update set generation = understanding_jobs.generation + 1;
  return null;
end $$;
create trigger voicemail_to_understand_again after update on voicemails
  referencing old table as was new table as made for each statement execute function voicemail_to_understand_again();

create function sms_to_understand() returns trigger language plpgsql as $$
begin
  insert into understanding_jobs (tenant_id, kind, subject_id)
  select tenant_id, 'sms', id from made where record ->> 'direction' = 'inbound' and btrim(record ->> 'body') <> ''
  on conflict do nothing;
  return null;
end $$;
create trigger sms_to_understand after insert on sms
  referencing new table as made for each statement execute function sms_to_understand();
