-- Tasks that a tenant has uploaded, proved by replays before they are stored.
create table task_sets (
  task_set_id text primary key,
  tenant_id text not null,
  owner_id text not null,
  visibility text not null default 'private' check (visibility in ('private', 'tenant')),
  name text not null,
  tasks json not null,
  task_count integer not null,
  created_at timestamptz not null
);
create unique index task_sets_by_name on task_sets (tenant_id, name);
