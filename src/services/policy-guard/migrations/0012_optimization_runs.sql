-- A job of the optimisation lab is a run: whose it is, its status, progress and error stand in runs.runs alone.
insert into runs.runs (run_id, kind, tenant_id, user_id, subject, status, input, error_code, error, done, total,
    created_at, started_at, updated_at, finished_at)
  select j.job_id, 'policy_guard_optimization', j.tenant_id, j.owner_id, j.group_uuid::text,
      case j.status when 'done' then 'completed' when 'running' then 'queued' else j.status end,
      json_build_object('tier', j.wish->>'tier'), case j.status when 'failed' then 'failed' end, j.error, j.progress, 1,
      j.created_at, case when j.status <> 'queued' then j.created_at end, coalesce(j.finished_at, j.created_at),
      j.finished_at
    from optimization_jobs j order by j.created_at;

drop index optimization_jobs_under_way;
alter table optimization_jobs
  drop column tenant_id,
  drop column owner_id,
  drop column status,
  drop column progress,
  drop column error,
  drop column finished_at;

-- Jobs that waited in the old queue are runs as well.
do $$ begin
  if to_regclass('jobs.job') is not null then
    delete from jobs.job where name = 'policy_guard_optimization';
  end if;
end $$;
