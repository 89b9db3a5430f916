import { Readable } from 'node:stream';
import { type Clock, toIsoTime } from '#base/clock.ts';
import { notFound } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import { viewerOf } from '#identity/sharing.ts';
import type { resultOperations } from '../contract/results.ts';
import type { Scan } from '../records/scan.ts';
import { findSummary } from '../records/store.ts';
import { keptReport, type ReportDeps } from './kept-report.ts';
import { countByJudge, putObjection, removeObjection } from './objections.ts';
import { countResults, listResults } from './store.ts';
import type { ScanSummary } from './summarise.ts';
import { trendOf } from './trend.ts';

/** Finding scans on behalf of a caller. */
interface Scans {
  get(caller: Caller, scanId: string): Promise<Scan>;
  finished(caller: Caller, scanId: string, what: string): Promise<Scan>;
}

export interface ResultDeps extends ReportDeps {
  readonly clock: Clock;
  readonly scans: Scans;
}

export function resultHandlers(deps: ResultDeps): Handlers<typeof resultOperations, Caller> {
  const { db, clock, scans } = deps;
  return {
    listResults: async ({ caller, params, query }) => {
      const { scanId } = await scans.get(caller, params.scan_id);
      const { limit, offset, order, ...filter } = query;
      const [results, total, objections] = await Promise.all([
        listResults(db, scanId, { limit, offset, order }, filter),
        countResults(db, scanId, filter),
        countResults(db, scanId, { objected: true }),
      ]);
      // The rows have the shape of the contract, which is checked when they are sent.
      return { results: results as never[], total, limit, offset, objections };
    },
    objectToVerdict: async ({ caller, params, body }) => {
      const { scanId } = await scans.get(caller, params.scan_id);
      const createdAt = new Date(clock.now());
      const objection = { note: body.note, userId: caller.userId, createdAt };
      if (!(await putObjection(db, { scanId, number: params.number }, objection))) throw notFound('The test');
      return { note: body.note, user_id: caller.userId, created_at: toIsoTime(createdAt) };
    },
    withdrawObjection: async ({ caller, params }) => {
      const { scanId } = await scans.get(caller, params.scan_id);
      if (!(await removeObjection(db, scanId, params.number))) throw notFound('The objection');
      return { message: 'The objection was taken back.' };
    },
    countObjections: async ({ caller }) => {
      const judges = await countByJudge(db, viewerOf(caller));
      return { total: judges.reduce((sum, { objections }) => sum + objections, 0), judges };
    },
    getTrend: async ({ caller, query }) => ({
      scans: await trendOf(db, viewerOf(caller), query.model_name, query.limit),
    }),
    getReport: async ({ caller, params }) => {
      const scan = await scans.finished(caller, params.scan_id, 'a report');
      const summary = (await findSummary(db, scan.scanId)) as ScanSummary;
      return Readable.from([await keptReport(deps, scan, summary)], { objectMode: false });
    },
  };
}
