/** A scan in this process, with no service and no database: what `bulwark scan` does. */
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError, invalid } from '#base/errors.ts';
import { openOutbound, type Outbound } from '#base/net/outbound.ts';
import { configFindings } from '#engine/mcp-servers/config-findings.ts';
import { readServerConfig, serversIn, type ServerConfig } from '#engine/mcp-servers/configurations.ts';
import { loadTextEngine } from '#engine/text/engine.ts';
import type { Finding } from '#findings/finding.ts';
import { withFingerprints } from '#findings/fingerprint.ts';
import { NeedsAuth, NotStarted, type DialDeps } from './live/dial.ts';
import { scanServer } from './live/scan-server.ts';
import { scanSourceInstead, sourceOnThisMachine } from './live/source-fallback.ts';
import { openAdvisories } from './scanning/advisories.ts';
import { engineJudge } from './scanning/judge-tools.ts';
import type { ProjectSource } from './scanning/read-project.ts';
import { fetchArchive, readRepositoryUrl, resolveRevision } from './scanning/repository.ts';
import type { ScanResult } from './scanning/result.ts';
import { ScanFailure, scanProject, type Judging, type ProjectScan } from './scanning/scan-project.ts';
import { crossServer } from './scans/batches.ts';

export interface ScanHereOptions {
  /** What an address is; found out by its host where it is not said. */
  as?: 'repository' | 'server' | undefined;
  revision?: string | undefined;
  /** For a server that wants one. */
  token?: string | undefined;
  repositoryHosts: readonly string[];
  /** stdio servers of a configuration are not started. */
  noStart?: boolean | undefined;
  npmRegistry?: string | undefined;
  osvApiUrl?: string | undefined;
  osvDbDir?: string | undefined;
  version: string;
  signal?: AbortSignal | undefined;
  onStage: (stage: string, files?: { done: number; total: number }) => void;
}

export interface ScannedHere {
  name: string;
  result: ScanResult;
}

export interface ScanHere {
  kind: 'source' | 'repository' | 'server' | 'configuration';
  /** The commit of a repository. */
  commit?: string;
  scans: ScannedHere[];
  /** Servers that could not be scanned, with the reason. */
  failed: { name: string; reason: string }[];
  /** What the servers of a configuration can do together. */
  together: Finding[];
}

const limits = { packedBytes: 100 * 1024 ** 2, unpackedBytes: 2 * 1024 ** 3, files: 200_000 };
const thread = { timeoutMs: 600_000, memoryBytes: 1024 ** 3 };

interface Tools extends Pick<ProjectScan, 'judging' | 'advisories'> {
  outbound: Outbound;
}

async function loadJudging(): Promise<Judging> {
  const engine = await loadTextEngine();
  const judge = engineJudge(engine);
  // The first text loads the lexicons and compiles the expressions: there is time while the source is read.
  await judge('Reads a file and returns its text.');
  return { judge, model: `bulwark-text ${engine.version}` };
}

function openTools({ osvApiUrl, osvDbDir }: ScanHereOptions, stack: AsyncDisposableStack): Tools {
  const judging = loadJudging();
  // Whoever waits for it hears of a failure, perhaps only after the source was read.
  judging.catch(() => undefined);
  // What is scanned is the caller's own choice, on the caller's own machine.
  const outbound = stack.use(openOutbound({ environment: 'development', allowPrivateNetwork: ['true'] }));
  return {
    outbound,
    judging,
    advisories: openAdvisories({ apiUrl: osvApiUrl, dbDir: osvDbDir, outbound }),
  };
}

const projectScan = (
  name: string,
  source: ProjectSource,
  tools: Tools,
  { signal, onStage }: ScanHereOptions,
) => scanProject({ ...tools, ...thread, name, source, limits, signal, onStage });

async function scanFiles(
  path: string,
  isArchive: boolean,
  tools: Tools,
  options: ScanHereOptions,
): Promise<ScanHere> {
  const name = basename(resolve(path));
  const source = {
    kind: isArchive ? ('archive' as const) : ('folder' as const),
    path,
    stripRoot: false,
    skipLinks: true,
  };
  return {
    kind: 'source',
    scans: [{ name, result: await projectScan(name, source, tools, options) }],
    failed: [],
    together: [],
  };
}

