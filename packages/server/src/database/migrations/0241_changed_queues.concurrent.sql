-- Subscriptions that were written lately.
create index concurrently if not exists webhook_queues_changed on webhook_queues (changed_at);
