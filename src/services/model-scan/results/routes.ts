import { Readable } from 'node:stream';
import { type Clock, toIsoTime } from '#base/clock.ts';
import { notFound } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import { resourceEvent } from '#identity/audit/resource-event.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
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
  readonly identity: Pick<Identity, 'audit'>;
  readonly scans: Scans;
}

export function resultHandlers(deps: ResultDeps): Handlers<typeof resultOperations, Caller> {
  const { db, clock, identity, scans } = deps;
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
    objectToVerdict: async ({ caller, params, body, request }) => {
      const { scanId, scanName: name } = await scans.get(caller, params.scan_id);
      const createdAt = new Date(clock.now());
      const objection = { note: body.note, userId: caller.userId, createdAt };
      const { number } = params;
      await db.transaction(async (tx) => {
        if (!(await putObjection(tx, { scanId, number }, objection))) throw notFound('The test');
        const made = { id: scanId, name, more: { test: number }, after: { objection: body.note } };
        await identity.audit(resourceEvent('model_scan_verdict_objected', { caller, request }, made), tx);
      });
      return { note: body.note, user_id: caller.userId, created_at: toIsoTime(createdAt) };
    },
    withdrawObjection: async ({ caller, params, request }) => {
      const { scanId, scanName: name } = await scans.get(caller, params.scan_id);
      const { number } = params;
      await db.transaction(async (tx) => {
        if (!(await removeObjection(tx, scanId, number))) throw notFound('The objection');
        const gone = { id: scanId, name, more: { test: number } };
        await identity.audit(resourceEvent('model_scan_objection_withdrawn', { caller, request }, gone), tx);
      });
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
