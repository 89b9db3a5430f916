-- Actions that were held for a person's approval are counted beside those that were blocked for good. Of entries from
-- before none is counted as held.
alter table logs add column held boolean not null default false;
alter table log_counts add column held bigint not null default 0;

create or replace function count_logs() returns trigger language plpgsql as $$
begin
  with levels (level, unit) as (
    values (1::smallint, 'minute'), (2::smallint, 'hour'), (3::smallint, 'day')
  ), minutes as materialized (
    select tenant_id, user_id, gateway_id, date_trunc('minute', at, 'UTC') as minute, count(*) as evaluations,
      count(*) filter (where allowed) as allowed, count(*) filter (where held) as held, sum(latency_ms) as latency_ms
    from entry group by 1, 2, 3, 4
  )
  insert into action_guard.log_counts as known (tenant_id, level, bucket, user_id, gateway_id, evaluations, allowed,
    held, latency_ms_sum)
  select tenant_id, level, date_trunc(unit, minute, 'UTC'), user_id, gateway_id, sum(evaluations), sum(allowed),
    sum(held), sum(latency_ms)
  from minutes, levels group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (tenant_id, level, bucket, user_id, gateway_id) do update
    set evaluations = known.evaluations + excluded.evaluations, allowed = known.allowed + excluded.allowed,
      held = known.held + excluded.held, latency_ms_sum = known.latency_ms_sum + excluded.latency_ms_sum;

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
