-- How a guard judges, and what it does when its judge fails; null: as the deployment says.
alter table guards
  add column engine text check (engine in ('embedded', 'llm', 'cascade', 'moderation', 'onnx')),
  add column fail_mode text check (fail_mode in ('degrade', 'closed', 'open'));

create table judge_calibrations (
  calibration_id uuid primary key,
  tenant_id text not null,
  -- What it holds for: this text of a policy, by this prompt, with this model.
  model text not null,
  prompt_version integer not null,
  text_hash text not null,
  -- Rises with each calibration of the same three; only one is in force, or none.
  version integer not null,
  in_force boolean not null,
  policy_name text not null,
  method text not null check (method in ('platt', 'temperature', 'contextual')),
  temperature double precision not null check (temperature > 0),
  bias double precision not null,
  examples integer not null,
  error_before double precision,
  error_after double precision,
  created_by text not null,
  created_at timestamptz not null,
  unique (tenant_id, model, prompt_version, text_hash, version)
);

create unique index judge_calibrations_in_force
  on judge_calibrations (tenant_id, model, prompt_version, text_hash) where in_force;
