/** The work of a scan: what a run of it does. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#base/errors.ts';
import type { Outcome } from '#base/jobs/runs/run.ts';
import { hashOfFile } from '../scanning/hashes.ts';
import { fetchArchive, readRepositoryUrl, resolveRevision } from '../scanning/repository.ts';
import { ScanFailure, scanProject } from '../scanning/scan-project.ts';
import type { ExecuteDeps, Found, ScanRun } from './execute-deps.ts';
import { executeServer } from './execute-server.ts';
import { rate } from './rate.ts';
import type { Scan } from './scan.ts';
import * as earlier from './earlier-scans.ts';
import * as store from './store.ts';

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bulwark-scan-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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

const stage = (run: ScanRun) => (step: string, files?: { done: number; total: number }) =>
  run.progress({ done: files?.done ?? 0, total: files?.total, step });

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
    judging: deps,
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
    const cached = await earlier.findCachedFile(deps.db, scan, {
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
  const { commit: commitHash, isHead } = await resolveRevision(repository, scan.revision ?? '', access);
  await deps.db.transaction(async (tx) => {
    await run.save(tx, {});
    await store.setCommit(tx, scan.scanId, commitHash);
  });
  const since = new Date(deps.clock.now() - deps.repositoryCacheMs);
  const of = { githubUrl: repository.url, commitHash, rulesVersion: deps.rulesVersion, since };
  const found = await cachedResult(deps, await earlier.findCachedCommit(deps.db, scan.scanId, of));
  if (found !== undefined) return { ...found, isHead };
  stage(run)('fetching the repository');
  return inFolder(async (folder) => {
    const file = join(folder, 'archive');
    await fetchArchive(repository, commitHash, file, { ...access, limitBytes: deps.limits.packedBytes });
    return { ...(await scanArchive(scan, file, true, run, deps)), isHead };
  });
}

async function find(scan: Scan, run: ScanRun, deps: ExecuteDeps): Promise<Found | Outcome<null>> {
  switch (scan.scanType) {
    case 'file':
      return scanUpload(scan, run, deps);
    case 'github':
      return scanRepository(scan, run, deps);
    case 'mcp':
      return executeServer(scan, run, deps);
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
  const { result, contentHash, cachedFrom, isHead } = found;
  const now = new Date(clock.now());
  const rated = rate(result, result.findings, now);
  return {
    completed: null,
    write: (tx) =>
      store.writeResult(tx, scan.scanId, {
        result,
        rated,
        contentHash,
        rulesVersion,
        publicRating: isHead === true ? rated : undefined,
        cachedFromScanId: cachedFrom?.scanId,
        usage: result.usage,
        cost: deps.costOf(result.usage),
      }),
  };
}
