import type { z } from 'zod';
import { type Clock, toIsoTime } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { conflict, notFound } from '#base/errors.ts';
import { followed } from '#base/events/followed.ts';
import { AnswerWithHeaders, type Handlers } from '#base/http/mount.ts';
import { newUuid } from '#base/ids.ts';
import type { Logger } from '#base/log/log.ts';
import type { Caller } from '#identity/caller.ts';
import { changeableOrRefused, readableOr404, viewerOf } from '#identity/sharing.ts';
import type { Reports } from '#reports/report-runs.ts';
import type { reportOperations } from '../contract/reports.ts';
import { getDetails, listOfRun, type ResultDetail, type StoredResult } from '../results/store.ts';
import type { RedTeamRuns } from '../runs/runs.ts';
import { compareRuns } from '../runs/compare.ts';
import { statsOf } from '../runs/stats.ts';
import { findRunOfReport, listRuns, type StoredRun } from '../runs/store.ts';
import { findEvaluation } from '../tasks/evaluation-store.ts';
import { documentOf } from './document.ts';
import * as store from './store.ts';

/** What a report is made of. */
export interface ReportInput {
  readonly runId: string;
  readonly failureCasesPerCategory: number;
  /** A run that is shown beside it; null or missing: none. */
  readonly compareWith?: string | null;
}

export interface ReportDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly runs: RedTeamRuns;
  readonly reports: Reports<ReportInput>;
}

type Operations = typeof reportOperations;
type View = z.input<Operations['getReport']['response']>;

const statuses: Readonly<Record<string, View['status']>> = {
  queued: 'queued',
  waiting: 'queued',
  paused: 'queued',
  running: 'rendering',
  completed: 'ready',
};

const viewOf = (report: store.StoredReport): View => ({
  id: report.jobId,
  kind: 'red_team_report',
  job_id: report.jobId,
  run_id: report.runId,
  evaluation_id: report.evaluationId,
  // A report that was cleared away after its time has no durable run any more.
  status: statuses[report.workStatus ?? ''] ?? 'failed',
  failure_cases_per_category: report.failureCasesPerCategory,
  bytes: report.result?.sizeBytes ?? null,
  progress: { done: report.workStatus === 'completed' ? 1 : 0, total: 1, step: null },
  created_at: toIsoTime(report.createdAt),
  started_at: report.startedAt && toIsoTime(report.startedAt),
  finished_at: report.finishedAt && toIsoTime(report.finishedAt),
  error: report.workStatus === null ? 'The report was cleared away. Ask for another.' : report.error,
});

/** The content of a report, read from the database. */
export const reportDocument =
  (db: Database) =>
  async ({ runId, failureCasesPerCategory, compareWith }: ReportInput) => {
    const run = await findRunOfReport(db, runId);
    if (run === undefined) throw notFound('The run');
    const [stats, results] = await Promise.all([statsOf(db, runId), listOfRun(db, runId)]);
    const cases = await casesOf(db, results, failureCasesPerCategory);
    return documentOf({ run, stats, results, cases, compared: await comparedWith(db, runId, compareWith) });
  };

/** The other run beside this one; undefined if it is gone by now. */
async function comparedWith(db: Database, runId: string, otherId: string | null | undefined) {
  if (otherId === null || otherId === undefined) return undefined;
  const run = await findRunOfReport(db, otherId);
  return run && { run, ...(await compareRuns(db, otherId, runId)) };
}

const mostStarred = 200;

/** By category: all starred cases first, then failures up to the number asked for. */
async function casesOf(
  db: Database,
  results: readonly StoredResult[],
  most: number,
): Promise<Map<string, ResultDetail[]>> {
  const chosen = new Map<string, string[]>();
  const starred = results.filter(({ includedReport }) => includedReport).slice(0, mostStarred);
  const failed = results.filter(({ status, includedReport }) => status === 'failed' && !includedReport);
  const categories = Map.groupBy([...starred, ...failed], ({ riskCategory }) => riskCategory ?? 'benign');
  for (const [category, of] of [...categories].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const first = of.filter(({ includedReport }) => includedReport);
    const rest = of.filter(({ includedReport }) => !includedReport).slice(0, most);
    chosen.set(
      category,
      [...first, ...rest].map(({ resultId }) => resultId),
    );
  }
  const details = await getDetails(db, [...chosen.values()].flat());
  const byId = new Map(details.map((detail) => [detail.resultId, detail]));
  return new Map([...chosen].map(([category, ids]) => [category, ids.flatMap((id) => byId.get(id) ?? [])]));
}

