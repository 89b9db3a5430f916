import type { Database, Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { Owner } from '../../library/groups/store.ts';
import type { Job, JobSummary, LabelledPolicy, PolicyResult } from './optimization-job.ts';

type SummaryRow = JobSummary & Record<string, unknown>;
type JobRow = Job & Record<string, unknown>;

const summary = `job_id as "jobId", group_uuid as "groupUuid", group_version as "groupVersion", wish, status, progress,
  error, applied_version as "appliedVersion", created_at as "createdAt", finished_at as "finishedAt"`;
const whole = `${summary}, labelled, results`;
const underWay = `status in ('queued', 'running')`;

export type NewJob = Pick<Job, 'jobId' | 'groupUuid' | 'groupVersion' | 'wish' | 'createdAt'> & {
  readonly labelled: readonly LabelledPolicy[];
};

/** Adds the job; false where its owner has so many under way already. */
export async function insertJob(
  tx: Queries,
  { tenantId, userId }: Owner,
  job: NewJob,
  most: number,
): Promise<boolean> {
  // One user's new jobs take turns, so that none is counted before another is made.
  await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`optimization/${tenantId}/${userId}`]);
  const rows = await tx.query(
    `insert into policy_guard.optimization_jobs (job_id, tenant_id, owner_id, group_uuid, group_version, status, wish,
        labelled, created_at)
      select $1::uuid, $2::text, $3::text, $4::uuid, $5::integer, 'queued', $6::json, $7::json, $8::timestamptz
      where (select count(*) from policy_guard.optimization_jobs
        where tenant_id = $2 and owner_id = $3 and ${underWay}) < $9::integer
      returning 1 as done`,
    [
      job.jobId,
      tenantId,
      userId,
      job.groupUuid,
      job.groupVersion,
      json(job.wish),
      json(job.labelled),
      job.createdAt,
      most,
    ],
  );
  return rows.length > 0;
}

/** Of a group's jobs that have ended, the newest are kept. */
export async function deleteOldJobs(tx: Queries, groupUuid: string, keep: number): Promise<void> {
  await tx.query(
    `delete from policy_guard.optimization_jobs where group_uuid = $1 and not ${underWay} and job_id not in (
      select job_id from policy_guard.optimization_jobs where group_uuid = $1 order by created_at desc limit $2)`,
    [groupUuid, keep],
  );
}

/** Newest first, with the number of all. */
export async function listJobs(
  db: Database,
  groupUuid: string,
  limit: number,
): Promise<{ jobs: JobSummary[]; total: number }> {
  const jobs = await db.query<SummaryRow>(
    `select ${summary} from policy_guard.optimization_jobs where group_uuid = $1
      order by created_at desc, job_id desc limit $2`,
    [groupUuid, limit],
  );
  const [counted] = await db.query<{ total: number }>(
    'select count(*) as total from policy_guard.optimization_jobs where group_uuid = $1',
    [groupUuid],
  );
  return { jobs, total: counted?.total ?? 0 };
}

export async function findJob(db: Queries, owner: Owner, jobId: string): Promise<Job | undefined> {
  const [row] = await db.query<JobRow>(
    `select ${whole} from policy_guard.optimization_jobs where job_id = $1 and tenant_id = $2 and owner_id = $3`,
    [jobId, owner.tenantId, owner.userId],
  );
  return row;
}

/** The job, running from now on, with its tenant; undefined where it has ended. */
export async function beginJob(
  db: Queries,
  jobId: string,
): Promise<(Job & { tenantId: string }) | undefined> {
  const [row] = await db.query<JobRow & { tenantId: string }>(
    `update policy_guard.optimization_jobs set status = 'running' where job_id = $1 and ${underWay}
      returning ${whole}, tenant_id as "tenantId"`,
    [jobId],
  );
  return row;
}

/** False where the job no longer runs. */
export async function saveProgress(db: Queries, jobId: string, progress: number): Promise<boolean> {
  const rows = await db.query(
    `update policy_guard.optimization_jobs set progress = $2 where job_id = $1 and status = 'running'
      returning 1 as done`,
    [jobId, progress],
  );
  return rows.length > 0;
}

export async function isRunning(db: Queries, jobId: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 as there from policy_guard.optimization_jobs where job_id = $1 and status = 'running'`,
    [jobId],
  );
  return rows.length > 0;
}

/** Ends a job that waits or runs; false where it has ended already. */
export async function endJob(
  db: Queries,
  jobId: string,
  end: {
    readonly status: 'done' | 'failed' | 'cancelled';
    readonly results?: readonly PolicyResult[];
    readonly error?: string;
    readonly now: Date;
  },
): Promise<boolean> {
  const { status, results, error, now } = end;
  const rows = await db.query(
    `update policy_guard.optimization_jobs set status = $2, results = $3, error = $4, finished_at = $5,
        progress = case when $2 = 'done' then 1 else progress end
      where job_id = $1 and ${underWay} returning 1 as done`,
    [jobId, status, results === undefined ? null : json(results), error ?? null, now],
  );
  return rows.length > 0;
}

export async function saveApplied(tx: Queries, jobId: string, version: number): Promise<void> {
  await tx.query('update policy_guard.optimization_jobs set applied_version = $2 where job_id = $1', [
    jobId,
    version,
  ]);
}
