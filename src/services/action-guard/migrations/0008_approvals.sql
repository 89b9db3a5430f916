-- Which role the users of the tenant have where this set judges: {"manager": ["dana"]}, by their names here.
alter table policy_sets add column user_roles json not null default '{}';

-- Calls that wait for a person's approval. An approval is for one call, and used up by it.
create table approvals (
  approval_id uuid primary key,
  tenant_id uuid not null,
  policy_set_id text not null,
  session_id text not null,
  gateway_id text not null,
  -- Who asked: the identity that was checked, and the key where there was one.
  user_id uuid not null,
  api_key_id uuid,
  -- Whom the agent acts for, as the calling application said; empty where it did not.
  acting_user text not null,
  tool_name text not null,
  -- JSON text, cut where it is long.
  tool_params text not null,
  -- SHA-256 of the call: what was approved is this call and no other.
  call_hash text not null,
  -- What each rule wants: [{ruleId, description, reason, by, other}].
  wanted json not null,
  -- Who has approved so far: [{by, username, roles, at}].
  grants json not null,
  status text not null check (status in ('pending', 'approved', 'denied')),
  decided_by uuid,
  decided_at timestamptz,
  note text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The call that has used it.
  used_by text,
  used_at timestamptz
);
create index approvals_of_call on approvals (tenant_id, call_hash, session_id, policy_set_id) where used_at is null;
create index approvals_newest on approvals (tenant_id, created_at desc, approval_id desc);
create index approvals_by_age on approvals (created_at);
