-- Entries are copied in, which takes the thread of the embedded database half the time of inserting them from JSON; the
-- counts follow from them in the same statement, so that either all or none are written. Counts of a minute are summed up
-- to those of its hour and its day: going through the entries once for each would cost as much as writing them.
create function count_logs() returns trigger language plpgsql as $$
begin
  with levels (level, unit) as (
    values (1::smallint, 'minute'), (2::smallint, 'hour'), (3::smallint, 'day')
  ), minutes as materialized (
    select tenant_id, user_id, gateway_id, date_trunc('minute', at, 'UTC') as minute, count(*) as evaluations,
      count(*) filter (where allowed) as allowed, sum(latency_ms) as latency_ms
    from entry group by 1, 2, 3, 4
  )
  insert into action_guard.log_counts as known (tenant_id, level, bucket, user_id, gateway_id, evaluations, allowed,
    latency_ms_sum)
  select tenant_id, level, date_trunc(unit, minute, 'UTC'), user_id, gateway_id, sum(evaluations), sum(allowed),
    sum(latency_ms)
  from minutes, levels group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (tenant_id, level, bucket, user_id, gateway_id) do update
    set evaluations = known.evaluations + excluded.evaluations, allowed = known.allowed + excluded.allowed,
      latency_ms_sum = known.latency_ms_sum + excluded.latency_ms_sum;

  if exists (select from entry where not allowed) then
    with levels (level, unit) as (
      values (1::smallint, 'minute'), (2::smallint, 'hour'), (3::smallint, 'day')
    )
    insert into action_guard.log_category_counts as known (tenant_id, level, bucket, user_id, gateway_id, kind,
      category, count)
    select tenant_id, level, date_trunc(unit, at, 'UTC'), user_id, gateway_id, kind, category, count(*)
    from entry, levels, lateral (
      select 'threat' as kind, threat_category as category
      union all select 'violation', unnest(violation_categories)) as c
    where not allowed group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
    on conflict (tenant_id, level, bucket, user_id, gateway_id, kind, category) do update
      set count = known.count + excluded.count;
  end if;

  insert into action_guard.log_sessions as known (tenant_id, user_id, session_id, gateway_id, first_at, last_at)
  select tenant_id, user_id, session_id, gateway_id, min(at), max(at)
  from entry group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (tenant_id, user_id, session_id, gateway_id) do update
    set first_at = least(known.first_at, excluded.first_at), last_at = greatest(known.last_at, excluded.last_at);
  return null;
end
$$;

create trigger logs_counted after insert on logs referencing new table as entry
  for each statement execute function count_logs();

-- Ascending: entries come in the order of time, and PostgreSQL splits the pages of a rising index so that they stay
-- full. Lists of the newest read it backwards.
drop index logs_newest;
drop index logs_of_user;
drop index logs_of_gateway;
drop index logs_of_session;
create index logs_newest on logs (tenant_id, at, log_id);
create index logs_of_user on logs (tenant_id, user_id, at, log_id) include (gateway_id);
create index logs_of_gateway on logs (tenant_id, gateway_id, at, log_id) include (user_id);
create index logs_of_session on logs (tenant_id, session_id, at, log_id) include (user_id, gateway_id);
