-- A connector is read in streams, such as processes and connections, each with a watermark and a lease of its own.
create table connector_streams (
  config_id uuid not null references connectors (config_id) on delete cascade,
  stream text not null,
  watermark timestamptz,
  -- Of the newest row that was read, in the time that the source is asked by.
  newest_at timestamptz,
  due_at timestamptz not null,
  -- The process that reads it holds this lease until then, unless it renews it.
  lease_id uuid,
  leased_until timestamptz,
  last_success_at timestamptz,
  last_error text,
  events_ingested bigint not null default 0,
  rows_refused bigint not null default 0,
  primary key (config_id, stream)
);
insert into connector_streams (config_id, stream, watermark, due_at, last_success_at, last_error)
select config_id, stream, watermark, due_at, last_success_at, last_error
from connectors, unnest(array['process', 'network', 'file', 'dns']) as stream
where kind = 'edr-a';
alter table connectors
  add column clock_skew_ms integer,
  drop column watermark,
  drop column last_success_at,
  drop column last_error,
  drop column due_at,
  drop column leased_until;
