-- Keys of each gateway's authorization server. Encrypted JSON: what signs tokens, what signs cookies.
create table oauth_keys (
  gateway_id text primary key references gateways on delete cascade,
  keys bytea not null,
  created_at timestamptz not null
);

-- What an authorization server keeps for a while: codes, tokens, sessions, requests on their way.
create table oauth_records (
  gateway_id text not null references gateways on delete cascade,
  kind text not null,
  -- SHA-256 of what the client or the browser holds: the thing itself is nowhere here.
  id_hash text not null,
  -- Encrypted JSON, bound to its place.
  payload bytea not null,
  uid_hash text,
  grant_id text,
  consumed_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (gateway_id, kind, id_hash)
);
create index oauth_records_grant on oauth_records (gateway_id, grant_id) where grant_id is not null;
create index oauth_records_uid on oauth_records (gateway_id, uid_hash) where uid_hash is not null;
create index oauth_records_expiry on oauth_records (expires_at);

-- Clients that registered themselves.
create table oauth_clients (
  gateway_id text not null references gateways on delete cascade,
  client_id text not null,
  name text not null,
  redirect_uris text[] not null,
  -- Encrypted JSON; it may hold the client's secret.
  metadata bytea not null,
  created_at timestamptz not null,
  -- Somebody's last consent or token; null until then.
  used_at timestamptz,
  primary key (gateway_id, client_id)
);
create index oauth_clients_unused on oauth_clients (gateway_id, created_at) where used_at is null;

-- What a user has allowed a client; deleting it ends all tokens that came of it.
create table oauth_consents (
  grant_id text primary key,
  gateway_id text not null references gateways on delete cascade,
  user_id uuid not null,
  client_id text not null,
  client_name text not null,
  -- Where the client was sent back to.
  redirect_host text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  expires_at timestamptz not null
);
create index oauth_consents_of_gateway on oauth_consents (gateway_id, created_at desc, grant_id);
create index oauth_consents_expiry on oauth_consents (expires_at);
