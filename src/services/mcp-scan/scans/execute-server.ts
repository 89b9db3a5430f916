/** The run of a scan of a live server. */
import type { Queries } from '#base/db/database.ts';
import { AppError } from '#base/errors.ts';
import type { Outcome } from '#base/jobs/runs/run.ts';
import type { ServerConfig } from '#engine/mcp-servers/configurations.ts';
import { NeedsAuth, NotStarted, type DialDeps } from '../live/dial.ts';
import { readableFolders } from '../live/readable.ts';
import { discoverOAuth } from '../live/oauth-metadata.ts';
import { scanServer } from '../live/scan-server.ts';
import { scanSourceInstead } from '../live/source-fallback.ts';
import { contentHashOf, hashOfFile } from '../scanning/hashes.ts';
import { ScanFailure, scanProject } from '../scanning/scan-project.ts';
import type { ExecuteDeps, Found, ScanRun } from './execute-deps.ts';
import type { Scan } from './scan.ts';
import { openConfig, openToken, originOf, withoutSecrets } from './secrets.ts';
import * as store from './store.ts';

/** How connections to servers are made for a scan. */
export const dialDepsOf = (deps: ExecuteDeps, mayUseNetwork: boolean): DialDeps => ({
  outbound: deps.outbound,
  stdio: deps.stdio,
  mayUseNetwork,
  readable: readableFolders(deps.readableFolders),
  readableBy: 'settings',
  connectTimeoutMs: deps.connectTimeoutMs,
  version: deps.version,
});

/** The scan waits for a token from now on, for another one where one was refused. */
async function waitForToken(
  { challenge }: NeedsAuth,
  scan: Scan,
  token: string | undefined,
  deps: ExecuteDeps,
): Promise<Outcome<null>> {
  const why = `status ${challenge.status}${challenge.error === undefined ? '' : `, ${challenge.error}`}`;
  const refusal = token === undefined ? null : `The MCP server refused the token (${why}). Send another one.`;
  const metadata = await discoverOAuth(deps.outbound, {
    serverName: scan.serverName ?? 'server',
    serverUrl: scan.config?.url ?? '',
    challenge,
  });
  return {
    waiting: 'needs_auth',
    write: (tx: Queries) => store.setNeedsAuth(tx, scan.scanId, metadata, refusal),
  };
}

/** The package of a server that is not started; files of the service's own machine are none of it. */
async function sourceInstead(
  notStarted: NotStarted,
  config: ServerConfig,
  scan: Scan,
  run: ScanRun,
  deps: ExecuteDeps,
): Promise<Found> {
  let contentHash: string | undefined;
  const result = await scanSourceInstead({
    name: scan.serverName ?? 'server',
    config,
    origin: originOf(scan),
    notStarted,
    access: {
      outbound: deps.outbound,
      npmRegistry: deps.npmRegistry,
      limitBytes: deps.limits.packedBytes,
      signal: run.signal,
    },
    local: undefined,
    async scan(source, besides) {
      if (source.kind === 'archive') contentHash = await hashOfFile(source.path);
      return scanProject({
        ...deps,
        judging: deps,
        name: scan.filename,
        source,
        besides,
        signal: run.signal,
        onStage: (step, files) => run.progress({ done: files?.done ?? 0, total: files?.total, step }),
      });
    },
  });
  return { result, ...(contentHash !== undefined && { contentHash }) };
}

/** Undefined where the scan before has not seen the server: then nothing can be said to be new. */
async function toolsOfParent({ db }: ExecuteDeps, { parentScanId }: Scan) {
  const parent = parentScanId === null ? undefined : await store.findScan(db, parentScanId);
  return parent?.status === 'completed' ? (await store.findResult(db, parent.scanId))?.tools : undefined;
}

export async function executeServer(
  scan: Scan,
  run: ScanRun,
  deps: ExecuteDeps,
): Promise<Found | Outcome<null>> {
  const sealed = await store.findSealed(deps.db, scan.scanId);
  if (scan.config === null) throw new ScanFailure('The configuration of this scan is gone.');
  const config = openConfig(scan.config, sealed.secrets, deps.vault);
  const token = openToken(sealed.token, deps.vault);
  const mayUseNetwork = config.allowNetwork && (await deps.mayUseNetwork(scan));
  const toolsBefore = await toolsOfParent(deps, scan);
  try {
    const result = await scanServer({
      name: scan.serverName ?? 'server',
      config,
      origin: originOf(scan),
      token,
      dial: dialDepsOf(deps, mayUseNetwork),
      judge: deps.judge,
      model: deps.model,
      language: deps.language,
      toolsBefore,
      oauth: scan.oauthMetadata ?? undefined,
      now: new Date(deps.clock.now()),
      signal: run.signal,
      onStage: (step) => run.progress({ done: 0, step }),
    });
    return { result, contentHash: contentHashOf(result.tools) };
  } catch (error) {
    if (error instanceof NotStarted) return sourceInstead(error, config, scan, run, deps);
    if (error instanceof NeedsAuth && config.url !== undefined) return waitForToken(error, scan, token, deps);
    throw explained(error, config, token);
  }
}

/** The failure with a message for the scan's owner, which tells no secrets. */
function explained(error: unknown, config: ServerConfig, token: string | undefined): unknown {
  return error instanceof ScanFailure || error instanceof AppError
    ? new ScanFailure(withoutSecrets(error.message, config, token), { cause: error })
    : error;
}
