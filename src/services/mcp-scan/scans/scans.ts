/** Scans: made, found, changed and ended. */
import type { Database } from '#base/db/database.ts';
import { conflict } from '#base/errors.ts';
import type { RunKind } from '#base/jobs/runs/run-kind.ts';
import type { Runs } from '#base/jobs/runs/runs.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { Asking, Audit } from '#identity/audit/audit.ts';
import type { Caller } from '#identity/caller.ts';
import { changeableOrRefused, readableOr404, viewerOf, type Visibility } from '#identity/sharing.ts';
import { differing } from '../live/list-server.ts';
import { auditedScan, eventOf } from './audited.ts';
import { deleteScan } from './delete-scan.ts';
import type { ExecuteDeps, ScanInput } from './execute-deps.ts';
import { execute } from './execute.ts';
import { queued, NewScans, type Created } from './new-scans.ts';
import type { Scan } from './scan.ts';
import { listAgain } from './list-again.ts';
import { originOf, sealToken } from './secrets.ts';
import * as store from './store.ts';

export interface ScansDeps extends ExecuteDeps {
  runs: Runs;
  metrics: Metrics | undefined;
  audit: Audit;
  workers: number;
  scansPerUser: number;
}

const what = 'The scan';

export class Scans implements AsyncDisposable {
  readonly #deps: ScansDeps;
  readonly #kind: RunKind<ScanInput, null>;
  readonly create: NewScans;

  constructor(deps: ScansDeps) {
    this.#deps = deps;
    const { db, clock, artifacts, runs, workers, timeoutMs, metrics } = deps;
    this.#kind = runs.define<ScanInput, null>(
      'mcp_scan',
      {
        concurrency: workers,
        // The analysis has a limit of its own; what is around it must fit too.
        timeoutSeconds: Math.ceil(timeoutMs / 1000) + 600,
        mostCrashes: 2,
        metrics,
        atEnd: async (tx, { id, status, error }) => {
          await store.endScan(tx, id, {
            outcome: status === 'completed' ? 'completed' : 'failed',
            error: status === 'cancelled' ? 'The scan was cancelled.' : (error?.message ?? null),
            at: new Date(clock.now()),
          });
        },
        onEnded: ({ id }) => void this.#dropUpload(db, artifacts, id),
      },
      (run) => execute(run, deps),
    );
    this.create = new NewScans(deps, this.#kind);
  }

