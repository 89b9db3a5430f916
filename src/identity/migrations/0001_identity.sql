create table tenants (
  id uuid primary key,
  name text not null unique,
  self_registration boolean not null default false,
  created_at timestamptz not null
);

create table users (
  id uuid primary key,
  tenant_id uuid not null references tenants,
  username text not null,
  -- The form that is compared: two names that look alike are one.
  username_key text not null,
  -- Null for a user of the OpenID Connect issuer.
  password_hash text,
  roles text[] not null,
  issuer text,
  subject text,
  -- Issue time of the newest token of the issuer that was seen: an older one changes nothing.
  claims_at timestamptz,
  disabled_at timestamptz,
  -- A row stays behind, so that a deleted user of the issuer does not come back with the next token.
  deleted_at timestamptz,
  created_at timestamptz not null,
  check ((issuer is null) = (subject is null))
);
create unique index users_username on users (tenant_id, username_key) where deleted_at is null;
create unique index users_subject on users (issuer, subject);

-- One sign-in and the family of its refresh tokens: deleting it revokes them all.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

create table refresh_tokens (
  hash text primary key,
  session_id uuid not null references sessions on delete cascade,
  expires_at timestamptz not null,
  -- Set when it was exchanged for the next; it is kept, so that its reuse is noticed.
  used_at timestamptz
);
create index refresh_tokens_session on refresh_tokens (session_id);

create table api_keys (
  id uuid primary key,
  user_id uuid not null references users,
  name text not null,
  key_prefix text not null,
  hash text not null unique,
  scope text not null,
  expires_at timestamptz,
  created_at timestamptz not null
);
create index api_keys_user on api_keys (user_id, created_at);

-- Recent failures of one username from one address, at most ten.
create table login_failures (
  key text primary key,
  failed_at timestamptz[] not null,
  last_at timestamptz not null
);
create index login_failures_last on login_failures (last_at);

-- No foreign keys: what happened stays when the user is gone.
create table audit_events (
  id uuid primary key,
  at timestamptz not null,
  event text not null,
  tenant_id uuid,
  user_id uuid,
  address text,
  request_id text,
  details jsonb not null
);
create index audit_events_tenant on audit_events (tenant_id, at);
create index audit_events_at on audit_events (at);
