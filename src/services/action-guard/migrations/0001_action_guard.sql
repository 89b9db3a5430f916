-- Policies and sets. What is deleted stays, marked, for whoever has to explain an old log entry.
create table policies (
  policy_id text primary key,
  tenant_id uuid not null,
  owner_id uuid not null,
  name text not null,
  description text not null,
  category text not null,
  -- A list, since the order of the author is kept: [{key, ruleId, description, severity, source, compiled}].
  rules json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create index policies_of_tenant on policies (tenant_id, created_at desc, policy_id) where deleted_at is null;

create table policy_sets (
  policy_set_id text primary key,
  tenant_id uuid not null,
  owner_id uuid not null,
  name text not null,
  -- {blockingMode, blockingLevel, blockingThreshold}, each where it is set.
  blocking_config json not null,
  notify_emails text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create index policy_sets_of_tenant on policy_sets (tenant_id, created_at desc, policy_set_id) where deleted_at is null;

-- No foreign key to policies: a preset template is attached by its id and stands in no table.
create table policy_set_members (
  policy_set_id text not null references policy_sets,
  policy_id text not null,
  position integer not null,
  enabled boolean not null,
  primary key (policy_set_id, policy_id)
);
create index policy_set_members_by_policy on policy_set_members (policy_id);

-- One entry for each evaluation.
create table logs (
  log_id uuid primary key,
  tenant_id uuid not null,
  user_id uuid not null,
  at timestamptz not null,
  session_id text not null,
  -- Empty where the call came through no gateway.
  gateway_id text not null,
  policy_set_id text not null,
  tool_name text,
  -- JSON as it was sent, or cut; text, since nobody looks inside and jsonb refuses what JSON allows.
  tool_params text,
  tool_output text,
  server_name text,
  allowed boolean not null,
  violations_count integer not null,
  warnings_count integer not null,
  threat_category text not null,
  -- The category of each blocking violation.
  violation_categories text[] not null,
  rule_ids text[] not null,
  service_status text not null,
  latency_ms double precision not null
);
create index logs_newest on logs (tenant_id, at desc, log_id desc);
create index logs_of_user on logs (tenant_id, user_id, at desc, log_id desc) include (gateway_id);
create index logs_of_gateway on logs (tenant_id, gateway_id, at desc, log_id desc) include (user_id);
create index logs_of_session on logs (tenant_id, session_id, at desc, log_id desc) include (user_id, gateway_id);

-- Counts of logs by minute, hour and day, kept in the transaction of each entry: statistics of any range are a sum of
-- these and of the entries in the two minutes at its ends.
create table log_counts (
  tenant_id uuid not null,
  -- 1 minute, 2 hour, 3 day
  level smallint not null,
  bucket timestamptz not null,
  user_id uuid not null,
  gateway_id text not null,
  evaluations bigint not null,
  allowed bigint not null,
  primary key (tenant_id, level, bucket, user_id, gateway_id)
) with (fillfactor = 70);

create table log_category_counts (
  tenant_id uuid not null,
  level smallint not null,
  bucket timestamptz not null,
  user_id uuid not null,
  gateway_id text not null,
  -- 'threat' or 'violation'
  kind text not null,
  category text not null,
  count bigint not null,
  primary key (tenant_id, level, bucket, user_id, gateway_id, kind, category)
) with (fillfactor = 70);

-- When each session was first and last seen; a session id belongs to its user.
create table log_sessions (
  tenant_id uuid not null,
  user_id uuid not null,
  session_id text not null,
  gateway_id text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (tenant_id, user_id, session_id, gateway_id)
) with (fillfactor = 70);
create index log_sessions_by_last on log_sessions (tenant_id, last_at);

-- The last mail about a rule in a session.
create table notices (
  tenant_id uuid not null,
  user_id uuid not null,
  session_id text not null,
  rule_id text not null,
  sent_at timestamptz not null,
  primary key (tenant_id, user_id, session_id, rule_id)
);
create index notices_by_age on notices (sent_at);

create table extraction_jobs (
  job_id uuid primary key,
  tenant_id uuid not null,
  owner_id uuid not null,
  status text not null,
  policy_name text not null,
  category text not null,
  result json,
  error text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- What a job reads; gone once it has ended.
create table extraction_inputs (
  job_id uuid not null references extraction_jobs on delete cascade,
  position integer not null,
  name text not null,
  content bytea not null,
  primary key (job_id, position)
);
