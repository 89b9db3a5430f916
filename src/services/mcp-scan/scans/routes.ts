import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { conflict, invalid, notFound } from '#base/errors.ts';
import { EventStream } from '#base/events/event-stream.ts';
import type { Handlers } from '#base/http/mount.ts';
import { isUuid } from '#base/ids.ts';
import { readServerConfig } from '#engine/mcp-servers/configurations.ts';
import { cycloneDxOf } from '#engine/mcp-servers/dependencies/cyclonedx.ts';
import { compareFindings } from '#findings/comparison.ts';
import { isSuppressed, type Finding } from '#findings/finding.ts';
import { sarifOf } from '#findings/sarif/write-sarif.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { mayRead, viewerOf } from '#identity/sharing.ts';
import type { scanOperations } from '../contract/scans.ts';
import { toolChanges } from '../live/changes.ts';
import type { ScanResult } from '../scanning/result.ts';
import { crossServerFindings } from './batches.ts';
import { countedOf } from './counting.ts';
import { findingsFor, rate } from './rate.ts';
import type { Scan, ScanStatus } from './scan.ts';
import type { Scans } from './scans.ts';
import { serverKeyOf } from './secrets.ts';
import { listScans } from './list-scans.ts';
import * as earlier from './earlier-scans.ts';
import * as store from './store.ts';
import { viewFinding, viewProgress, viewScan, viewSummary, viewTimes } from './view.ts';
import { placeAtServer } from '../sarif-places.ts';

interface Deps {
  db: Database;
  clock: Clock;
  identity: Identity;
  scans: Scans;
  version: string;
}

const recent = 10;

/** Readers of SARIF take each suppression for one that holds. */
const activeOnly = (findings: readonly Finding[], now: Date): Finding[] =>
  findings.map((finding) => {
    const { suppression: _, ...bare } = finding;
    return isSuppressed(finding, now) ? finding : bare;
  });

