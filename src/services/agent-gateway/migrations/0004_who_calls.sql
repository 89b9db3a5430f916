-- Whose grant it is: empty for the server's own, which all callers use, else the user's id.
alter table server_grants add column holder text not null default '';
alter table server_grants drop constraint server_grants_pkey;
alter table server_grants add primary key (server_id, holder);
create index server_grants_of_users on server_grants (holder) where holder <> '';

-- Where the token of a caller is exchanged for one of the server.
alter table mcp_servers add column token_exchange json;

-- Keys that sign what servers are told of callers. Each is published before it signs, and for as long as its tokens last.
create table identity_keys (
  -- One more than that of the key before, so that of two processes one makes the next.
  generation integer primary key,
  kid text not null,
  -- Encrypted JSON: the private key.
  sealed bytea not null,
  published_at timestamptz not null,
  signs_from timestamptz not null
);

create index oauth_consents_of_user on oauth_consents (user_id);
