/** New scans of all kinds. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Queries } from '#base/db/database.ts';
import { AppError, forbidden, invalid, tooManyRequests } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { RunKind } from '#base/jobs/runs/run-kind.ts';
import type { ConfigOrigin } from '#engine/mcp-servers/config-findings.ts';
import type { ServerConfig } from '#engine/mcp-servers/configurations.ts';
import type { Asking, Audit } from '#identity/audit/audit.ts';
import type { Caller } from '#identity/caller.ts';
import { viewerOf, type Visibility } from '#identity/sharing.ts';
import { configurationResult } from '../live/configuration-result.ts';
import { networkRefused } from '../live/dial.ts';
import { assemble } from '../scanning/assemble.ts';
import { contentHashOf, hashesOf } from '../scanning/hashes.ts';
import { judgeTools } from '../scanning/judge-tools.ts';
import { readRepositoryUrl } from '../scanning/repository.ts';
import type { ScannedTool } from '../scanning/result.ts';
import type { ExecuteDeps, ScanInput } from './execute-deps.ts';
import { auditedScan } from './audited.ts';
import { rate } from './rate.ts';
import type { NewScan, Scan } from './scan.ts';
import { sealConfig, sealToken, serverKeyOf } from './secrets.ts';
import * as earlier from './earlier-scans.ts';
import * as store from './store.ts';

interface Deps extends ExecuteDeps {
  audit: Audit;
  scansPerUser: number;
}

export const queued = 'The scan is queued; ask for its status by its id.';

export interface Created {
  scan_id: number;
  status: Scan['status'];
  message: string;
}

export class NewScans {
  readonly #deps: Deps;
  readonly #kind: RunKind<ScanInput, null>;

  constructor(deps: Deps, kind: RunKind<ScanInput, null>) {
    this.#deps = deps;
    this.#kind = kind;
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
        `You have ${this.#deps.scansPerUser} scans in the queue or under way. Wait for them, or cancel some.`,
        60,
      );
    await this.#kind.start(
      caller,
      { scanId },
      { tx, id: runId, most: { underWay: this.#deps.scansPerUser, refuse } },
    );
    return { scan_id: scanId, status: 'pending', message: queued };
  }

  async fromFile(caller: Caller, file: File, visibility: Visibility = 'private'): Promise<Created> {
    const { artifacts, db, limits } = this.#deps;
    if (file.size === 0) throw invalid("'file' is empty.");
    if (file.size > limits.packedBytes)
      throw new AppError(413, 'too_large', `'file' has more than ${limits.packedBytes} bytes.`);
    const filename =
      // oxlint-disable-next-line no-control-regex -- names of files come from strangers.
      (file.name.split(/[\\/]/).at(-1) ?? '').replaceAll(/[\u0000-\u001f\u007f]/g, '').slice(0, 250) ||
      'upload.zip';
    const artifact = await artifacts.put(
      { tenantId: caller.tenantId, userId: caller.userId },
      // It may be large: it goes from the form's file on disk into the artifact piece by piece.
      Readable.fromWeb(file.stream() as ReadableStream),
      { limitBytes: limits.packedBytes, name: filename, mediaType: 'application/zip', ttlMs: 7 * 86_400_000 },
    );
    return db.transaction((tx) =>
      this.#start(tx, caller, {
        visibility,
        scanType: 'file',
        filename,
        artifactId: artifact.id,
        contentHash: artifact.sha256,
      }),
    );
  }

  async fromRepository(
    asking: Asking,
    given: {
      url: string;
      revision?: string | null | undefined;
      publish?: boolean | null | undefined;
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
    const { visibility = 'private' } = given;
    const publish = given.publish === true;
    return this.#deps.db.transaction(async (tx) => {
      const scan = { visibility, scanType: 'github' as const, filename: name, githubUrl: url, publish };
      const made = await this.#start(tx, asking.caller, { ...scan, revision, batchId });
      if (publish)
        await this.#deps.audit(
          auditedScan('mcp_scan_published', asking, { after: { ...scan, scanId: made.scan_id } }),
          tx,
        );
      return made;
    });
  }

  async fromServer(
    caller: Caller,
    given: {
      name: string;
      config: ServerConfig;
      origin?: ConfigOrigin | undefined;
      token?: string | undefined;
      visibility?: Visibility | undefined;
      parentScanId?: number | undefined;
    },
    batchId?: string,
  ): Promise<Created> {
    const { vault, db, outbound, clock, rulesVersion } = this.#deps;
    if (given.config.url !== undefined) outbound.assertAllowed(given.config.url);
    await this.#assertNetwork(caller, given.config);
    const { name, origin = {} } = given;
    const { config, secrets } = sealConfig(given.config, origin, vault);
    const known = configurationResult(name, given.config, origin, new Date(clock.now()));
    return db.transaction(async (tx) => {
      const made = await this.#start(tx, caller, {
        visibility: given.visibility ?? 'private',
        scanType: 'mcp',
        filename: `MCP:${name}`,
        serverName: name,
        serverKey: serverKeyOf(given.config),
        config,
        secrets,
        parentScanId: given.parentScanId,
        batchId,
        ...(given.token !== undefined && { token: sealToken(given.token, vault) }),
      });
      // Whatever becomes of the server, what its definition says is known.
      if (known !== undefined) await store.writeEarlyResult(tx, made.scan_id, known, rulesVersion);
      return made;
    });
  }

  /** @throws AppError 403 where the scan would fail because its server must not have the network */
  async #assertNetwork({ userId }: Caller, { command, allowNetwork }: ServerConfig): Promise<void> {
    const { stdio, mayUseNetwork } = this.#deps;
    if (command === undefined || !allowNetwork || stdio === 'off') return;
    if (!(await mayUseNetwork({ ownerId: userId }))) throw forbidden(networkRefused);
  }

  /** A new scan with a token, after the last one of this server that waits for one. */
  async withToken(
    caller: Caller,
    given: { name: string; config: ServerConfig; token: string; visibility?: Visibility | undefined },
  ): Promise<Created> {
    const waiting = await earlier.findWaiting(this.#deps.db, viewerOf(caller), {
      name: given.name,
      key: serverKeyOf(given.config),
    });
    return this.fromServer(caller, { ...given, parentScanId: waiting?.scanId });
  }

  /** Judges a list of tools at once. */
  async fromTools(
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
    const { db, clock, judge, model, language, rulesVersion, costOf } = this.#deps;
    const now = new Date(clock.now());
    const scanned = tools.map((tool) => ({ ...tool, hashes: hashesOf(tool) }));
    const judged = await judgeTools(scanned, { judge, model, language });
    const result = assemble({
      observations: judged.observations,
      tools: scanned,
      textguard: judged.textguard,
      packages: [],
      depsChecked: 'none',
      serverName,
      servers: [serverName],
      notes: judged.notes,
      usage: judged.usage,
      now,
    });
    const rated = rate(result, result.findings, now);
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
        contentHash: contentHashOf(scanned),
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
}
