create table scans (
  scan_id bigint generated always as identity primary key,
  -- Of runs.runs; null for a list of tools, which is judged at once.
  run_id uuid unique,
  tenant_id uuid not null,
  owner_id uuid not null,
  visibility text not null,
  scan_type text not null,
  filename text not null,
  upload_time timestamptz not null,
  github_url text,
  revision text,
  commit_hash text,
  server_name text,
  -- Without the values of env and headers.
  config json,
  -- Those values, sealed.
  secrets bytea,
  -- An OAuth access token, sealed; gone when the scan has ended.
  token bytea,
  artifact_id uuid,
  batch_id uuid,
  parent_scan_id bigint,
  cached_from_scan_id bigint,
  publish boolean not null default false,
  oauth_metadata json,
  authentication_required boolean not null default false,
  content_hash text,
  rules_version text,
  -- 'completed' or 'failed' once it has ended.
  outcome text,
  error_message text,
  finished_at timestamptz,
  security text,
  complexity text,
  sensitivity text,
  security_reasoning text,
  complexity_reasoning text,
  sensitivity_reasoning text,
  score integer,
  vulnerability_count integer not null default 0,
  severities json,
  flagged_count integer not null default 0,
  tool_count integer not null default 0,
  server_count integer not null default 0,
  prompt_tokens bigint not null default 0,
  completion_tokens bigint not null default 0,
  llm_cost double precision not null default 0
);
create index scans_newest on scans (tenant_id, upload_time desc, scan_id desc);
create index scans_of_batch on scans (batch_id) where batch_id is not null;
create index scans_by_content on scans (tenant_id, owner_id, content_hash) where outcome = 'completed';
create index scans_by_commit on scans (github_url, commit_hash) where outcome = 'completed';
create index scans_published on scans (filename, finished_at desc) where publish and outcome = 'completed';

create table results (
  scan_id bigint primary key references scans on delete cascade,
  data json not null
);

create table suppressions (
  suppression_id uuid primary key,
  tenant_id uuid not null,
  fingerprint text not null,
  rule_id text,
  title text,
  reason text not null,
  by_user uuid not null,
  by_name text not null,
  created_at timestamptz not null,
  until timestamptz,
  unique (tenant_id, fingerprint)
);
