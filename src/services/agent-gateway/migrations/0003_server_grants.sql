alter table mcp_servers add column auth_type text not null default 'none';
-- Encrypted JSON: the client that somebody registered for us at the server's authorization server.
alter table mcp_servers add column oauth_client bytea;

-- What a server's authorization server gave us, and what it asked for where it has yet to.
create table server_grants (
  server_id text primary key references mcp_servers on delete cascade,
  -- A grant is good for this address alone: a server that moves is another one.
  connection_url text not null,
  -- Encrypted JSON: tokens, and with whom they are renewed; null before the first consent.
  sealed bytea,
  issuer text,
  scope text not null,
  expires_at timestamptz,
  granted_by uuid,
  granted_at timestamptz,
  -- The last refusal: what a new consent must ask for.
  wanted_scope text,
  resource_metadata text,
  -- Why a new consent would not help.
  problem text,
  needs_consent boolean not null,
  -- One process renews at a time.
  renewing_until timestamptz
);

-- How each tenant is known to an authorization server.
create table server_clients (
  tenant_id uuid not null,
  issuer text not null,
  redirect_uri text not null,
  sealed bytea not null,
  registered_at timestamptz not null,
  primary key (tenant_id, issuer, redirect_uri)
);

-- Consents that were begun: each is used once, by who began it.
create table server_consents (
  state_hash text primary key,
  tenant_id uuid not null,
  server_id text not null references mcp_servers on delete cascade,
  user_id uuid not null,
  username text not null,
  tenant_name text not null,
  sealed bytea not null,
  expires_at timestamptz not null
);
create index server_consents_of_server on server_consents (server_id, user_id);
create index server_consents_by_expiry on server_consents (expires_at);