async function scanRepository(url: string, tools: Tools, options: ScanHereOptions): Promise<ScanHere> {
  const { repositoryHosts: hosts, signal, onStage, revision = '' } = options;
  const repository = readRepositoryUrl(url, hosts);
  const access = { outbound: tools.outbound, hosts, signal };
  onStage('resolving the revision');
  const commit = await resolveRevision(repository, revision, access);
  const folder = await mkdtemp(join(tmpdir(), 'bulwark-scan-'));
  try {
    const path = join(folder, 'archive');
    onStage('fetching the repository');
    await fetchArchive(repository, commit, path, { ...access, limitBytes: limits.packedBytes });
    const source = { kind: 'archive' as const, path, stripRoot: true, skipLinks: true };
    const result = await projectScan(repository.name, source, tools, options);
    return {
      kind: 'repository',
      commit,
      scans: [{ name: repository.name, result }],
      failed: [],
      together: [],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Folders and files that the arguments of a server name, which it must be able to read to start. */
async function namedPaths(args: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const arg of args) {
    if (!/[\\/.]/.test(arg) || arg.includes('://') || arg.startsWith('-')) continue;
    const stats = await stat(arg).catch(() => undefined);
    if (stats?.isFile()) found.push(dirname(resolve(arg)));
    else if (stats?.isDirectory()) found.push(resolve(arg));
  }
  return [...new Set(found)];
}

async function dialOf(
  config: ServerConfig,
  { outbound }: Tools,
  { version, noStart }: ScanHereOptions,
): Promise<DialDeps> {
  return {
    outbound,
    stdio: noStart === true ? 'off' : 'sandbox',
    mayUseNetwork: true,
    readable: await namedPaths(config.args),
    connectTimeoutMs: 15_000,
    version,
  };
}

async function scanOneServer(
  name: string,
  config: ServerConfig,
  tools: Tools,
  options: ScanHereOptions,
): Promise<ScanResult> {
  const { token, signal, onStage } = options;
  try {
    return await scanServer({
      ...(await tools.judging),
      name,
      config,
      token,
      dial: await dialOf(config, tools, options),
      now: new Date(),
      signal,
      onStage: (stage) => onStage(`${name}: ${stage}`),
    });
  } catch (error) {
    if (error instanceof NotStarted)
      return scanSourceInstead({
        name,
        config,
        notStarted: error,
        access: {
          outbound: tools.outbound,
          npmRegistry: options.npmRegistry,
          limitBytes: limits.packedBytes,
          signal,
        },
        local: await sourceOnThisMachine(config),
        scan: (source) => projectScan(name, source, tools, options),
      });
    if (error instanceof NeedsAuth)
      throw new ScanFailure(
        token === undefined
          ? 'The server wants a token: set BULWARK_MCP_AUTH_TOKEN to one.'
          : `The server refused the token (status ${error.challenge.status}).`,
        { cause: error },
      );
    throw error;
  }
}

async function scanConfiguration(
  path: string,
  servers: Record<string, unknown>,
  text: string,
  tools: Tools,
  options: ScanHereOptions,
): Promise<ScanHere> {
  const here: ScanHere = { kind: 'configuration', scans: [], failed: [], together: [] };
  const ofFile: Finding[] = [];
  for (const [name, given] of Object.entries(servers)) {
    const config = readServerConfig(given);
    if (typeof config === 'string') {
      here.failed.push({ name, reason: `The definition ${config}.` });
      continue;
    }
    const line = text.slice(0, Math.max(0, text.indexOf(JSON.stringify(name)))).split('\n').length;
    ofFile.push(...withFingerprints(configFindings(name, config, { path: basename(path), line })));
    try {
      here.scans.push({ name, result: await scanOneServer(name, config, tools, options) });
    } catch (error) {
      if (!(error instanceof ScanFailure) && !(error instanceof AppError)) throw error;
      here.failed.push({ name, reason: error.message });
    }
  }
  const listed = here.scans.map(({ name, result }) => ({ server: name, tools: result.tools }));
  const known = new Set(
    here.scans.flatMap(({ result }) => result.findings.map(({ rule, subject }) => `${rule} ${subject}`)),
  );
  here.together = [
    ...(await crossServer(listed)),
    ...ofFile.filter(({ rule, subject }) => !known.has(`${rule} ${subject}`)),
  ];
  return here;
}

async function isArchive(path: string): Promise<boolean> {
  await using file = await open(path);
  const head = Buffer.alloc(512);
  await file.read(head, 0, 512, 0);
  return (
    head.toString('latin1', 0, 2) === 'PK' ||
    head.readUInt16BE(0) === 0x1f8b ||
    head.toString('latin1', 257, 262) === 'ustar'
  );
}

const isRepositoryUrl = (url: URL, hosts: readonly string[]) =>
  hosts.some((host) => host.replace(/^https?:\/\//, '') === url.host) || url.pathname.endsWith('.git');

async function scanAddress(target: string, tools: Tools, options: ScanHereOptions): Promise<ScanHere> {
  const url = new URL(target);
  const kind = options.as ?? (isRepositoryUrl(url, options.repositoryHosts) ? 'repository' : 'server');
  if (kind === 'repository') {
    const hosts =
      options.as === undefined ? options.repositoryHosts : [...options.repositoryHosts, url.origin];
    return scanRepository(target, tools, { ...options, repositoryHosts: hosts });
  }
  const config = readServerConfig({ url: target });
  if (typeof config === 'string') throw invalid(`${target} ${config}.`);
  const result = await scanOneServer(url.host, config, tools, options);
  return { kind: 'server', scans: [{ name: url.host, result }], failed: [], together: [] };
}

/**
 * Scans a folder, an archive, a source file, a repository, a configuration or a server.
 * @throws ScanFailure, AppError with a sentence for people
 */
export async function scanHere(target: string, options: ScanHereOptions): Promise<ScanHere> {
  await using stack = new AsyncDisposableStack();
  const isAddress = /^https?:\/\//i.test(target);
  if (isAddress && !URL.canParse(target)) throw invalid(`${target} is no address.`);
  if (!isAddress && (await stat(target).catch(() => undefined)) === undefined)
    throw invalid(`${target} is neither a file or folder here nor an http:// or https:// address.`);
  const tools = openTools(options, stack);
  return await (isAddress ? scanAddress(target, tools, options) : scanPath(target, tools, options));
}

async function scanPath(path: string, tools: Tools, options: ScanHereOptions): Promise<ScanHere> {
  if ((await stat(path)).isDirectory()) return scanFiles(path, false, tools, options);
  if (await isArchive(path)) return scanFiles(path, true, tools, options);
  if (path.endsWith('.json')) {
    const text = await readFile(path, 'utf8');
    const servers = serversIn(parsed(text));
    if (servers !== undefined) return scanConfiguration(path, servers, text, tools, options);
  }
  return scanFiles(path, false, tools, options);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, ''));
  } catch {
    return undefined;
  }
}
