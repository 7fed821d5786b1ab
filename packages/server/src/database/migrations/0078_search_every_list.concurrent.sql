-- Search of subscriptions, events and deletions. Until an index is there, searching is slow, not wrong.
create index concurrently if not exists webhook_subscriptions_search on webhook_subscriptions using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index concurrently if not exists events_search on events using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index concurrently if not exists deleted_records_search on deleted_records using gin (tenant_id, search) with (gin_pending_list_limit = 256);
