/** Connections to servers that are scanned: nobody vouches for them, and they are looked at and never used. */
import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { AppError } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';
import { findSandbox } from '#base/processes/sandbox.ts';
import type { ServerConfig } from '#engine/mcp-servers/configurations.ts';
import { headerFault } from '#engine/mcp-servers/definition-faults.ts';
import { connect, type Connection } from '#mcp/connection.ts';
import { HttpTransport } from '#mcp/http-transport.ts';
import type { Fields } from '#mcp/json-rpc.ts';
import type { Challenge } from '#mcp/oauth/challenge.ts';
import { SseTransport } from '#mcp/sse-transport.ts';
import { StdioTransport } from '#mcp/stdio-transport.ts';
import type { Credentials, Transport } from '#mcp/transport.ts';
import { isWithin } from './readable.ts';
import { ScanFailure } from '../scanning/scan-project.ts';

export type StdioPolicy = 'auto' | 'sandbox' | 'off' | 'unsafe';

export interface DialDeps {
  outbound: Outbound;
  stdio: StdioPolicy;
  /** A server's `allow_network` counts. */
  mayUseNetwork: boolean;
  /** Folders and files of this machine that a stdio server may read in its sandbox. */
  readable?: readonly string[];
  /** Who said so: an operator's settings, or the command line of the server itself. Default: the latter. */
  readableBy?: 'settings' | 'arguments';
  connectTimeoutMs: number;
  /** Of a stdio server in its sandbox; one that tells its user id would seem to change otherwise. */
  sandboxUser?: number;
  version: string;
}

/** The server wants a token. */
export class NeedsAuth extends Error {
  override readonly name = 'NeedsAuth';
  readonly challenge: Challenge;

  constructor(challenge: Challenge) {
    super('The MCP server wants a token.');
    this.challenge = challenge;
  }
}

/** A stdio server that is not started here; what can be read of its source may be scanned in its place. */
export class NotStarted extends ScanFailure {
  /** Without the advice to scan its source. */
  readonly why: string;

  constructor(why: string) {
    super(`${why} ${instead}`);
    this.why = why;
  }
}

const instead = 'Scan its source instead, or send its tools to /process/tools.';

const messageBytes = 5 * 1024 * 1024;
const limits = {
  memoryBytes: 512 * 1024 ** 2,
  cpuMs: 20_000,
  wallMs: 60_000,
  outputBytes: 32 * 1024 ** 2,
  fileBytes: 64 * 1024 ** 2,
  processes: 64,
  openFiles: 256,
};

/** A bare 403 asks for no token, and another one would not help. */
const forbiddenHere = (token: string | undefined): string =>
  `The MCP server answered 403 (forbidden) and asks for no token${token === undefined ? '' : ', though one was sent'}: it refuses this client. Let its operator admit the address of this machine, or give the headers that it wants in 'headers'.`;

function credentialsOf(config: ServerConfig, token: string | undefined): Credentials {
  const headers = {
    ...Object.fromEntries(Object.entries(config.headers).map(([name, value]) => [name.toLowerCase(), value])),
    ...(token !== undefined && { authorization: `Bearer ${token.replace(/^bearer\s+/i, '')}` }),
  };
  return {
    headers: () => Promise.resolve(headers),
    refused(challenge) {
      return Promise.reject(
        challenge.status === 403 && !challenge.isBearer
          ? new ScanFailure(forbiddenHere(token))
          : new NeedsAuth(challenge),
      );
    },
  };
}

/** @throws ScanFailure for a header that no request may carry */
function assertHeaders({ headers }: ServerConfig): void {
  for (const [name, value] of Object.entries(headers)) {
    const fault = headerFault(name, value);
    if (fault !== undefined) throw new ScanFailure(`The definition ${fault}.`);
  }
}

export const networkRefused =
  "'allow_network' gives a stdio server the network of this machine; only administrators of the tenant system may set it.";

