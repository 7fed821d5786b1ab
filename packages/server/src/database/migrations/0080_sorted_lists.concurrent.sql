-- Lists sorted by the times that people plan by. Expressions and not columns: a stored column would rewrite the table. Rows without a value
-- are in the index as well, because they come last in a sorted list. Calls, texts and facts have columns with such indexes already.
create index concurrently if not exists work_records_due_at on work_records (tenant_id, ((record ->> 'dueAt') collate "C"), id);
create index concurrently if not exists work_records_scheduled_start on work_records (tenant_id, ((record ->> 'scheduledStart') collate "C"), id);
create index concurrently if not exists tasks_due_at on tasks (tenant_id, ((record ->> 'dueAt') collate "C"), id);
create index concurrently if not exists appointments_start_at on appointments (tenant_id, ((record ->> 'startAt') collate "C"), id);
create index concurrently if not exists money_records_due_at on money_records (tenant_id, ((record ->> 'dueAt') collate "C"), id);
