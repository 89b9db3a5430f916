-- Filters of the dashboard's lists that people have named.
create table saved_views (
  id uuid primary key,
  tenant_id uuid not null references tenants,
  owner_id uuid not null references users,
  visibility text not null check (visibility in ('private', 'tenant')),
  -- The page of the dashboard, such as /activity.
  place text not null,
  name text not null,
  search jsonb not null,
  created_at timestamptz not null,
  unique (owner_id, place, name)
);
create index saved_views_shared on saved_views (tenant_id, place) where visibility = 'tenant';
