create table guards (
  guard_uuid text primary key,
  tenant_id text not null,
  owner_id text not null,
  name text not null,
  description text,
  -- In the order of judging; groups that ship with the product are in no table, so there is nothing to refer to.
  policy_group_uuids text[] not null,
  -- group_uuid → {threshold?, strictness_level?}
  policy_group_overrides json not null,
  enabled boolean not null,
  max_text_length integer check (max_text_length > 0),
  cache_enabled boolean,
  log_requests boolean,
  overflow text not null check (overflow in ('truncate', 'throw')),
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index guards_of_owner on guards (tenant_id, owner_id, created_at desc);

create table guard_metrics (
  guard_uuid text primary key references guards on delete cascade,
  requests_total bigint not null,
  flagged_total bigint not null,
  cache_hits_total bigint not null,
  latency_ms_sum double precision not null,
  -- Counts per bucket, as guards/latency-histogram.ts draws them.
  latency_buckets bigint[] not null,
  last_called_at timestamptz not null
);