export function scanHandlers({
  db,
  clock,
  identity,
  scans,
  version,
}: Deps): Handlers<typeof scanOperations, Caller> {
  const now = () => new Date(clock.now());
  const summaries = async (found: readonly Scan[]) => {
    const nameOf = await identity.userNames(found.map(({ ownerId }) => ownerId));
    const ids = found.map(({ scanId }) => scanId);
    const counted = await countedOf(db, ids, { now: now() });
    return found.map((scan) => viewSummary(scan, nameOf(scan.ownerId), counted(scan.scanId)));
  };
  const summary = async (scan: Scan, reader?: string) => {
    const nameOf = await identity.userNames([scan.ownerId]);
    const counted = await countedOf(db, [scan.scanId], {
      now: now(),
      ...(reader !== undefined && { reader }),
    });
    return viewSummary(scan, nameOf(scan.ownerId), counted(scan.scanId));
  };
  const resultOf = async (
    caller: Caller,
    scanId: number,
    statuses: readonly ScanStatus[] = ['completed'],
  ): Promise<{ scan: Scan; result: ScanResult }> => {
    const scan = await scans.get(caller, scanId);
    const result = statuses.includes(scan.status) ? await store.findResult(db, scanId) : undefined;
    if (result === undefined) throw conflict(`The scan ${scanId} has no results: it is ${scan.status}.`);
    return { scan, result };
  };
  /** The scan that a result was taken from; whose it was is not told to those who may not read it. */
  const readableSource = async (caller: Caller, { cachedFromScanId: id }: Scan) => {
    const source = id === null ? undefined : await store.findScan(db, id);
    return source !== undefined && mayRead(viewerOf(caller), source) ? source.scanId : null;
  };
  const sarif = async (caller: Caller, scanId: number) => {
    // Of a scan that could not see its server the findings of the configuration; the log says that it failed.
    const { scan, result } = await resultOf(caller, scanId, ['completed', 'failed', 'needs_auth']);
    const log = sarifOf({
      tool: { name: 'Bulwark MCP scan', version },
      rules: result.rules,
      findings: activeOnly(await findingsFor(db, scan, result.findings, now()), now()),
      placeOf: (finding) => placeAtServer(scan.serverName ?? scan.filename, finding),
      startedAt: scan.uploadTime,
      endedAt: scan.finishedAt ?? scan.uploadTime,
      isSuccessful: scan.status === 'completed',
    });
    return { ...log, version: '2.1.0' as const };
  };
  const statusOf = async (scan: Scan) => {
    const { position, queued } = await scans.place(scan);
    const isQueued = scan.status === 'pending' || scan.status === 'processing';
    return {
      status: scan.status,
      queue_position: isQueued ? position : null,
      queue_size: isQueued ? queued : null,
      processing_stage: scan.stage,
      error_message: scan.errorMessage,
      id: scan.scanId,
      kind: 'mcp_scan' as const,
      progress: viewProgress(scan),
      ...viewTimes(scan),
    };
  };
  return {
    async listScans({ caller, query }) {
      const { page, page_size, sort_field, sort_order, start_time, end_time, owner, ...filter } = query;
      const found = await listScans(db, viewerOf(caller), {
        ...filter,
        owner,
        ...(start_time !== undefined && { start: start_time }),
        ...(end_time !== undefined && { end: end_time }),
        now: now(),
        sort: sort_field,
        isAscending: sort_order === 'asc',
        limit: page_size,
        offset: (page - 1) * page_size,
      });
      return {
        scans: await summaries(found.scans),
        total: found.total,
        page,
        page_size,
        total_pages: Math.ceil(found.total / page_size),
      };
    },
    async listRecentScans({ caller }) {
      const found = await listScans(db, viewerOf(caller), {
        owner: 'me',
        now: now(),
        sort: 'upload_time',
        isAscending: false,
        limit: recent,
        offset: 0,
      });
      return { scans: await summaries(found.scans) };
    },
    async findScanOfServer({ caller, body }) {
      const config = readServerConfig(body.server_config);
      if (typeof config === 'string') throw invalid(`'server_config' ${config}.`);
      const { scan, newer } = await earlier.findScansOfServer(db, viewerOf(caller), serverKeyOf(config));
      return {
        scan: scan === undefined ? null : await summary(scan, caller.userId),
        newer: newer === undefined ? null : await summary(newer, caller.userId),
      };
    },
    async getScan({ caller, params, query }) {
      if (query.format === 'sarif') return sarif(caller, params.scan_id);
      const scan = await scans.get(caller, params.scan_id);
      const result = await store.findResult(db, scan.scanId);
      const at = now();
      const findings = result === undefined ? [] : await findingsFor(db, scan, result.findings, at);
      const rated = result && rate(result, findings, at);
      const nameOf = await identity.userNames([scan.ownerId]);
      const cachedFromScanId = await readableSource(caller, scan);
      return viewScan(scan, nameOf(scan.ownerId), {
        result,
        findings,
        rated,
        cachedFromScanId,
        now: at,
      });
    },
    async changeScan({ caller, params, body, request }) {
      const scan = await scans.getChangeable(caller, params.scan_id);
      if (body.publish === true && scan.scanType !== 'github')
        throw conflict('Only scans of public repositories can be published.');
      await scans.change({ caller, request }, scan, body);
      return summary(await scans.get(caller, params.scan_id));
    },
    async deleteScan({ caller, params, request }) {
      await scans.delete({ caller, request }, params.scan_id);
      return { deleted: true as const };
    },
    getScanStatus: async ({ caller, params }) => statusOf(await scans.get(caller, params.scan_id)),
    async watchScan({ caller, params }) {
      await scans.get(caller, params.scan_id);
      const stream = new EventStream();
      const gone = new AbortController();
      stream.once('close', () => gone.abort());
      const send = async () => {
        let shown: string | undefined;
        for await (const scan of scans.watch(caller, params.scan_id, gone.signal)) {
          const status = await statusOf(scan);
          const now = JSON.stringify(status);
          if (now !== shown) stream.merge('status', status);
          shown = now;
        }
      };
      void send()
        .catch(() => undefined)
        .finally(() => stream.finish());
      return stream;
    },
    cancelScan: async ({ caller, params }) => summary(await scans.cancel(caller, params.scan_id)),
    rescan: ({ caller, params, headers }) =>
      scans.rescan(caller, params.scan_id, headers['X-MCP-Auth-Token']),
    getSarif: ({ caller, params }) => sarif(caller, params.scan_id),
    async getBill({ caller, params }) {
      const { scan, result } = await resultOf(caller, params.scan_id);
      return {
        ...cycloneDxOf(result.packages, {
          name: scan.filename,
          version: scan.commitHash ?? undefined,
          tool: 'Bulwark MCP scan',
          toolVersion: version,
          at: scan.finishedAt ?? new Date(clock.now()),
        }),
      };
    },
    getQueue: ({ caller }) => scans.queue(caller),
    async compareScans({ caller, query }) {
      const before = await resultOf(caller, query.before);
      const after = await resultOf(caller, query.after);
      const [earlier, later] = [
        await findingsFor(db, before.scan, before.result.findings, now()),
        await findingsFor(db, after.scan, after.result.findings, now()),
      ];
      const compared = compareFindings(earlier, later);
      const changes = toolChanges(before.result.tools, after.result.tools);
      return {
        before: await summary(before.scan),
        after: await summary(after.scan),
        new: compared.new.map(viewFinding),
        fixed: compared.fixed.map(viewFinding),
        unchanged: compared.unchanged.map((each) => viewFinding(each.after)),
        tools: changes.map(({ name, change, fields }) => ({ name, change, fields })),
      };
    },
    async getBatch({ caller, params }) {
      const { scans: found } = isUuid(params.batch_id)
        ? await listScans(db, viewerOf(caller), {
            owner: 'all',
            now: now(),
            batchId: params.batch_id,
            sort: 'upload_time',
            isAscending: true,
            limit: 500,
            offset: 0,
          })
        : { scans: [] };
      if (found.length === 0) throw notFound('The batch');
      return {
        batch_id: params.batch_id,
        is_complete: found.every(({ status }) => status === 'completed' || status === 'failed'),
        scans: await summaries(found),
        cross_server: (await crossServerFindings(db, found)).map(viewFinding),
      };
    },
  };
}
