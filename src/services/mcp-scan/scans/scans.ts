/** Scans: made, found, changed and ended. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Database, Queries } from '#base/db/database.ts';
import { AppError, conflict, invalid, tooManyRequests } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { RunKind } from '#base/jobs/runs/run-kind.ts';
import type { Runs } from '#base/jobs/runs/runs.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { ServerConfig } from '#engine/mcp-servers/configurations.ts';
import type { Caller } from '#identity/caller.ts';
import { changeableOrRefused, readableOr404, viewerOf, type Visibility } from '#identity/sharing.ts';
import { differing, listServer } from '../live/list-server.ts';
import { assemble } from '../scanning/assemble.ts';
import { hashOf, hashesOf } from '../scanning/hashes.ts';
import { judgeTools } from '../scanning/judge-tools.ts';
import { readRepositoryUrl } from '../scanning/repository.ts';
import type { ScannedTool } from '../scanning/result.ts';
import { dialDepsOf, execute, type ExecuteDeps, type ScanInput } from './execute.ts';
import { rate } from './rate.ts';
import type { NewScan, Scan } from './scan.ts';
import { openConfig, sealConfig, sealToken, withoutSecrets } from './secrets.ts';
import * as store from './store.ts';

export interface ScansDeps extends ExecuteDeps {
  runs: Runs;
  metrics: Metrics | undefined;
  workers: number;
  scansPerUser: number;
}

const message = 'The scan is queued; ask for its status by its id.';
const what = 'The scan';

export interface Created {
  scan_id: number;
  status: Scan['status'];
  message: string;
}

export class Scans implements AsyncDisposable {
  readonly #deps: ScansDeps;
  readonly #kind: RunKind<ScanInput, null>;

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

  async #start(
    tx: Queries,
    caller: Caller,
    scan: Omit<NewScan, 'runId' | 'tenantId' | 'ownerId' | 'uploadTime'>,
  ): Promise<Created> {
    const runId = newUuid();
    const scanId = await store.insertScan(tx, {
      ...scan,
      runId,
      tenantId: caller.tenantId,
      ownerId: caller.userId,
      uploadTime: new Date(this.#deps.clock.now()),
    });
    const refuse = () =>
      tooManyRequests(
        `You have ${this.#deps.scansPerUser} scans that have not ended. Wait for them, or cancel some.`,
        60,
      );
    await this.#kind.start(
      caller,
      { scanId },
      { tx, id: runId, most: { underWay: this.#deps.scansPerUser, refuse } },
    );
    return { scan_id: scanId, status: 'pending', message };
  }

  async createFromFile(caller: Caller, file: File, visibility: Visibility = 'private'): Promise<Created> {
    const { artifacts, db, limits } = this.#deps;
    if (file.size === 0) throw invalid("'file' is empty.");
    if (file.size > limits.packedBytes)
      throw new AppError(413, 'too_large', `'file' has more than ${limits.packedBytes} bytes.`);
    const bytes = Buffer.from(await file.arrayBuffer());
    // oxlint-disable-next-line no-control-regex -- names of files come from strangers.
    const filename =
      (file.name.split(/[\\/]/).at(-1) ?? '').replaceAll(/[\u0000-\u001f\u007f]/g, '').slice(0, 250) ||
      'upload.zip';
    const contentHash = createHash('sha256').update(bytes).digest('hex');
    const artifact = await artifacts.put(
      { tenantId: caller.tenantId, userId: caller.userId },
      Readable.from([bytes], { objectMode: false }),
      { limitBytes: limits.packedBytes, name: filename, mediaType: 'application/zip', ttlMs: 7 * 86_400_000 },
    );
    return db.transaction((tx) =>
      this.#start(tx, caller, {
        visibility,
        scanType: 'file',
        filename,
        artifactId: artifact.id,
        contentHash,
      }),
    );
  }

  async createFromRepository(
    caller: Caller,
    given: {
      url: string;
      revision?: string | undefined;
      publish?: boolean | undefined;
      visibility?: Visibility | undefined;
    },
    batchId?: string,
  ): Promise<Created> {
    const { url, name } = readRepositoryUrl(given.url, this.#deps.repositoryHosts);
    const revision = given.revision?.trim() || undefined;
    if (
      revision !== undefined &&
      (!/^[\w./@+-]+$/.test(revision) || revision.includes('..') || revision.startsWith('-'))
    )
      throw invalid("'revision' must be a branch, a tag or a commit.");
    return this.#deps.db.transaction((tx) =>
      this.#start(tx, caller, {
        visibility: given.visibility ?? 'private',
        scanType: 'github',
        filename: name,
        githubUrl: url,
        revision,
        publish: given.publish,
        batchId,
      }),
    );
  }

  async createFromServer(
    caller: Caller,
    given: {
      name: string;
      config: ServerConfig;
      token?: string | undefined;
      visibility?: Visibility | undefined;
      parentScanId?: number | undefined;
    },
    batchId?: string,
  ): Promise<Created> {
    const { vault, db, outbound } = this.#deps;
    if (given.config.url !== undefined) outbound.assertAllowed(given.config.url);
    const { config, secrets } = sealConfig(given.config, vault);
    return db.transaction((tx) =>
      this.#start(tx, caller, {
        visibility: given.visibility ?? 'private',
        scanType: 'mcp',
        filename: `MCP:${given.name}`,
        serverName: given.name,
        config,
        secrets,
        parentScanId: given.parentScanId,
        batchId,
        ...(given.token !== undefined && { token: sealToken(given.token, vault) }),
      }),
    );
  }

  /** A new scan with a token, after the last one of this server that waits for one. */
  async createWithToken(
    caller: Caller,
    given: { name: string; config: ServerConfig; token: string; visibility?: Visibility | undefined },
  ): Promise<Created> {
    const waiting = await store.findWaiting(this.#deps.db, viewerOf(caller), given.name);
    return this.createFromServer(caller, { ...given, parentScanId: waiting?.scanId });
  }

  /** Judges a list of tools at once. */
  async createFromTools(
    caller: Caller,
    {
      serverName,
      tools,
      visibility = 'private',
    }: {
      serverName: string;
      tools: readonly Omit<ScannedTool, 'hashes'>[];
      visibility?: Visibility | undefined;
    },
  ): Promise<number> {
    const { db, clock, judge, model, rulesVersion, costOf } = this.#deps;
    const now = new Date(clock.now());
    const scanned = tools.map((tool) => ({ ...tool, hashes: hashesOf(tool) }));
    const judged = await judgeTools(scanned, { judge, model });
    const result = assemble({
      observations: judged.observations,
      tools: scanned,
      textguard: judged.textguard,
      packages: [],
      depsChecked: 'none',
      serverName,
      servers: [serverName],
      now,
    });
    const rated = await rate(db, caller.tenantId, result, now);
    return db.transaction(async (tx) => {
      const scanId = await store.insertScan(tx, {
        runId: null,
        tenantId: caller.tenantId,
        ownerId: caller.userId,
        visibility,
        scanType: 'mcp',
        filename: `MCP:${serverName}`,
        uploadTime: now,
        serverName,
        contentHash: hashOf(scanned.map(({ name, hashes }) => ({ name, hashes }))),
      });
      await store.writeResult(tx, scanId, {
        result,
        rated,
        contentHash: undefined,
        rulesVersion,
        usage: result.usage,
        cost: costOf(result.usage),
      });
      await store.endNow(tx, scanId, now);
      return scanId;
    });
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

  async delete(caller: Caller, scanId: number): Promise<void> {
    const { runId } = await this.getChangeable(caller, scanId);
    const { db, artifacts } = this.#deps;
    if (runId !== null) await this.#dropUpload(db, artifacts, runId);
    await db.transaction(async (tx) => {
      if (runId !== null) await this.#kind.delete(tx, { ids: [runId] });
      await store.deleteScan(tx, scanId);
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
    return { scan_id: scanId, status: 'pending', message };
  }

  /** Lists the server now; a new scan where something differs. */
  async rescan(caller: Caller, scanId: number): Promise<Created | { status: 'unchanged' }> {
    const deps = this.#deps;
    const { db, vault } = deps;
    const scan = await this.getChangeable(caller, scanId);
    if (scan.scanType !== 'mcp' || scan.config === null || scan.status !== 'completed')
      throw conflict('Only a completed scan of a live MCP server can be repeated.');
    const before = await store.findResult(db, scanId);
    const { secrets } = await store.findSealed(db, scanId);
    const config = await refusing(() =>
      openConfig(scan.config ?? { args: [], env: {}, headers: {}, allowNetwork: false }, secrets, vault),
    );
    const dialDeps = dialDepsOf(deps, config.allowNetwork && (await deps.mayUseNetwork(scan)));
    const listed = await listServer(config, dialDeps, { isThorough: false }).catch((error: unknown) => {
      // A server that wants a token by now: the new scan says so.
      if (error instanceof Error && error.name === 'NeedsAuth') return undefined;
      throw new AppError(
        502,
        'unlisted',
        error instanceof Error ? withoutSecrets(error.message, config) : 'The server could not be listed.',
        { cause: error },
      );
    });
    if (listed !== undefined && differing(before?.tools ?? [], listed.tools).length === 0)
      return { status: 'unchanged' };
    return this.createFromServer(caller, {
      name: scan.serverName ?? 'server',
      config,
      visibility: scan.visibility,
      parentScanId: scanId,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kind[Symbol.asyncDispose]();
  }
}

async function refusing<T>(use: () => T): Promise<T> {
  try {
    return await use();
  } catch (error) {
    throw conflict(error instanceof Error ? error.message : 'The scan cannot be repeated.');
  }
}
