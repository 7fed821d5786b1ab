-- The timeline of a person, a customer or a unit of work goes by when things happened. Of calls and texts one person may
-- have very many, so these are read in that order; drafts, signals and money were not looked up by whom they are about.
create index concurrently if not exists calls_person_started on calls (tenant_id, person_id, started_at, id) where person_id is not null;
create index concurrently if not exists calls_customer_started on calls (tenant_id, customer_id, started_at, id) where customer_id is not null;
create index concurrently if not exists sms_person_sent on sms (tenant_id, person_id, sent_at, id) where person_id is not null;
create index concurrently if not exists drafts_person on drafts (tenant_id, ((record ->> 'personId')::uuid), id) where record ->> 'personId' is not null;
create index concurrently if not exists drafts_customer on drafts (tenant_id, ((record ->> 'customerId')::uuid), id) where record ->> 'customerId' is not null;
create index concurrently if not exists drafts_work_record on drafts (tenant_id, ((record ->> 'workRecordId')::uuid), id) where record ->> 'workRecordId' is not null;
create index concurrently if not exists signals_person on signals (tenant_id, ((record ->> 'personId')::uuid), id) where record ->> 'personId' is not null;
create index concurrently if not exists money_records_person on money_records (tenant_id, ((record ->> 'personId')::uuid), id) where record ->> 'personId' is not null;
create index concurrently if not exists workflow_runs_person on workflow_runs (tenant_id, ((record ->> 'personId')::uuid), id) where record ->> 'personId' is not null;
