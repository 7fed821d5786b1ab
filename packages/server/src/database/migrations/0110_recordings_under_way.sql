-- The audio of a voicemail may be fetched from an address that a carrier names. A row says from where; while there is
-- something left to do, it is also the queue. It stays afterwards, so that the same address sent again is not fetched again
-- and a failure can be read.
create table recording_fetches (
  tenant_id uuid not null,
  voicemail_id uuid not null,
  -- Encrypted: such an address is often good without a key.
  address bytea not null,
  -- When it may be taken up, or when the lease of whoever holds it lapses. Null: nothing is left to do.
  due_at timestamptz,
  attempts integer not null default 0,
  -- Whoever settles must still hold this.
  claim uuid,
  -- Why it was given up.
  error text,
  primary key (tenant_id, voicemail_id)
);
create index recording_fetches_due on recording_fetches (tenant_id, due_at) where due_at is not null;

-- Blobs that no recording names: those being written, and those that were replaced. A blob is listed before its first byte
-- is written and leaves the list in the commit that names it, so whatever is due here can be removed from the disk.
create table unnamed_blobs (
  tenant_id uuid not null,
  voicemail_id uuid not null,
  blob text not null,
  -- When it may be removed.
  due_at timestamptz not null,
  -- From here on it can be named no more.
  is_doomed boolean not null default false,
  primary key (tenant_id, voicemail_id, blob)
);
create index unnamed_blobs_due on unnamed_blobs (due_at);
