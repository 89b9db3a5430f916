import { followed } from '#base/events/followed.ts';
import { AnswerWithHeaders, type Handlers } from '#base/http/mount.ts';
import { attacks } from '#engine/attacks/catalogue.ts';
import type { ScanCase } from '#engine/model-scan/case.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import type { moreScanOperations, scanOperations } from '../contract/scans.ts';
import { archiveOf } from '../results/archive.ts';
import { probe } from '../running/probe.ts';
import { checkModel, type Scans, type ScansDeps } from './scans.ts';
import { findSummary } from '../records/store.ts';
import type { ScanSummary } from '../results/summarise.ts';
import { usageOf } from './usage.ts';
import { modelOf, progressOf, sandboxOf, scanOf } from './view.ts';

export interface RouteDeps extends ScansDeps {
  readonly scans: Scans;
  readonly identity: Identity;
  readonly attackCases: number;
  readonly requestTimeoutMs: number;
}

type Operations = typeof scanOperations & typeof moreScanOperations;

export function scanHandlers(deps: RouteDeps): Handlers<Operations, Caller> {
  const { db, identity, scans } = deps;
  const view = async (scan: Awaited<ReturnType<Scans['get']>>) =>
    progressOf(scan, await identity.userNames([scan.ownerId]));
  const summaryOf = async (scanId: string) => (await findSummary(db, scanId)) as ScanSummary;
  const status = 200 as const;
  return {
    startScan: async ({ caller, body }) => ({
      scan_id: await scans.start(caller, scanOf(body, deps.attackCases)),
      status,
    }),
    startSandboxScan: async ({ caller, body }) => ({
      scan_id: await scans.start(caller, sandboxOf(body)),
      status,
    }),
    getProgress: async ({ caller, body: { scan_id: scanId, since, ...page } }) => {
      if (scanId !== undefined) return view(await scans.get(caller, scanId));
      const found = await scans.list(caller, {
        ...page,
        limit: page.limit,
        status: page.status,
        since: since === undefined ? undefined : new Date(since),
      });
      const nameOf = await identity.userNames(found.map(({ ownerId }) => ownerId));
      return found.map((scan) => progressOf(scan, nameOf));
    },
    getSummary: async ({ caller, body }) => {
      const { scanId } = await scans.finished(caller, body.scan_id, 'a summary');
      return summaryOf(scanId);
    },
    downloadScan: async ({ caller, body }) => {
      const scan = await scans.finished(caller, body.scan_id, 'a download');
      const archive = await archiveOf(deps, scan, await summaryOf(scan.scanId));
      return new AnswerWithHeaders(archive as never, {
        'content-disposition': `attachment; filename="${scan.scanId}.zip"`,
      });
    },
    pauseScan: async ({ caller, body }) => {
      await scans.pause(caller, body.scan_id);
      return { status: 'paused' as const, scan_id: body.scan_id };
    },
    retryScan: async ({ caller, body }) => {
      await scans.retry(caller, body.scan_id, body.api_key);
      return { scan_id: body.scan_id, status };
    },
    getUsage: ({ caller, body }) => usageOf(deps, caller, body),
    watchScan: async ({ caller, params }) => {
      const { runId, tenantId } = await scans.get(caller, params.scan_id);
      return followed(deps.log, 'a scan', async (events, gone) => {
        for await (const { status: runStatus } of deps.kind.watch(runId, { tenantId }, gone)) {
          events.merge('progress', await view(await scans.get(caller, params.scan_id)));
          // It does not go on by itself.
          if (runStatus === 'paused') break;
        }
      });
    },
    changeScan: async ({ caller, params, body, request }) =>
      view(await scans.share({ caller, request }, params.scan_id, body.visibility)),
    deleteScan: async ({ caller, params, request }) => {
      await scans.delete({ caller, request }, params.scan_id);
      return { message: 'The scan was deleted.' };
    },
    listDataSets: () => ({
      datasets: [...deps.dataSets().values()].map(({ name, cases }) => ({
        name,
        cases: cases.length,
        subcategories: countBy(cases, ({ subcategory }) => subcategory),
        severities: countBy(cases, ({ severity }) => severity),
      })),
      algorithms: attacks.map(({ name, reference, most }) => ({ name, reference, attempts: most })),
    }),
    probeModel: async ({ body }) => {
      const { model, secrets } = modelOf(body);
      checkModel(deps, model, secrets);
      return probe(deps, model, secrets, deps.requestTimeoutMs);
    },
  };
}

const countBy = (cases: readonly ScanCase[], keyOf: (each: ScanCase) => string): Record<string, number> => {
  const counts = new Map<string, number>();
  for (const each of cases) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
};