/** @throws NotStarted where no server is started here; ScanFailure where this one must not be */
async function assertMayStart(
  { allowNetwork }: ServerConfig,
  { stdio, mayUseNetwork, readableBy }: DialDeps,
): Promise<void> {
  if (stdio === 'off')
    throw new NotStarted(
      `Starting a stdio server runs its code, and no server is started here (${readableBy === 'settings' ? 'the setting mcp_scan.stdio is off' : '--no-start was given'}).`,
    );
  if (allowNetwork && !mayUseNetwork) throw new ScanFailure(networkRefused);
  if (stdio === 'unsafe') return;
  const sandbox = await findSandbox();
  if (sandbox.kind === 'none')
    throw new NotStarted(
      `Starting a stdio server runs its code, and no sandbox can be made on this machine (${sandbox.why.slice(0, 300)}).`,
    );
}

const softwarePath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** A link of `node_modules/.bin`, and what it leads to. */
function isForNode(path: string): boolean {
  try {
    return /^#!.*\bnode\b/.test(readFileSync(path, 'latin1').slice(0, 200));
  } catch {
    return false;
  }
}

/** `node` is the one that runs this, as it is for gateways: another may be too old for the server, or missing. */
function programOf(
  { command = '', args, env }: ServerConfig,
  readable: readonly string[],
): Pick<ServerConfig, 'args'> & { command: string } {
  if (env['PATH'] !== undefined) return { command, args };
  if (command === 'node') return { command: process.execPath, args };
  const isShown = isAbsolute(command) && readable.some((folder) => isWithin(command, folder));
  return isShown && isForNode(command)
    ? { command: process.execPath, args: [command, ...args] }
    : { command, args };
}

async function stdioTransport(config: ServerConfig, deps: DialDeps): Promise<Transport> {
  const { stdio, readable = [], sandboxUser } = deps;
  await assertMayStart(config, deps);
  return new StdioTransport({
    ...programOf(config, readable),
    env: config.env,
    searchPath: config.env['PATH'] ?? softwarePath,
    limitBytes: messageBytes,
    limits,
    ...(stdio !== 'unsafe' && {
      sandbox: {
        policy: 'required' as const,
        network: config.allowNetwork,
        ...(sandboxUser !== undefined && { userId: sandboxUser }),
        mounts: readable.map((source) => ({ source })),
      },
    }),
  });
}

const nobody = { onNotification: () => undefined, onClosed: () => undefined };

async function open(
  transport: Transport,
  config: ServerConfig,
  deps: DialDeps,
  clientName: string,
): Promise<Connection> {
  const info: Fields = { name: clientName, version: deps.version };
  return connect({
    transport,
    client: { info, capabilities: {} },
    era: config.transport === 'sse' ? 'legacy' : undefined,
    timeoutMs: deps.connectTimeoutMs,
    handlers: nobody,
  });
}

/** Whether a server has no streamable HTTP at this address, and may have the older transport. */
const mayBeOlder = (error: unknown): boolean =>
  error instanceof AppError &&
  error.code === 'upstream_refused' &&
  /answered (?:400|404|405|406|415)\b/.test(error.message);

/**
 * Connects under a client's name.
 * @throws NeedsAuth; ScanFailure; AppError
 */
export async function dial(
  config: ServerConfig,
  deps: DialDeps,
  { clientName, token }: { clientName: string; token: string | undefined },
): Promise<Connection> {
  if (config.url === undefined) return open(await stdioTransport(config, deps), config, deps, clientName);
  assertHeaders(config);
  const http = {
    url: config.url,
    outbound: deps.outbound,
    credentials: credentialsOf(config, token),
    limitBytes: messageBytes,
  };
  if (config.transport === 'sse') return open(new SseTransport(http), config, deps, clientName);
  try {
    return await open(new HttpTransport(http), config, deps, clientName);
  } catch (error) {
    if (config.transport !== undefined || !mayBeOlder(error)) throw error;
    const older = { ...config, transport: 'sse' as const };
    return open(new SseTransport(http), older, deps, clientName).catch((later: unknown) => {
      // Where it has neither, what it said first is told.
      throw later instanceof AppError && later.code === 'upstream_refused' ? error : later;
    });
  }
}
