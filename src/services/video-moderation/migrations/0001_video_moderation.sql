-- Categories, thresholds and detectors under a name.
create table deployments (
  deployment_id text primary key,
  tenant_id text not null,
  owner_id text not null,
  visibility text not null default 'private' check (visibility in ('private', 'tenant')),
  name text not null,
  -- As on the wire, with defaults filled in.
  categories jsonb not null,
  detectors jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index deployments_by_name on deployments (tenant_id, name);

-- Live sessions. Their events are in events.events, under the topic video:<stream_id>.
create table streams (
  stream_id text primary key,
  tenant_id text not null,
  owner_id text not null,
  -- The key that limits count by; null: a signed-in user.
  api_key_id text,
  status text not null check (status in ('running', 'stopped', 'ended', 'failed')),
  ingest_state text not null check (ingest_state in ('waiting', 'receiving', 'stalled', 'reconnecting')),
  -- Transport, sampling and callback as asked for; the address of the source is sealed, since it may hold credentials.
  settings jsonb not null,
  source bytea,
  -- SHA-256 of the token that frames are pushed with.
  ingest_token bytea,
  frames_analyzed bigint not null default 0,
  clips_analyzed bigint not null default 0,
  frames_dropped bigint not null default 0,
  error text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  finished_at timestamptz
);
create index streams_by_tenant on streams (tenant_id, created_at);
create index streams_running on streams (owner_id) where status = 'running';
