-- Who of the tenant may read and use a gateway or a server, besides its owner and the administrators. Those from before
-- were read by everybody of the tenant, and go on so.
alter table gateways
  add column visibility text not null default 'tenant' check (visibility in ('private', 'tenant')),
  -- The policy set's name as the action guard said it when the set was chosen: sets are another service's.
  add column action_guard_policy_name text;
alter table gateways alter column visibility set default 'private';
alter table mcp_servers
  add column visibility text not null default 'tenant' check (visibility in ('private', 'tenant'));
alter table mcp_servers alter column visibility set default 'private';

-- The names of servers that were deleted: the audit log outlives them.
create table former_servers (
  server_id text primary key,
  name text not null,
  deleted_at timestamptz not null
);
