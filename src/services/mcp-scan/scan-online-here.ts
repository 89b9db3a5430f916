/** Scans of repositories, live servers and configurations in this process: what needs the network. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { AppError, invalid } from '#base/errors.ts';
import { openOutbound, type Outbound } from '#base/net/outbound.ts';
import { configFindings } from '#engine/mcp-servers/config-findings.ts';
import type { ConfiguredServer } from '#engine/mcp-servers/configuration-files.ts';
import { inCommonNames, readServerConfig, type ServerConfig } from '#engine/mcp-servers/configurations.ts';
import { definitionFault } from '#engine/mcp-servers/definition-faults.ts';
import { expanded, leftVariables } from '#engine/mcp-servers/variables.ts';
import type { Finding } from '#findings/finding.ts';
import { withFingerprints } from '#findings/fingerprint.ts';
import { NeedsAuth, NotStarted, type DialDeps } from './live/dial.ts';
import { readableFor, withAbsolutePaths } from './live/readable.ts';
import { scanServer } from './live/scan-server.ts';
import { scanSourceInstead, sourceOnThisMachine } from './live/source-fallback.ts';
import { openAdvisories } from './scanning/advisories.ts';
import { fetchArchive, readRepositoryUrl, resolveRevision } from './scanning/repository.ts';
import type { ScanResult } from './scanning/result.ts';
import { ScanFailure, type Judging } from './scanning/scan-project.ts';
import { crossServer } from './scans/batches.ts';
import {
  type FileTools,
  limits,
  projectScan,
  type ScanHere,
  type ScanHereOptions,
} from './scan-files-here.ts';

export interface OnlineTools extends FileTools {
  outbound: Outbound;
}

/** The network as the options say, closed with the stack. */
export function openOnline(
  judging: () => Promise<Judging>,
  { osvApiUrl, osvDbDir }: ScanHereOptions,
  stack: AsyncDisposableStack,
): OnlineTools {
  // What is scanned is the caller's own choice, on the caller's own machine.
  const outbound = stack.use(openOutbound({ environment: 'development', allowPrivateNetwork: ['true'] }));
  const advisories = openAdvisories({ apiUrl: osvApiUrl, dbDir: osvDbDir, outbound });
  return { outbound, judging, advisories };
}

async function scanRepository(url: string, tools: OnlineTools, options: ScanHereOptions): Promise<ScanHere> {
  const { repositoryHosts: hosts, signal, onStage, revision = '' } = options;
  const repository = readRepositoryUrl(url, hosts);
  const access = { outbound: tools.outbound, hosts, signal };
  onStage('resolving the revision');
  const { commit } = await resolveRevision(repository, revision, access);
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

function dialOf(
  config: ServerConfig,
  { outbound }: OnlineTools,
  { version, noStart }: ScanHereOptions,
): DialDeps {
  return {
    outbound,
    stdio: noStart === true ? 'off' : 'sandbox',
    mayUseNetwork: true,
    readable: readableFor(config),
    connectTimeoutMs: 15_000,
    version,
  };
}

/** What stands in the file is told with its line, besides the scans of its servers. */
const origin = { areSecretsKept: true };

interface Defined {
  /** As it stands in the configuration. */
  declared: ServerConfig;
  /** With the variables that were expanded. */
  config: ServerConfig;
}

async function scanOneServer(
  name: string,
  { config, declared }: Defined,
  tools: OnlineTools,
  options: ScanHereOptions,
): Promise<ScanResult> {
  const { token, signal, onStage } = options;
  const started = withAbsolutePaths(config);
  try {
    return await scanServer({
      ...(await tools.judging()),
      name,
      config: started,
      declared,
      origin,
      token,
      dial: dialOf(started, tools, options),
      now: new Date(),
      signal,
      onStage: (stage) => onStage(`${name}: ${stage}`),
    });
  } catch (error) {
    if (error instanceof NotStarted)
      return scanSourceInstead({
        name,
        config: declared,
        notStarted: error,
        access: {
          outbound: tools.outbound,
          npmRegistry: options.npmRegistry,
          limitBytes: limits.packedBytes,
          signal,
        },
        origin,
        local: await sourceOnThisMachine(config),
        scan: (source, besides) => projectScan(name, source, tools, { ...options, besides }),
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

/** A definition as it stands, as it is used, and the variables that are left in that. */
function definedBy(given: unknown, { environment }: ScanHereOptions) {
  const common = inCommonNames(given);
  const declared = readServerConfig(expanded(common, undefined));
  const config = readServerConfig(expanded(common, environment));
  return { declared, config, left: leftVariables(config) };
}

const leftNote = (left: readonly string[], { environment }: ScanHereOptions): string =>
  environment === undefined
    ? `Variables were left as they stand: ${left.join(', ')}. --expand-env takes them from the environment.`
    : `Variables were left as they stand, since the environment has none of these names: ${left.join(', ')}.`;

/** All servers that a configuration names. */
export async function scanConfiguration(
  path: string,
  servers: readonly ConfiguredServer[],
  tools: OnlineTools,
  options: ScanHereOptions,
): Promise<ScanHere> {
  const entries = servers.map(({ name, line }) => ({ name, path, line }));
  const here: ScanHere = { kind: 'configuration', scans: [], failed: [], entries, together: [] };
  const ofFile: Finding[] = [];
  for (const { name, given, line } of servers) {
    const { declared, config, left } = definedBy(given, options);
    const note = left.length === 0 ? [] : [leftNote(left, options)];
    const fault = [config, declared].find((each) => typeof each === 'string');
    if (typeof config === 'string' || typeof declared === 'string') {
      here.failed.push({ name, reason: [`The definition ${fault ?? ''}.`, ...note].join(' ') });
      continue;
    }
    ofFile.push(...withFingerprints(configFindings(name, declared, { at: { path: basename(path), line } })));
    const dropped = definitionFault(given);
    if (dropped !== undefined) {
      here.failed.push({ name, reason: [`The definition ${dropped}.`, ...note].join(' ') });
      continue;
    }
    try {
      const result = await scanOneServer(name, { declared, config }, tools, options);
      here.scans.push({ name, result: { ...result, notes: [...note, ...result.notes] } });
    } catch (error) {
      if (!(error instanceof ScanFailure) && !(error instanceof AppError)) throw error;
      here.failed.push({ name, reason: [error.message, ...note].join(' ') });
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

const isRepositoryUrl = (url: URL, hosts: readonly string[]) =>
  hosts.some((host) => host.replace(/^https?:\/\//, '') === url.host) || url.pathname.endsWith('.git');

/** A repository or a live server. */
export async function scanAddress(
  target: string,
  tools: OnlineTools,
  options: ScanHereOptions,
): Promise<ScanHere> {
  const url = new URL(target);
  const kind = options.as ?? (isRepositoryUrl(url, options.repositoryHosts) ? 'repository' : 'server');
  if (kind === 'repository') {
    const hosts =
      options.as === undefined ? options.repositoryHosts : [...options.repositoryHosts, url.origin];
    return scanRepository(target, tools, { ...options, repositoryHosts: hosts });
  }
  const config = readServerConfig({ url: target });
  if (typeof config === 'string') throw invalid(`${target} ${config}.`);
  const result = await scanOneServer(url.host, { declared: config, config }, tools, options);
  return { kind: 'server', scans: [{ name: url.host, result }], failed: [], together: [] };
}
