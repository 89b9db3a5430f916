/** The work of a scan: what a run of it does. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Artifacts } from '#base/artifacts/artifacts.ts';
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { AppError } from '#base/errors.ts';
import type { Outcome, Run } from '#base/jobs/runs/run.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { Vault } from '#base/secrets/vault.ts';
import { configFindings } from '#engine/mcp-servers/configurations.ts';
import { NeedsAuth, type DialDeps, type StdioPolicy } from '../live/dial.ts';
import { listServer } from '../live/list-server.ts';
import { discoverOAuth, oauthFindings } from '../live/oauth-metadata.ts';
import { changesSince } from '../live/changes.ts';
import { assemble } from '../scanning/assemble.ts';
import { judgeTools } from '../scanning/judge-tools.ts';
import type { ProjectLimits } from '../scanning/read-project.ts';
import { fetchArchive, readRepositoryUrl, resolveRevision } from '../scanning/repository.ts';
import type { ScanResult } from '../scanning/result.ts';
import { ScanFailure, scanProject, type ScanTools } from '../scanning/scan-project.ts';
import { rate } from './rate.ts';
import type { Scan } from './scan.ts';
import { openConfig, openToken, withoutSecrets } from './secrets.ts';
import * as store from './store.ts';

export interface ExecuteDeps extends ScanTools {
  db: Database;
  clock: Clock;
  artifacts: Artifacts;
  outbound: Outbound;
  vault: Vault;
  limits: ProjectLimits;
  timeoutMs: number;
  memoryBytes: number;
  repositoryHosts: readonly string[];
  fileCacheMs: number;
  repositoryCacheMs: number;
  stdio: StdioPolicy;
  connectTimeoutMs: number;
  version: string;
  /** Of everything that decides what is found. */
  rulesVersion: string;
  costOf: (usage: ScanResult['usage']) => number;
  /** Whether the scan's owner may give a stdio server the network. */
  mayUseNetwork: (scan: Scan) => Promise<boolean>;
}

export interface ScanInput {
  scanId: number;
}

type ScanRun = Run<ScanInput, never>;
interface Found {
  result: ScanResult;
  contentHash?: string;
  cachedFrom?: Scan;
}

/** How connections to servers are made for a scan. */
export const dialDepsOf = (deps: ExecuteDeps, mayUseNetwork: boolean): DialDeps => ({
  outbound: deps.outbound,
  stdio: deps.stdio,
  mayUseNetwork,
  connectTimeoutMs: deps.connectTimeoutMs,
  version: deps.version,
});

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bulwark-scan-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function cachedResult(deps: ExecuteDeps, cached: Scan | undefined): Promise<Found | undefined> {
  const result = cached && (await store.findResult(deps.db, cached.scanId));
  return cached === undefined || result === undefined
    ? undefined
    : {
        result: { ...result, usage: { promptTokens: 0, completionTokens: 0 } },
        cachedFrom: cached,
        ...(cached.contentHash !== null && { contentHash: cached.contentHash }),
      };
}

const stage = (run: ScanRun) => (step: string) => run.progress({ done: 0, step });

async function scanArchive(
  scan: Scan,
  file: string,
  isRepository: boolean,
  run: ScanRun,
  deps: ExecuteDeps,
): Promise<Found> {
  const contentHash = await hashOfFile(file);
  const result = await scanProject({
    ...deps,
    name: scan.filename,
    source: { kind: 'archive', path: file, stripRoot: isRepository, skipLinks: isRepository },
    signal: run.signal,
    onStage: stage(run),
  });
  return { result, contentHash };
}

async function scanUpload(scan: Scan, run: ScanRun, deps: ExecuteDeps): Promise<Found> {
  const since = new Date(deps.clock.now() - deps.fileCacheMs);
  const { contentHash, artifactId } = scan;
  if (contentHash !== null) {
    const cached = await store.findCachedFile(deps.db, scan, {
      contentHash,
      rulesVersion: deps.rulesVersion,
      since,
    });
    const found = await cachedResult(deps, cached);
    if (found !== undefined) return found;
  }
  if (artifactId === null) throw new ScanFailure('The uploaded file is gone. Upload it again.');
  stage(run)('reading files');
  return inFolder(async (folder) => {
    const file = join(folder, 'upload');
    const { content } = await deps.artifacts.open(
      { tenantId: scan.tenantId, userId: scan.ownerId },
      artifactId,
    );
    await pipeline(content, createWriteStream(file, { mode: 0o600 }));
    return scanArchive(scan, file, false, run, deps);
  });
}

