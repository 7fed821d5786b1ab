-- What asking a model cost: each call with its tokens, and the tokens of each month, which are reserved before anything is asked, so that a budget holds
-- however many nodes ask at once.
create table model_calls (
  tenant_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  model text not null,
  subject_kind text not null,
  subject_id uuid not null,
  prompt_tokens integer,
  completion_tokens integer,
  -- In the currency of the endpoint, where it tells.
  cost double precision,
  duration_ms integer not null,
  -- Null when the answer was used; else why the rules stood in.
  failure text,
  -- How much of the answer was dropped: quotes that nobody said, values of the wrong type, unknown keys.
  dropped_quotes integer not null default 0,
  dropped_types integer not null default 0,
  dropped_keys integer not null default 0,
  primary key (tenant_id, id)
);

create table model_budgets (
  tenant_id uuid not null,
  connection_id uuid not null,
  month text not null,
  tokens bigint not null,
  primary key (tenant_id, connection_id, month)
);
