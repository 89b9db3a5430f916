-- Who of the tenant may read and use a policy or a set, besides its owner and the administrators.
alter table policies add column visibility text not null default 'private' check (visibility in ('private', 'tenant'));
alter table policy_sets
  add column visibility text not null default 'private' check (visibility in ('private', 'tenant'));
-- The gateway's name as the gateway said it: gateways are another service's.
alter table logs add column gateway_name text;
