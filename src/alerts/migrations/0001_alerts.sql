-- What services count, by the minute. Rules are evaluated on nothing else.
create table counts (
  tenant_id text not null,
  -- What is counted: texts, actions, calls or requests.
  source text not null,
  -- The guard, policy set, gateway or service.
  subject text not null,
  minute timestamptz not null,
  total bigint not null,
  -- Of these: flagged, blocked or refused.
  stopped bigint not null,
  -- Of these: judged in a degraded way, or failed.
  failed bigint not null,
  primary key (tenant_id, source, subject, minute)
);
create index counts_by_age on counts (minute);

-- What was counted for, with its newest name.
create table subjects (
  tenant_id text not null,
  source text not null,
  subject text not null,
  name text not null,
  seen_at timestamptz not null,
  primary key (tenant_id, source, subject)
);
create index subjects_by_age on subjects (seen_at);

create table rules (
  rule_id uuid primary key,
  tenant_id text not null,
  name text not null,
  measure text not null,
  -- Null: all of the tenant.
  subject text,
  window_minutes integer not null,
  threshold double precision not null,
  min_count integer not null,
  enabled boolean not null,
  muted_until timestamptz,
  created_at timestamptz not null,
  -- As evaluated last; null before, and of a share of nothing.
  value double precision,
  counted bigint not null default 0,
  evaluated_at timestamptz
);
create index rules_of_tenant on rules (tenant_id, created_at);

-- Each time a rule fired, with the rule as it was then.
create table incidents (
  incident_id uuid primary key,
  tenant_id text not null,
  rule_id uuid not null,
  rule_name text not null,
  measure text not null,
  subject text,
  window_minutes integer not null,
  threshold double precision not null,
  value double precision not null,
  -- The highest value so far.
  peak double precision not null,
  started_at timestamptz not null,
  resolved_at timestamptz,
  -- `recovered`, or `rule_changed` where the rule was changed, switched off or deleted.
  resolution text,
  -- When it was told that it fires; null while nobody was told.
  told_at timestamptz
);
-- A rule fires once at a time.
create unique index incidents_open on incidents (rule_id) where resolved_at is null;
create index incidents_of_tenant on incidents (tenant_id, started_at);
create index incidents_by_age on incidents (resolved_at);

-- Where a tenant is told of incidents.
create table channels (
  channel_id uuid primary key,
  tenant_id text not null,
  name text not null,
  kind text not null check (kind in ('mail', 'webhook', 'slack')),
  mail_to text[] not null,
  url text,
  -- Of events.webhook_destinations.
  destination_id uuid,
  created_at timestamptz not null
);
create index channels_of_tenant on channels (tenant_id, created_at);
