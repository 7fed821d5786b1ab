-- Sweeps look at what has come due lately instead of at every subscription with something open, and what is left of
-- revoked subscriptions is found from these, which are few.
create index concurrently if not exists webhook_deliveries_due on webhook_deliveries (next_attempt_at)
  where status in ('PENDING', 'RETRYING');
create index concurrently if not exists webhook_queues_revoked on webhook_queues (tenant_id, subscription_id) where is_revoked;
