import type { Queries } from '#base/db/database.ts';
import type { Viewer } from '#identity/sharing.ts';
import type { FoundRule } from './find-rules.ts';

export interface ExtractionInput {
  readonly name: string;
  readonly content: Uint8Array;
}

export interface ExtractionResult {
  readonly rules: readonly FoundRule[];
  readonly totalFiles: number;
  readonly successfulFiles: number;
  readonly fileErrors: readonly { file: string; error: string }[];
}

export interface ExtractionJob {
  readonly jobId: string;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly policyName: string;
  readonly category: string;
  readonly result: ExtractionResult | null;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `
  j.job_id as "jobId", j.status, j.policy_name as "policyName", j.category, j.result, j.error,
  j.created_at as "createdAt", j.updated_at as "updatedAt"`;

export async function insertExtraction(
  tx: Queries,
  { tenantId, userId }: Pick<Viewer, 'tenantId' | 'userId'>,
  job: ExtractionJob,
  inputs: readonly ExtractionInput[],
): Promise<void> {
  await tx.query(
    `insert into action_guard.extraction_jobs (job_id, tenant_id, owner_id, status, policy_name, category, created_at,
      updated_at) values ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [job.jobId, tenantId, userId, job.status, job.policyName, job.category, job.createdAt],
  );
  for (const [position, { name, content }] of inputs.entries())
    await tx.query(
      'insert into action_guard.extraction_inputs (job_id, position, name, content) values ($1, $2, $3, $4)',
      [job.jobId, position, name, content],
    );
}

/** A job that the viewer may see. */
export async function findExtraction(
  db: Queries,
  { tenantId, userId, isAdmin: all }: Viewer,
  jobId: string,
): Promise<ExtractionJob | undefined> {
  const [row] = await db.query<ExtractionJob & Record<string, unknown>>(
    `select ${columns} from action_guard.extraction_jobs j
      where j.tenant_id = $1 and (j.owner_id = $2 or $3) and j.job_id = $4`,
    [tenantId, userId, all, jobId],
  );
  return row;
}

/** The names of a job's files, in their order; none once it has ended. */
export async function listInputs(db: Queries, jobId: string): Promise<{ position: number; name: string }[]> {
  return db.query<{ position: number; name: string }>(
    'select position, name from action_guard.extraction_inputs where job_id = $1 order by position',
    [jobId],
  );
}

export async function findInput(
  db: Queries,
  jobId: string,
  position: number,
): Promise<Uint8Array | undefined> {
  const [row] = await db.query<{ content: Uint8Array }>(
    'select content from action_guard.extraction_inputs where job_id = $1 and position = $2',
    [jobId, position],
  );
  return row?.content;
}

/** Ends a job that is pending, and lets go of its files. */
export async function endExtraction(
  tx: Queries,
  jobId: string,
  end: { status: 'completed' | 'failed'; result: ExtractionResult | null; error: string | null; at: Date },
): Promise<void> {
  await tx.query(
    `update action_guard.extraction_jobs set status = $2, result = $3, error = $4, updated_at = $5
      where job_id = $1 and status = 'pending'`,
    [jobId, end.status, end.result, end.error, end.at],
  );
  await tx.query('delete from action_guard.extraction_inputs where job_id = $1', [jobId]);
}
