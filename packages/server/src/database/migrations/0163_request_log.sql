-- Developers look up what they sent and how it was answered. Requests are written in batches, beside those who answer
-- them, and `xact` orders readers as in the log of events, so that who follows the log passes none by.
create table request_log (
  tenant_id uuid not null,
  id uuid not null,
  xact xid8 not null default pg_current_xact_id(),
  method text not null,
  path text not null,
  status smallint not null,
  ms real not null,
  actor_type text not null,
  actor_id text not null,
  request_id text not null,
  error_code text,
  error_reason text,
  error_field text,
  primary key (tenant_id, id)
);
create index request_log_order on request_log (tenant_id, xact, id);
create index request_log_failed on request_log (tenant_id, id) where status >= 400;
