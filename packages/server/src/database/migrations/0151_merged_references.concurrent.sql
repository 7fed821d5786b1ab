-- When someone is merged, what names them is looked for; these were not looked up by whom they are about.
create index concurrently if not exists tasks_subject on tasks (tenant_id, ((record ->> 'subjectId')::uuid), id) where record ->> 'subjectId' is not null;
create index concurrently if not exists signal_events_person on signal_events (tenant_id, ((record ->> 'personId')::uuid), id) where record ->> 'personId' is not null;