async function scanRepository(scan: Scan, run: ScanRun, deps: ExecuteDeps): Promise<Found> {
  const access = { outbound: deps.outbound, hosts: deps.repositoryHosts, signal: run.signal };
  stage(run)('resolving the revision');
  const repository = readRepositoryUrl(scan.githubUrl ?? '', deps.repositoryHosts);
  const commitHash = await resolveRevision(repository, scan.revision ?? '', access);
  await deps.db.transaction(async (tx) => {
    await run.save(tx, {});
    await store.setCommit(tx, scan.scanId, commitHash);
  });
  const since = new Date(deps.clock.now() - deps.repositoryCacheMs);
  const of = { githubUrl: repository.url, commitHash, rulesVersion: deps.rulesVersion, since };
  const found = await cachedResult(deps, await store.findCachedCommit(deps.db, scan.scanId, of));
  if (found !== undefined) return found;
  stage(run)('fetching the repository');
  return inFolder(async (folder) => {
    const file = join(folder, 'archive');
    await fetchArchive(repository, commitHash, file, { ...access, limitBytes: deps.limits.packedBytes });
    return scanArchive(scan, file, true, run, deps);
  });
}

async function scanServer(scan: Scan, run: ScanRun, deps: ExecuteDeps): Promise<Found | Outcome<null>> {
  const sealed = await store.findSealed(deps.db, scan.scanId);
  if (scan.config === null) throw new ScanFailure('The configuration of this scan is gone.');
  const config = openConfig(scan.config, sealed.secrets, deps.vault);
  const token = openToken(sealed.token, deps.vault);
  const name = scan.serverName ?? 'server';
  stage(run)('connecting');
  const dialDeps = dialDepsOf(deps, config.allowNetwork && (await deps.mayUseNetwork(scan)));
  try {
    const listed = await listServer(config, dialDeps, { token, signal: run.signal });
    stage(run)('checking descriptions');
    const judged = await judgeTools(listed.tools, {
      judge: deps.judge,
      model: deps.model,
      signal: run.signal,
    });
    const parent =
      scan.parentScanId === null ? undefined : await store.findResult(deps.db, scan.parentScanId);
    const result = assemble({
      observations: [
        ...judged.observations,
        ...listed.observations,
        ...configFindings(name, config),
        ...(scan.oauthMetadata === null ? [] : oauthFindings(scan.oauthMetadata)),
        ...(parent === undefined ? [] : changesSince(parent.tools, listed.tools)),
      ],
      tools: listed.tools,
      textguard: judged.textguard,
      packages: [],
      depsChecked: 'none',
      serverName: name,
      servers: [name],
      server: listed.server,
      notes: listed.notes,
      now: new Date(deps.clock.now()),
    });
    return { result };
  } catch (error) {
    if (error instanceof NeedsAuth && config.url !== undefined) {
      if (token !== undefined)
        throw new ScanFailure(
          `The MCP server refused the token (status ${error.challenge.status}${error.challenge.error === undefined ? '' : `, ${error.challenge.error}`}).`,
          { cause: error },
        );
      const metadata = await discoverOAuth(deps.outbound, {
        serverName: name,
        serverUrl: scan.config.url ?? '',
        challenge: error.challenge,
      });
      return { waiting: 'needs_auth', write: (tx: Queries) => store.setNeedsAuth(tx, scan.scanId, metadata) };
    }
    if (error instanceof ScanFailure || error instanceof AppError)
      throw new ScanFailure(withoutSecrets(error.message, config, token), { cause: error });
    throw error;
  }
}

async function find(scan: Scan, run: ScanRun, deps: ExecuteDeps): Promise<Found | Outcome<null>> {
  switch (scan.scanType) {
    case 'file':
      return scanUpload(scan, run, deps);
    case 'github':
      return scanRepository(scan, run, deps);
    case 'mcp':
      return scanServer(scan, run, deps);
  }
}

/** Executes the scan of a run. */
export async function execute(run: ScanRun, deps: ExecuteDeps): Promise<Outcome<null>> {
  const { db, clock, rulesVersion } = deps;
  const scan = await store.findScan(db, run.input.scanId);
  if (scan === undefined) return { failed: 'The scan was deleted.' };
  let found: Found | Outcome<null>;
  try {
    found = await find(scan, run, deps);
  } catch (error) {
    if (error instanceof ScanFailure) return { failed: error.message };
    if (error instanceof AppError && error.status < 500) return { failed: error.message };
    throw error;
  }
  if (!('result' in found)) return found;
  const { result, contentHash, cachedFrom } = found;
  const rated = await rate(db, scan.tenantId, result, new Date(clock.now()));
  const isOwn = cachedFrom?.tenantId === scan.tenantId && cachedFrom.ownerId === scan.ownerId;
  return {
    completed: null,
    write: (tx) =>
      store.writeResult(tx, scan.scanId, {
        result,
        rated,
        contentHash,
        rulesVersion,
        // Whose scan it was is not told to others.
        ...(isOwn && { cachedFromScanId: cachedFrom.scanId }),
        usage: result.usage,
        cost: deps.costOf(result.usage),
      }),
  };
}
