create table policy_groups (
  group_uuid uuid primary key,
  tenant_id text not null,
  owner_id text not null,
  name text not null,
  description text not null,
  threshold double precision not null check (threshold between 0 and 1),
  strictness_level text not null check (strictness_level in ('low', 'medium', 'high')),
  is_template boolean not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index policy_groups_of_owner on policy_groups (tenant_id, owner_id, created_at);
create index policy_groups_shared on policy_groups (tenant_id, created_at) where is_template;

create table policies (
  policy_id uuid primary key,
  group_uuid uuid not null references policy_groups on delete cascade,
  position integer not null,
  name text not null,
  description text not null,
  block_activities json not null,
  safe_activities json not null,
  enabled boolean not null,
  -- Set for copies of built-in policies.
  detector text,
  -- What the engine made of the policy, and which engine.
  compiled json not null,
  engine_version text not null,
  -- Deferred: two policies may swap their names in one write.
  constraint policies_name unique (group_uuid, name) deferrable initially deferred
);

create table policy_group_history (
  group_uuid uuid not null references policy_groups on delete cascade,
  version integer not null,
  action text not null,
  changed_by text not null,
  changed_at timestamptz not null,
  summary text not null,
  snapshot json not null,
  primary key (group_uuid, version)
);
