-- Events of one process and day are kept together, many in one row; connections to providers have a table of their own
-- too, for the questions that AI connect asks of them alone. See docs/decisions/050-events-in-blocks.md.

create table event_blocks (
  tenant_id uuid not null,
  process_id uuid not null,
  -- Of its first and its last event, both of one day in UTC.
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- The first event's.
  id uuid not null,
  connector_id text not null,
  -- In the form of telemetry/event-block.ts; the places below are those of the day on which this was written.
  events json not null
) partition by range (first_at);
create index event_blocks_of_process on event_blocks (process_id, first_at);
-- Days that are too old for a table of their own.
create table event_blocks_other partition of event_blocks default;

create table connections (
  tenant_id uuid not null,
  at timestamptz not null,
  -- The event's.
  id uuid not null,
  process_id uuid not null,
  device_uid text not null,
  connector_id text not null,
  provider_id text not null,
  user_name text,
  app_name text,
  host text,
  ip text,
  port integer,
  primary key (tenant_id, at, id)
) partition by range (at);
create table connections_other partition of connections default;

do $$
declare
  old record;
  day timestamptz;
begin
  for old in
    select right(c.relname, 8) as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'telemetry'::regclass and c.relname ~ '^telemetry_[0-9]{8}$'
  loop
    day := (substr(old.name, 1, 4) || '-' || substr(old.name, 5, 2) || '-' || substr(old.name, 7, 2) || 'T00:00:00Z')::timestamptz;
    execute format('create table event_blocks_%s partition of event_blocks for values from (%L) to (%L)',
      old.name, day, day + interval '24 hours');
    execute format('create table connections_%s partition of connections for values from (%L) to (%L)',
      old.name, day, day + interval '24 hours');
  end loop;
end $$;

insert into connections
select tenant_id, at, id, process_id, device_uid, connector_id, provider_id, user_name, app_name, host, ip, port
from telemetry where dimension = 'network' and provider_id is not null and inbound is not true;

insert into event_blocks
select tenant_id, process_id, first_at, max(at), (array_agg(id order by at, id))[1], connector_id,
  json_agg(
    case dimension
      when 'process' then json_build_array(0, after, key, content, action, tags, user_name, app_name, command_line)
      when 'file' then json_build_array(2, after, key, content, action, tags, user_name, app_name, file_path, file_rule)
      else json_build_array(case dimension when 'network' then 1 else 3 end, after, key, content, action, tags, user_name,
        app_name, host, ip, port, inbound, provider_id, is_api)
    end order by at, id)
from (
  select t.*, replace(t.id::text, '-', '') as key,
    round(extract(epoch from t.at - t.first_at) * 1000)::int as after
  from (
    select n.*, min(n.at) over (partition by n.process_id, n.connector_id, n.day, n.part) as first_at
    from (
      select o.*, floor(extract(epoch from o.at) / 86400) as day,
        (row_number() over (
          partition by o.process_id, o.connector_id, floor(extract(epoch from o.at) / 86400) order by o.at, o.id) - 1) / 500 as part
      from telemetry o
    ) n
  ) t
) e
group by tenant_id, process_id, connector_id, day, part, first_at;

drop table telemetry;
