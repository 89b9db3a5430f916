create table gateways (
  gateway_id text primary key,
  tenant_id uuid not null,
  owner_id uuid not null,
  name text not null,
  -- A policy set of the action guard; no foreign key, since it stands in another service's schema.
  action_guard_policy_id text,
  access_control json not null,
  guard_mode text not null,
  guard_failure text not null,
  output_guard text not null,
  calls_per_minute integer,
  pin_tools text not null,
  -- What was asked for: a gateway that runs is running again after a restart of the service.
  running boolean not null,
  started_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index gateways_of_tenant on gateways (tenant_id, created_at desc, gateway_id);

create table mcp_servers (
  server_id text primary key,
  tenant_id uuid not null,
  owner_id uuid not null,
  name text not null,
  transport text not null,
  connection_url text,
  command text,
  args text[] not null,
  -- Encrypted JSON.
  env bytea,
  identity_scheme text not null,
  -- What was found at the last discovery, as the server sent it; null before the first.
  tools json,
  tools_at timestamptz,
  resources json,
  resources_at timestamptz,
  prompts json,
  prompts_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index mcp_servers_of_tenant on mcp_servers (tenant_id, created_at desc, server_id);

create table manual_resources (
  server_id text not null references mcp_servers on delete cascade,
  name text not null,
  description text not null,
  mime_type text,
  created_at timestamptz not null,
  primary key (server_id, name)
);

create table attachments (
  gateway_id text not null references gateways on delete cascade,
  server_id text not null references mcp_servers on delete cascade,
  tool_prefix text not null,
  attached_at timestamptz not null,
  primary key (gateway_id, server_id)
);
create index attachments_by_server on attachments (server_id);

-- Tools as each gateway first saw them, and what they have become where that is not approved yet.
create table tool_pins (
  gateway_id text not null,
  server_id text not null,
  tool_name text not null,
  hash text not null,
  definition json not null,
  pinned_at timestamptz not null,
  changed_hash text,
  changed_definition json,
  changed_at timestamptz,
  primary key (gateway_id, server_id, tool_name),
  foreign key (gateway_id, server_id) references attachments on delete cascade
);

-- The audit log: one entry for each call, kept when its gateway is gone.
create table calls (
  call_id uuid primary key,
  tenant_id uuid not null,
  gateway_id text not null,
  at timestamptz not null,
  method text not null,
  tool_name text not null,
  server_id text,
  user_id uuid not null,
  principal text not null,
  session_id text not null,
  -- JSON with secrets blacked out, or cut.
  arguments text,
  allowed boolean not null,
  outcome text not null,
  reason text not null,
  rule_ids text[] not null,
  latency_ms double precision not null,
  guard_latency_ms double precision not null,
  trace_id text
);
create index calls_newest on calls (tenant_id, gateway_id, at desc, call_id desc);

create table approvals (
  approval_id uuid primary key,
  tenant_id uuid not null,
  gateway_id text not null,
  user_id uuid not null,
  -- The credential that made the call must not be the one that approves it.
  api_key_id text,
  principal text not null,
  tool_name text not null,
  server_id text not null,
  arguments text not null,
  reasons json not null,
  status text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz
);
create index approvals_of_gateway on approvals (tenant_id, gateway_id, created_at desc, approval_id desc);
