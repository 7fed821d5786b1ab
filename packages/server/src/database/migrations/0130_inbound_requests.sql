-- Providers send what happens on their side to a connection's own addresses. Each request is written here in the commit that
-- acknowledges it, and worked on afterwards, so the table is both the log and the queue: nothing that was acknowledged is lost.
create table inbound_requests (
  tenant_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  kind text not null,
  received_at timestamptz not null,
  is_simulated boolean not null default false,
  -- What the provider calls the things it tells of.
  provider_ids jsonb not null,
  -- Requests of one conversation are worked on in the order of their ids.
  conversation text not null,
  -- The same once more is a repetition. Null: it may be said twice.
  natural_key text,
  -- What was decided when it was answered.
  decided text,
  url text not null,
  headers json not null,
  body bytea not null,
  status text not null default 'pending' check (status in ('pending', 'processed', 'ignored', 'failed')),
  -- How many of its steps are done: each is committed with this number.
  step integer not null default 0,
  attempts integer not null default 0,
  -- When it may be taken up, or when the lease of whoever holds it lapses. Null: held while the connection is paused, or done.
  due_at timestamptz,
  -- Whoever settles must still hold this.
  claim uuid,
  records jsonb not null default '[]',
  error text,
  processed_at timestamptz,
  primary key (tenant_id, id)
);
create index inbound_requests_log on inbound_requests (tenant_id, connection_id, id);
create index inbound_requests_log_status on inbound_requests (tenant_id, connection_id, status, id);
create index inbound_requests_due on inbound_requests (tenant_id, due_at) where status = 'pending' and due_at is not null;
create index inbound_requests_order on inbound_requests (tenant_id, connection_id, conversation, id) where status = 'pending';
create index inbound_requests_held on inbound_requests (tenant_id, connection_id) where status = 'pending' and due_at is null;
create index inbound_requests_natural on inbound_requests (tenant_id, connection_id, natural_key) where natural_key is not null;
create index inbound_requests_age on inbound_requests (received_at) where status <> 'pending';

-- A request names the connection alone; whose it is follows from it.
create index integration_connections_by_id on integration_connections (id);
