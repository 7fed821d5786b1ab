-- After a restore, what was open when the backup was made may have been sent since. While this table has a row, no node
-- sends webhooks or texts; `parley-server resume` removes it.
create table sending_hold (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null,
  -- The moment that was restored.
  restored_to timestamptz not null
);
