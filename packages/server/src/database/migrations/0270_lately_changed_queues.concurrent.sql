-- Sweeps ask which subscriptions were written lately. That a subscription was is forgotten after a day, so that the
-- index is as large as what was written lately, and not as all subscriptions.
create index concurrently if not exists webhook_queues_lately on webhook_queues (changed_at)
  where changed_at is not null;
drop index concurrently if exists webhook_queues_changed;
