create table artifacts (
  id uuid primary key,
  tenant_id text not null,
  user_id text,
  name text not null,
  media_type text not null,
  -- writing: reserved while its bytes go to the store; deleting: its bytes may be gone already. Neither is visible.
  status text not null check (status in ('writing', 'ready', 'deleting')),
  size_bytes bigint not null,
  sha256 text not null,
  created_at timestamptz not null,
  expires_at timestamptz
);

create index artifacts_of_tenant on artifacts (tenant_id, created_at desc, id desc);
create index artifacts_to_remove on artifacts (coalesce(expires_at, created_at)) where status <> 'ready' or expires_at is not null;
