-- Verdicts by guard and hour, for the week that has just been: what guard_days keeps for good, and how long callers waited.
create table guard_hours (
  hour timestamptz not null,
  guard_uuid text not null,
  tenant_id text not null,
  owner_id text not null,
  requests bigint not null,
  flagged bigint not null,
  observed bigint not null,
  allowed bigint not null,
  latency_ms_sum double precision not null,
  primary key (guard_uuid, hour)
);
create index guard_hours_of_tenant on guard_hours (tenant_id, hour);
create index guard_hours_of_owner on guard_hours (owner_id, hour);

-- Counts per bucket, as guards/latency-histogram.ts draws them; most of its buckets stay empty.
create table guard_hour_latencies (
  hour timestamptz not null,
  guard_uuid text not null,
  bucket smallint not null,
  count bigint not null,
  primary key (guard_uuid, hour, bucket),
  foreign key (guard_uuid, hour) references guard_hours on delete cascade
);
