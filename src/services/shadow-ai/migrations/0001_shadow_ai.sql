create table devices (
  tenant_id uuid not null,
  device_uid text not null,
  name text not null,
  os text,
  -- The time of the event that said so: the newest counts.
  named_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (tenant_id, device_uid)
);
create index devices_by_last_seen on devices (tenant_id, last_seen_at);

-- What is known of process instances, and whose session each belongs to.
create table processes (
  tenant_id uuid not null,
  device_uid text not null,
  process_uid text not null,
  parent_uid text,
  -- {field: [rank, value]}
  facts json not null,
  rule_id text,
  -- 'process' or 'cli'
  signal text,
  weak boolean not null,
  owner_uid text,
  owner_rule text,
  last_seen_at timestamptz not null,
  primary key (tenant_id, device_uid, process_uid)
);
create index processes_by_parent on processes (tenant_id, device_uid, parent_uid);
create index processes_by_owner on processes (tenant_id, device_uid, owner_uid) where owner_uid is not null;
create index processes_by_age on processes (last_seen_at);

create table telemetry (
  tenant_id uuid not null,
  device_uid text not null,
  event_key text not null,
  -- Of two events with one key the one with the smaller hash is kept, whichever comes first.
  content_hash text not null,
  at timestamptz not null,
  dimension text not null,
  connector_id text not null,
  process_uid text not null,
  user_name text,
  app_name text,
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
  primary key (tenant_id, device_uid, event_key)
);
create index telemetry_of_process on telemetry (tenant_id, device_uid, process_uid, at);
create index telemetry_by_age on telemetry (at);
create index connections_newest on telemetry (tenant_id, at desc, event_key)
  where dimension = 'network' and provider_id is not null and inbound is not true;

create table detections (
  id bigint generated always as identity primary key,
  tenant_id uuid not null,
  device_uid text not null,
  root_uid text not null,
  rule_id text not null,
  prompt text,
  account_name text,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  process_count integer not null,
  network_count integer not null,
  file_count integer not null,
  detection_mode text not null,
  activity_tags text[] not null,
  created_at timestamptz not null
);
create index detections_newest on detections (tenant_id, started_at desc, id desc);
create index detections_of_root on detections (tenant_id, device_uid, root_uid);

create table evaluations (
  tenant_id uuid primary key,
  evaluated_at timestamptz not null
);

create table rule_overrides (
  tenant_id uuid not null,
  rule_id text not null,
  enabled boolean,
  severity text,
  updated_at timestamptz not null,
  primary key (tenant_id, rule_id)
);

-- At most one of a tenant is enabled; those before it stay for the ids in their events.
create table connectors (
  config_id uuid primary key,
  tenant_id uuid not null,
  kind text not null,
  enabled boolean not null,
  fields json not null,
  secrets bytea,
  settings json not null,
  watermark timestamptz,
  last_success_at timestamptz,
  last_error text,
  events_ingested bigint not null default 0,
  -- When it is to be polled next.
  due_at timestamptz not null,
  -- A process polls it until then, unless it is done before.
  leased_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index connector_of_tenant on connectors (tenant_id) where enabled;
create unique index connector_of_kind on connectors (tenant_id, kind);

create table saas_configs (
  tenant_id uuid primary key,
  host text not null,
  user_name text not null,
  password bytea not null,
  last_modified timestamptz not null
);
