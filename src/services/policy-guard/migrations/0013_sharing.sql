-- Who of the tenant may read and use a group or a guard, besides its owner and the administrators.
alter table policy_groups
  add column visibility text not null default 'private' check (visibility in ('private', 'tenant'));
-- A template is read by everybody.
update policy_groups set visibility = 'tenant' where is_template;
alter table policy_groups add check (visibility = 'tenant' or not is_template);

alter table guards add column visibility text not null default 'private' check (visibility in ('private', 'tenant'));

drop index policy_groups_shared;
create index policy_groups_shared on policy_groups (tenant_id, created_at) where visibility = 'tenant';
create index policy_groups_of_tenant on policy_groups (tenant_id, created_at desc);
create index guards_of_tenant on guards (tenant_id, created_at desc);

-- The names of guards and groups that were deleted: log and counts outlive them.
create table former_names (
  id text primary key,
  tenant_id text not null,
  name text not null,
  deleted_at timestamptz not null
);