  /** Source code is not kept longer than its scan. */
  async #dropUpload(db: Database, artifacts: ScansDeps['artifacts'], runId: string): Promise<void> {
    try {
      const scan = await store.findScanOfRun(db, runId);
      if (scan?.artifactId !== null && scan !== undefined)
        await artifacts.delete({ tenantId: scan.tenantId, userId: scan.ownerId }, scan.artifactId);
    } catch {
      // It expires by itself.
    }
  }

  get workers(): number {
    return this.#deps.workers;
  }

  /** @throws AppError 404 */
  async get(caller: Caller, scanId: number): Promise<Scan> {
    return readableOr404(viewerOf(caller), await store.findScan(this.#deps.db, scanId), what);
  }

  /** @throws AppError 404, 403 */
  async getChangeable(caller: Caller, scanId: number): Promise<Scan> {
    return changeableOrRefused(viewerOf(caller), await store.findScan(this.#deps.db, scanId), what);
  }

  async place(scan: Scan): Promise<{ position: number | null; queued: number }> {
    const place = scan.runId === null ? undefined : await this.#kind.position(scan.runId);
    return { position: place?.position ?? null, queued: place?.queued ?? 0 };
  }

  async queue(caller: Caller) {
    const { db } = this.#deps;
    const viewer = viewerOf(caller);
    const all = await this.#kind.queue({}, 10_000);
    return {
      queue_size: all.queued.length,
      processing_count: all.running.length,
      pending_scan_ids: await store.readableIdsOf(db, viewer, all.queued),
      processing_scan_ids: await store.readableIdsOf(db, viewer, all.running),
      max_workers: this.#deps.workers,
    };
  }

  /** The scan after each change, until it ends or the reader is gone. */
  async *watch(caller: Caller, scanId: number, signal: AbortSignal): AsyncGenerator<Scan> {
    const scan = await this.get(caller, scanId);
    if (scan.runId !== null)
      for await (const _ of this.#kind.watch(scan.runId, { tenantId: scan.tenantId }, signal)) {
        const now = await store.findScan(this.#deps.db, scanId);
        if (now === undefined) return;
        yield now;
        if (now.status === 'completed' || now.status === 'failed') return;
      }
    else yield scan;
  }

  async cancel(caller: Caller, scanId: number): Promise<Scan> {
    const scan = await this.getChangeable(caller, scanId);
    const cancelled =
      scan.runId === null ? undefined : await this.#kind.cancel(scan.runId, { tenantId: scan.tenantId });
    if (cancelled === undefined) throw conflict('The scan has ended already.');
    return this.get(caller, scanId);
  }

  /** Shares or publishes a scan that the caller may change. */
  async change(
    asking: Asking,
    before: Scan,
    {
      visibility = before.visibility,
      publish = before.publish,
    }: { visibility?: Visibility | undefined; publish?: boolean | undefined },
  ): Promise<void> {
    const { db, audit } = this.#deps;
    const after = { ...before, visibility, publish };
    await db.transaction(async (tx) => {
      await store.changeScan(tx, before.scanId, { visibility, publish });
      await audit(auditedScan(eventOf(before, after), asking, { before, after }), tx);
    });
  }

  async delete(asking: Asking, scanId: number): Promise<void> {
    const before = await this.getChangeable(asking.caller, scanId);
    const { runId } = before;
    const { db, artifacts, audit } = this.#deps;
    if (runId !== null) await this.#dropUpload(db, artifacts, runId);
    await db.transaction(async (tx) => {
      if (runId !== null) await this.#kind.delete(tx, { ids: [runId] });
      await deleteScan(tx, scanId);
      await audit(auditedScan('mcp_scan_deleted', asking, { before }), tx);
    });
  }

  /** Goes on with a scan that waits for a token. */
  async authenticate(caller: Caller, scanId: number, token: string): Promise<Created> {
    const { db, vault } = this.#deps;
    const scan = await this.getChangeable(caller, scanId);
    const refused = () => conflict(`The scan does not wait for a token: it is ${scan.status}.`);
    const { runId } = scan;
    if (scan.status !== 'needs_auth' || runId === null) throw refused();
    await db.transaction(async (tx) => {
      await store.setToken(tx, scanId, sealToken(token, vault));
      const resumed = await this.#kind.resume(runId, { tenantId: scan.tenantId }, { from: ['waiting'], tx });
      if (resumed === undefined) throw refused();
    });
    return { scan_id: scanId, status: 'pending', message: queued };
  }

  /**
   * Lists the server now; a new scan where something differs.
   * @param token where the server wants one
   */
  async rescan(
    caller: Caller,
    scanId: number,
    token: string | undefined,
  ): Promise<Created | { status: 'unchanged' }> {
    const deps = this.#deps;
    const scan = await this.getChangeable(caller, scanId);
    if (scan.scanType !== 'mcp' || scan.config === null || scan.status !== 'completed')
      throw conflict('Only a completed scan of a live MCP server can be repeated.');
    const before = await store.findResult(deps.db, scanId);
    const { config, listed } = await listAgain(scan, deps, token);
    if (listed !== undefined && differing(before?.tools ?? [], listed.tools).length === 0)
      return { status: 'unchanged' };
    return this.create.fromServer(caller, {
      name: scan.serverName ?? 'server',
      config,
      origin: originOf(scan),
      visibility: scan.visibility,
      token,
      parentScanId: scanId,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kind[Symbol.asyncDispose]();
  }
}
