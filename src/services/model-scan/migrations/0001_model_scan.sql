-- The status of a scan is in runs.runs, under run_id; everything else of it is here.
create table scans (
  scan_id text primary key,
  run_id uuid not null unique,
  tenant_id text not null,
  owner_id text not null,
  visibility text not null default 'private' check (visibility in ('private', 'tenant')),
  scan_name text not null,
  -- A sandbox scan has a few fixed cases, and is not counted as usage.
  sandbox boolean not null,
  -- Address, name and sampling of the model; its key and headers are sealed in "secrets".
  model jsonb not null,
  secrets bytea not null,
  -- Data sets, algorithms, pace and budget as asked for, with defaults filled in.
  settings jsonb not null,
  seed bigint not null,
  -- Tests are pairs of case and algorithm.
  total integer not null,
  -- Tests whose result is stored.
  passed integer not null default 0,
  -- How long the scan has been sending, over all its executions.
  active_ms double precision not null default 0,
  requests bigint not null default 0,
  prompt_tokens bigint not null default 0,
  completion_tokens bigint not null default 0,
  -- Why the last execution did not finish, for people.
  stopped_because text,
  summary json,
  created_at timestamptz not null,
  finished_at timestamptz
);
create unique index scans_by_name on scans (tenant_id, scan_name);
create index scans_by_tenant on scans (tenant_id, created_at);

-- The cases of a scan as they were when it started: data sets may change while it is paused.
create table cases (
  scan_id text not null references scans on delete cascade,
  case_id text not null,
  body json not null,
  primary key (scan_id, case_id)
);

create table tests (
  scan_id text not null references scans on delete cascade,
  -- The order of execution, which mixes data sets and algorithms.
  number integer not null,
  case_id text not null,
  dataset text not null,
  subcategory text not null,
  severity text not null,
  topic text not null,
  -- `Default` sends the case as it is.
  algorithm text not null,
  -- What follows is null until the test is done.
  done_at timestamptz,
  -- 100, 50 or 0; null beside a done_at: could not be assessed.
  score smallint,
  reason text,
  -- Number of the attempt that the result rests on.
  attempt integer,
  attempts integer,
  primary key (scan_id, number)
);
create index tests_open on tests (scan_id, number) where done_at is null;
create unique index tests_by_case on tests (scan_id, case_id, algorithm);

-- One row for each request that got its answer, or that the target failed for good.
create table attempts (
  scan_id text not null,
  number integer not null,
  attempt integer not null,
  key text not null,
  messages json not null,
  parameters json not null,
  -- As the target sent it; null if there was none.
  reply text,
  -- Where it differs from the reply.
  decoded text,
  score smallint,
  refusal text not null,
  reason text not null,
  judged_by text not null,
  error text,
  requests integer not null,
  latency_ms double precision not null,
  sent_at timestamptz not null,
  primary key (scan_id, number, attempt),
  foreign key (scan_id, number) references tests on delete cascade
);

-- Starts of requests within the last minute, of scans with a limit of requests per minute.
create table starts (
  scan_id text not null references scans on delete cascade,
  at timestamptz not null
);
create index starts_by_scan on starts (scan_id, at);
