-- What the optimisation lab has taught policies. Never changes; policies and history entries name it.
create table policy_tunings (
  group_uuid uuid not null references policy_groups on delete cascade,
  -- A copy of a group has the tunings of its original, under the same ids.
  tuning_id uuid not null,
  -- Of the features, as the head was fitted; null for a shift alone.
  scale double precision,
  shift double precision not null,
  head json not null,
  engine_version text not null,
  -- [{text, violates}], and whether ordinary messages stood beside them: to learn from again when the engine changes.
  examples json not null,
  everyday boolean not null,
  -- The exemplars that the policy stood on; null where it stood on none.
  exemplars_at text,
  created_at timestamptz not null,
  primary key (group_uuid, tuning_id)
);

alter table policies add column tuning_id uuid;

create table optimization_jobs (
  job_id uuid primary key,
  tenant_id text not null,
  owner_id text not null,
  group_uuid uuid not null references policy_groups on delete cascade,
  group_version integer not null,
  status text not null check (status in ('queued', 'running', 'done', 'failed', 'cancelled')),
  progress double precision not null default 0,
  error text,
  -- {tier, objective, maxFalsePositiveRate, everyday}
  wish json not null,
  -- [{policyId, name, examples}]
  labelled json not null,
  -- What the policies were when the job measured them, and what they are to become.
  results json,
  applied_version integer,
  created_at timestamptz not null,
  finished_at timestamptz
);

create index optimization_jobs_of_group on optimization_jobs (group_uuid, created_at desc);
create index optimization_jobs_under_way on optimization_jobs (tenant_id, owner_id) where status in ('queued', 'running');
