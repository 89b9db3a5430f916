create table agents (
  agent_id text primary key,
  tenant_id text not null,
  owner_id text not null,
  visibility text not null default 'private' check (visibility in ('private', 'tenant')),
  name text not null,
  endpoint text not null,
  protocol text not null,
  -- Model name, tool loop, template of the body.
  options jsonb not null,
  -- Key and headers, sealed; null where there are none.
  secrets bytea,
  created_at timestamptz not null
);
create unique index agents_by_name on agents (tenant_id, name);

create table evaluations (
  evaluation_id text primary key,
  tenant_id text not null,
  owner_id text not null,
  visibility text not null default 'private' check (visibility in ('private', 'tenant')),
  name text not null,
  agent_id text,
  -- A copy: the agent may be changed or deleted.
  agent_endpoint text not null,
  selection jsonb not null,
  total_tasks integer not null,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create unique index evaluations_by_name on evaluations (tenant_id, name) where deleted_at is null;

-- The tasks of an evaluation as they were when it was made: shipped tasks change with upgrades.
create table tasks (
  evaluation_id text not null references evaluations on delete cascade,
  number integer not null,
  task_id text not null,
  body json not null,
  primary key (evaluation_id, number)
);

-- The status of a started run is in runs.runs, under work_id.
create table runs (
  run_id text primary key,
  work_id uuid unique,
  evaluation_id text not null references evaluations on delete cascade,
  tenant_id text not null,
  owner_id text not null,
  config jsonb not null,
  created_at timestamptz not null,
  -- Of a run that was cancelled before its start.
  cancelled_at timestamptz
);
create index runs_by_evaluation on runs (evaluation_id, created_at);

-- One row for each task of a run, made with the run. A verdict is written once: `where finished_at is null`.
create table results (
  result_id text primary key,
  run_id text not null references runs on delete cascade,
  tenant_id text not null,
  number integer not null,
  task_id text not null,
  domain text not null,
  threat_model text not null,
  task_type text not null,
  risk_category text,
  vector text,
  status text not null,
  session_id text,
  attack_success boolean,
  task_success boolean,
  delivered boolean,
  outcome text,
  judge json,
  trajectory json,
  -- Number of changes that neither the work nor the attack explains.
  collateral integer not null default 0,
  agent_response text,
  included_report boolean not null default false,
  error text,
  started_at timestamptz,
  finished_at timestamptz,
  unique (run_id, number)
);
create index results_by_run on results (run_id, status);
create index results_by_tenant on results (tenant_id, finished_at);

create table reports (
  job_id text primary key,
  work_id uuid not null unique,
  run_id text not null references runs on delete cascade,
  tenant_id text not null,
  owner_id text not null,
  failure_cases_per_category integer not null,
  created_at timestamptz not null
);
create index reports_by_run on reports (run_id, created_at);
