create table policy_exemplars (
  policy_id uuid primary key references policies on delete cascade,
  tenant_id text not null,
  -- What the exemplars are written for: this text of the policy, by this prompt, with this model.
  text_hash text not null,
  prompt_version integer not null,
  model text not null,
  status text not null check (status in ('pending', 'ready', 'failed')),
  -- Questions of the prompt that are done: a run that was interrupted goes on after them.
  steps_done integer not null default 0,
  -- Texts that violate the policy, and texts that come close to it.
  block json not null default '[]',
  safe json not null default '[]',
  -- What was learned from them, and by which engine.
  head json,
  engine_version text,
  updated_at timestamptz not null
);

create index policy_exemplars_of_text on policy_exemplars (tenant_id, text_hash) where status = 'ready';
create index policy_exemplars_pending on policy_exemplars (updated_at) where status = 'pending';
