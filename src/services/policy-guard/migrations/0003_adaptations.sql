alter table guards
  -- The adaptation that the guard judges by; changes with the guard's version.
  add column active_adaptation_id uuid,
  -- The highest number given to an adaptation of the guard; a deleted one's is not given again.
  add column last_adaptation_version integer not null default 0;

create table adaptations (
  adaptation_id uuid primary key,
  guard_uuid text not null references guards on delete cascade,
  version integer not null,
  created_at timestamptz not null,
  unique (guard_uuid, version)
);

create table adapted_policies (
  adaptation_id uuid not null references adaptations on delete cascade,
  position integer not null,
  group_uuid uuid not null,
  -- As in the group: a UUID, or a fixed word in groups that ship with the product.
  policy_id text not null,
  policy_name text not null,
  -- [{text, violates}], kept to learn from again when the engine changes.
  examples json not null,
  -- How well the policy told the examples apart: by its text alone, and adapted.
  before json not null,
  after json,
  -- What was learned, and by which engine.
  head json not null,
  -- What its features were multiplied by, as adaptations/fit.ts chose it.
  scale double precision not null,
  engine_version text not null,
  primary key (adaptation_id, group_uuid, policy_id)
);