export function reportHandlers({ db, clock, log, runs, reports }: ReportDeps): Handlers<Operations, Caller> {
  const get = async (caller: Caller, jobId: string) => {
    const viewer = viewerOf(caller);
    return readableOr404(viewer, await store.findReport(db, viewer, jobId), 'The report');
  };
  /** The run that is shown beside; that it may be read is checked here. */
  const otherRun = async (
    caller: Caller,
    run: StoredRun,
    asked: string | null | undefined,
  ): Promise<string | null> => {
    if (typeof asked === 'string') return (await runs.get(caller, asked)).runId;
    if (asked === null || run.config.gateway === undefined) return null;
    const page = { limit: 100, offset: 0 };
    const { runs: others } = await listRuns(db, viewerOf(caller), run.evaluationId, page);
    const bare = others.find(({ status, config }) => status === 'completed' && config.gateway === undefined);
    return bare?.runId ?? null;
  };
  return {
    createReport: async ({ caller, params, body }) => {
      const run = await runs.get(caller, params.run_id);
      if (run.status === 'created' || run.status === 'running')
        throw conflict(`The run is ${run.status}: a report can be made of one that has ended.`);
      const jobId = newUuid();
      const workId = newUuid();
      const { tenantId, userId: ownerId } = caller;
      const failureCasesPerCategory = body.failure_cases_per_category;
      const compareWith = await otherRun(caller, run, body.compare_with);
      await db.transaction(async (tx) => {
        const report = { jobId, workId, runId: run.runId, tenantId, ownerId, failureCasesPerCategory };
        await store.insertReport(tx, { ...report, createdAt: new Date(clock.now()) });
        const input = { runId: run.runId, failureCasesPerCategory, compareWith };
        await reports.start({ tenantId, userId: ownerId }, input, { tx, id: workId, subject: run.runId });
      });
      return viewOf(await get(caller, jobId));
    },
    listReportJobs: async ({ caller, query }) => {
      const { reports: found, total } = await store.listUnfinished(db, viewerOf(caller), query);
      return { jobs: found.map(viewOf), total };
    },
    downloadReport: async ({ caller, params, query }) => {
      const report = await get(caller, params.job_id);
      if (report.runId !== params.run_id) throw notFound('The report');
      const { content, artifact } = await reports.open(report.workId, { tenantId: report.tenantId });
      return new AnswerWithHeaders(content as never, {
        'content-type': 'application/pdf',
        'content-length': String(artifact.sizeBytes),
        'content-disposition': `${query.inline ? 'inline' : 'attachment'}; filename="red-team-${report.runId}.pdf"`,
        'x-content-type-options': 'nosniff',
      });
    },
    getReport: async ({ caller, params }) => viewOf(await get(caller, params.job_id)),
    watchReport: async ({ caller, params }) => {
      const { workId, tenantId, workStatus } = await get(caller, params.job_id);
      return followed(log, 'a report', async (events, gone) => {
        const send = async () => events.merge('progress', viewOf(await get(caller, params.job_id)));
        // One that was cleared away has one event.
        if (workStatus === null) await send();
        else for await (const _change of reports.watch(workId, { tenantId }, gone)) await send();
      });
    },
    deleteReport: async ({ caller, params }) => {
      const report = changeableOrRefused(viewerOf(caller), await get(caller, params.job_id), 'The report');
      if (report.workStatus !== null) await reports.delete(report.workId, { tenantId: report.tenantId });
      await store.deleteReport(db, report.jobId);
      return { message: 'The report was deleted.' };
    },
    listReports: async ({ caller, params, query }) => {
      const viewer = viewerOf(caller);
      readableOr404(viewer, await findEvaluation(db, viewer, params.evaluation_id), 'The evaluation');
      const of = { evaluationId: params.evaluation_id, ...query };
      const { reports: found, total } = await store.listOfEvaluation(db, viewer, of);
      return { reports: found.map(viewOf), total };
    },
  };
}
