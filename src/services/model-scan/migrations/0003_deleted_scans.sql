-- Finished scans that were deleted, without what they were about: they stay counted as usage.
create table deleted_scans (
  scan_id text primary key,
  tenant_id text not null,
  owner_id text not null,
  visibility text not null,
  created_at timestamptz not null
);
create index deleted_scans_by_tenant on deleted_scans (tenant_id, created_at);
