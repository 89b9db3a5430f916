-- An extraction job is a run: its status, its error and its result stand in runs.runs alone. What it reads stays here.
insert into runs.runs (run_id, kind, tenant_id, user_id, status, input, result, error_code, error, done, total,
    created_at, started_at, updated_at, finished_at)
  select j.job_id, 'action_guard_extraction', j.tenant_id::text, j.owner_id::text,
      case j.status when 'pending' then 'queued' else j.status end,
      json_build_object('policyName', j.policy_name, 'category', j.category),
      j.result, case j.status when 'failed' then 'failed' end, j.error,
      case j.status when 'pending' then 0 else 1 end, case j.status when 'pending' then null else 1 end,
      j.created_at, case when j.status <> 'pending' then j.created_at end, j.updated_at,
      case when j.status <> 'pending' then j.updated_at end
    from extraction_jobs j order by j.created_at;

alter table extraction_inputs drop constraint extraction_inputs_job_id_fkey;
drop table extraction_jobs;

-- Jobs that waited in the old queue are runs as well.
do $$ begin
  if to_regclass('jobs.job') is not null then
    delete from jobs.job where name = 'action-guard-extraction';
  end if;
end $$;
