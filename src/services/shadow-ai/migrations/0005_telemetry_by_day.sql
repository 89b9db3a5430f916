-- Telemetry by day, so that retention drops days as a whole; short keys, made of what they stand for, so that a batch is
-- written without asking which of its rows are there; connections counted while they come in.

-- What was kept in the old form counts as deleted by retention: detections stay, and only grow.
update detections set
  gone_before = greatest(gone_before, now()),
  gone_process_count = process_count,
  gone_network_count = network_count,
  gone_file_count = file_count;
drop table telemetry;
drop table processes;

create table processes (
  -- Made of tenant, device and uid; see ids.ts.
  id uuid primary key,
  tenant_id uuid not null,
  device_uid text not null,
  process_uid text not null,
  parent_id uuid,
  -- {field: [rank, value]}
  facts json not null,
  rule_id text,
  -- 'process' or 'cli'
  signal text,
  weak boolean not null,
  -- The process with which the session began that it belongs to.
  owner_id uuid,
  owner_rule text,
  last_seen_at timestamptz not null
);
create index processes_by_parent on processes (parent_id) where parent_id is not null;
create index processes_by_owner on processes (owner_id) where owner_id is not null;
create index processes_by_age on processes using brin (last_seen_at);

create table telemetry (
  tenant_id uuid not null,
  at timestamptz not null,
  -- Equal for the same event, however often it comes.
  id uuid not null,
  -- Of two events with one id the one with the smaller content is kept, whichever comes first.
  content bigint not null,
  dimension text not null,
  process_id uuid not null,
  device_uid text not null,
  connector_id text not null,
  user_name text,
  app_name text,
  -- Of the start of a process; what else it does has the command line of its process.
  command_line text,
  host text,
  ip text,
  port integer,
  inbound boolean,
  file_path text,
  action text,
  provider_id text,
  is_api boolean not null,
  file_rule text,
  tags text[] not null,
  primary key (tenant_id, at, id)
) partition by range (at);
create index telemetry_of_process on telemetry (process_id, at);
create index connections_newest on telemetry (tenant_id, at desc, id)
  where dimension = 'network' and provider_id is not null and inbound is not true;
-- Days that are too old for a table of their own.
create table telemetry_other partition of telemetry default;

alter table detections add column root_id uuid;
update detections set root_id = encode(substring(sha256(convert_to(
  tenant_id::text || ':' || octet_length(device_uid) || ':' || device_uid || ':' || root_uid, 'UTF8')) from 1 for 16), 'hex')::uuid;
alter table detections alter column root_id set not null;
drop index detections_of_root;
create index detections_of_root on detections (root_id);

-- Connections to providers in each hour. Programs without a name are ''.
create table connect_hours (
  tenant_id uuid not null,
  hour_at timestamptz not null,
  connector_id text not null,
  provider_id text not null,
  app_name text not null,
  connections bigint not null,
  last_at timestamptz not null,
  primary key (tenant_id, hour_at, connector_id, provider_id, app_name)
);

-- Who connected to what, with which program: the first and the last time, ever and on each day.
create table connect_pairs (
  tenant_id uuid not null,
  connector_id text not null,
  provider_id text not null,
  app_name text not null,
  user_name text not null,
  device_uid text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (tenant_id, device_uid, provider_id, app_name, user_name, connector_id)
);
create table connect_days (
  tenant_id uuid not null,
  day_at timestamptz not null,
  connector_id text not null,
  provider_id text not null,
  app_name text not null,
  user_name text not null,
  device_uid text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (tenant_id, device_uid, provider_id, app_name, user_name, connector_id, day_at)
);
