-- Whoever asks for a delivery knows its subscription, so one index serves identity, lists and retention. Every index less is one less to write when a
-- delivery is made and again when it is settled.
alter table webhook_deliveries drop constraint webhook_deliveries_pkey;
drop index webhook_deliveries_list;
alter table webhook_deliveries add primary key (tenant_id, subscription_id, id);
