/** What the server of an earlier scan lists now. */
import { AppError, conflict, forbidden } from '#base/errors.ts';
import type { ServerConfig } from '#engine/mcp-servers/configurations.ts';
import { NeedsAuth, networkRefused, NotStarted } from '../live/dial.ts';
import { listServer, type ListedServer } from '../live/list-server.ts';
import { ScanFailure } from '../scanning/scan-project.ts';
import type { ExecuteDeps } from './execute-deps.ts';
import { dialDepsOf } from './execute-server.ts';
import type { Scan } from './scan.ts';
import { openConfig, withoutSecrets } from './secrets.ts';
import * as store from './store.ts';

/** Why a server could not be listed: it failed, took too long, or must not be asked here. */
function unlisted(error: unknown, config: ServerConfig): AppError {
  const message =
    error instanceof Error ? withoutSecrets(error.message, config) : 'The server could not be listed.';
  if (error instanceof NotStarted) return conflict(message);
  const cause = error instanceof ScanFailure ? error.cause : error;
  const isTold = cause instanceof AppError && (cause.status < 500 || cause.status === 504);
  return new AppError(isTold ? cause.status : 502, 'unlisted', message, { cause: error });
}

async function configOf(scan: Scan, { db, vault }: ExecuteDeps): Promise<ServerConfig> {
  const { secrets } = await store.findSealed(db, scan.scanId);
  try {
    return openConfig(scan.config ?? { args: [], env: {}, headers: {}, allowNetwork: false }, secrets, vault);
  } catch (error) {
    throw conflict(error instanceof Error ? error.message : 'The scan cannot be repeated.');
  }
}

/**
 * Asks the server of a scan anew, once.
 * @returns `listed` undefined where it wants a token, or another one
 * @throws AppError 403, 409 where the settings do not let it be asked, 422, 502, 504
 */
export async function listAgain(
  scan: Scan,
  deps: ExecuteDeps,
  token: string | undefined,
): Promise<{ config: ServerConfig; listed: ListedServer | undefined }> {
  const config = await configOf(scan, deps);
  const mayUseNetwork = config.allowNetwork && (await deps.mayUseNetwork(scan));
  const wantsNetwork = config.command !== undefined && config.allowNetwork;
  if (wantsNetwork && !mayUseNetwork && deps.stdio !== 'off') throw forbidden(networkRefused);
  try {
    const asking = { token, isThorough: false };
    return { config, listed: await listServer(config, dialDepsOf(deps, mayUseNetwork), asking) };
  } catch (error) {
    if (error instanceof NeedsAuth) return { config, listed: undefined };
    throw unlisted(error, config);
  }
}
