-- Texts on their way to a carrier. A row is written in the commit that queues its text and goes away when there is nothing left to do for it,
-- so the table is the whole backlog: it holds what is under way, never what is done.
create table sms_outbox (
  tenant_id uuid not null,
  sms_id uuid not null,
  -- `send`: the carrier has not accepted it yet. `follow`: it has, and is asked what became of it.
  step text not null default 'send' check (step in ('send', 'follow')),
  -- When it may be taken up; for a row that a worker holds, when its lease lapses.
  due_at timestamptz not null,
  attempts integer not null default 0,
  -- Whoever settles must still hold this.
  claim uuid,
  primary key (tenant_id, sms_id)
);
create index sms_outbox_due on sms_outbox (due_at);

-- The number that is sent from when nobody says which.
alter table phone_numbers add column "is_default" boolean generated always as ((record ->> 'isDefault')::boolean) stored;
create index phone_numbers_is_default on phone_numbers (tenant_id, "is_default", id) where "is_default" is not null;
