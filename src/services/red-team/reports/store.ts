import type { Queries } from '#base/db/database.ts';
import { readable, type Viewer, viewerParams, type Visibility } from '#identity/sharing.ts';

export interface StoredReport {
  readonly jobId: string;
  readonly workId: string;
  readonly runId: string;
  readonly evaluationId: string;
  readonly tenantId: string;
  readonly ownerId: string;
  readonly visibility: Visibility;
  readonly failureCasesPerCategory: number;
  readonly workStatus: string | null;
  readonly result: { sizeBytes: number } | null;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

type Row = StoredReport & Record<string, unknown>;

/** A report is read by whoever may read its run, and changed by who asked for it. */
const reports = `(select p.*, r.evaluation_id, e.visibility, w.status as work_status, w.result, w.error, w.started_at, w.finished_at
  from red_team.reports p join red_team.runs r on r.run_id = p.run_id
  join red_team.evaluations e on e.evaluation_id = r.evaluation_id and e.deleted_at is null
  left join runs.runs w on w.run_id = p.work_id) p`;
const columns = `p.job_id as "jobId", p.work_id as "workId", p.run_id as "runId", p.evaluation_id as "evaluationId",
  p.tenant_id as "tenantId", p.owner_id as "ownerId", p.visibility,
  p.failure_cases_per_category as "failureCasesPerCategory", p.work_status as "workStatus", p.result, p.error,
  p.created_at as "createdAt", p.started_at as "startedAt", p.finished_at as "finishedAt"`;

export async function insertReport(
  tx: Queries,
  report: Pick<
    StoredReport,
    'jobId' | 'workId' | 'runId' | 'tenantId' | 'ownerId' | 'failureCasesPerCategory' | 'createdAt'
  >,
): Promise<void> {
  await tx.query(
    `insert into red_team.reports (job_id, work_id, run_id, tenant_id, owner_id, failure_cases_per_category, created_at)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      report.jobId,
      report.workId,
      report.runId,
      report.tenantId,
      report.ownerId,
      report.failureCasesPerCategory,
      report.createdAt,
    ],
  );
}

export async function findReport(
  db: Queries,
  viewer: Viewer,
  jobId: string,
): Promise<StoredReport | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from ${reports} where ${readable('p')} and p.job_id = $4`,
    [...viewerParams(viewer), jobId],
  );
  return row;
}

export interface ReportPage {
  readonly reports: StoredReport[];
  readonly total: number;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

async function pageOf(
  db: Queries,
  { condition, order, params }: { condition: string; order: string; params: readonly unknown[] },
  { limit, offset }: Page,
): Promise<ReportPage> {
  const from = `from ${reports} where ${readable('p')} and ${condition}`;
  const found = await db.query<Row>(
    `select ${columns} ${from} order by ${order}, p.job_id limit ${limit} offset ${offset}`,
    [...params],
  );
  const [counted] = await db.query<{ total: number }>(`select count(*) as total ${from}`, [...params]);
  return { reports: found, total: counted?.total ?? 0 };
}

/** The oldest first. */
export const listUnfinished = (db: Queries, viewer: Viewer, page: Page): Promise<ReportPage> =>
  pageOf(
    db,
    {
      condition: "p.work_status in ('queued', 'running', 'paused', 'waiting')",
      order: 'p.created_at',
      params: viewerParams(viewer),
    },
    page,
  );

/** The newest first. */
export const listOfEvaluation = (
  db: Queries,
  viewer: Viewer,
  { evaluationId, ...page }: Page & { readonly evaluationId: string },
): Promise<ReportPage> =>
  pageOf(
    db,
    {
      condition: 'p.evaluation_id = $4',
      order: 'p.created_at desc',
      params: [...viewerParams(viewer), evaluationId],
    },
    page,
  );

export async function deleteReport(tx: Queries, jobId: string): Promise<void> {
  await tx.query('delete from red_team.reports where job_id = $1', [jobId]);
}
