/** Jobs: their options and results are stored here, owner, status and progress in `runs.runs`. */
import type { Database, Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { RunScope, RunStatus } from '#base/jobs/runs/run.ts';
import type { Job, JobSummary, LabelledPolicy, PolicyResult } from './optimization-job.ts';

type Row<J extends JobSummary> = Omit<J, 'status' | 'progress'> & {
  status: RunStatus;
  done: number;
  total: number | null;
  step: string | null;
} & Record<string, unknown>;

const summary = `j.job_id as "jobId", j.group_uuid as "groupUuid", j.group_version as "groupVersion", j.options, r.status,
  r.done, r.total, r.step, r.error, j.applied_version as "appliedVersion", j.created_at as "createdAt",
  r.started_at as "startedAt", r.finished_at as "finishedAt"`;
const whole = `${summary}, j.labelled, j.results`;
const jobs = 'policy_guard.optimization_jobs j join runs.runs r on r.run_id = j.job_id';

/** Jobs are never paused: waiting ones are queued. */
const statusOf = (status: RunStatus): JobSummary['status'] =>
  status === 'paused' || status === 'waiting' ? 'queued' : status;
const toJob = <J extends JobSummary>({ done, total, step, status, ...row }: Row<J>): J =>
  ({ ...row, status: statusOf(status), progress: { done, total, step } }) as unknown as J;

export type NewJob = Pick<Job, 'jobId' | 'groupUuid' | 'groupVersion' | 'options' | 'createdAt'> & {
  readonly labelled: readonly LabelledPolicy[];
};

export async function insertJob(tx: Queries, job: NewJob): Promise<void> {
  await tx.query(
    `insert into policy_guard.optimization_jobs (job_id, group_uuid, group_version, options, labelled, created_at)
      values ($1, $2, $3, $4, $5, $6)`,
    [job.jobId, job.groupUuid, job.groupVersion, json(job.options), json(job.labelled), job.createdAt],
  );
}

/** Deletes a group's finished jobs except the newest `keep`; returns the ids of the deleted ones. */
export async function deleteOldJobs(tx: Queries, groupUuid: string, keep: number): Promise<string[]> {
  const rows = await tx.query<{ jobId: string }>(
    `delete from policy_guard.optimization_jobs where job_id in (
        select j.job_id from ${jobs} where j.group_uuid = $1 and r.finished_at is not null)
      and job_id not in (select job_id from policy_guard.optimization_jobs where group_uuid = $1
        order by created_at desc limit $2) returning job_id as "jobId"`,
    [groupUuid, keep],
  );
  return rows.map(({ jobId }) => jobId);
}

/** Newest first, with the number of all. */
export async function listJobs(
  db: Database,
  groupUuid: string,
  limit: number,
): Promise<{ jobs: JobSummary[]; total: number }> {
  const rows = await db.query<Row<JobSummary>>(
    `select ${summary} from ${jobs} where j.group_uuid = $1 order by j.created_at desc, j.job_id desc limit $2`,
    [groupUuid, limit],
  );
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from ${jobs} where j.group_uuid = $1`,
    [groupUuid],
  );
  return { jobs: rows.map((row) => toJob<JobSummary>(row)), total: counted?.total ?? 0 };
}

/** A job of the scope, or of anyone where none is named. */
export async function findJob(db: Queries, jobId: string, scope?: RunScope): Promise<Job | undefined> {
  const [row] = await db.query<Row<Job>>(
    `select ${whole} from ${jobs} where j.job_id = $1 and ($2::text is null or r.tenant_id = $2)
      and ($3::text is null or r.user_id = $3)`,
    [jobId, scope?.tenantId, scope?.userId],
  );
  return row && toJob<Job>(row);
}

export async function saveResults(
  tx: Queries,
  jobId: string,
  results: readonly PolicyResult[],
): Promise<void> {
  await tx.query('update policy_guard.optimization_jobs set results = $2 where job_id = $1', [
    jobId,
    json(results),
  ]);
}

export async function saveApplied(tx: Queries, jobId: string, version: number): Promise<void> {
  await tx.query('update policy_guard.optimization_jobs set applied_version = $2 where job_id = $1', [
    jobId,
    version,
  ]);
}
