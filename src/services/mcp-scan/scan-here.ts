/** A scan in this process, with no service and no database: what `bulwark scan` does. */
import { open, readFile, stat } from 'node:fs/promises';
import { invalid } from '#base/errors.ts';
import type { Finding, Location } from '#findings/finding.ts';
import {
  configuredServers,
  parseConfigurationFile,
  type ConfiguredServer,
} from '#engine/mcp-servers/configuration-files.ts';
import { placeAtServer, placeInConfiguration, withPathFromHere } from './sarif-places.ts';
import { judgingOnce, scanFiles, type ScanHere, type ScanHereOptions } from './scan-files-here.ts';

export type { ScanHere } from './scan-files-here.ts';

/** The findings of a scan as SARIF shows them, and where those are shown that have no place of their own. */
export function sarifPlaces({ scans, entries = [] }: ScanHere): {
  shown: (finding: Finding) => Finding;
  placeOf: (finding: Finding) => Location | undefined;
} {
  const servers = new Map(scans.flatMap(({ name, result }) => result.findings.map((each) => [each, name])));
  return {
    shown: (finding) => withPathFromHere(entries, finding),
    placeOf: (finding) =>
      entries.length > 0
        ? placeInConfiguration(entries, servers.get(finding), finding)
        : placeAtServer(servers.get(finding) ?? scans[0]?.name ?? 'server', finding),
  };
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

/** Loaded where it is needed: most scans of a folder do without the network and all that speaks through it. */
const loadOnline = () => import('./scan-online-here.ts');

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
  if (!isAddress) return await scanPath(target, options, stack);
  const { openOnline, scanAddress } = await loadOnline();
  return await scanAddress(target, openOnline(judgingOnce(), options, stack), options);
}

/** @throws AppError for a file that looks like a configuration in TOML and is none */
async function serversOf(path: string): Promise<ConfiguredServer[] | undefined> {
  const text = await readFile(path, 'utf8');
  const value = parseConfigurationFile(path, text);
  if (value === undefined && path.endsWith('.toml') && /^\s*\[\s*mcp_servers\b/m.test(text))
    throw invalid(`${path} names MCP servers and is no valid TOML; mend it and scan again.`);
  return configuredServers(path, text, value);
}

async function scanPath(
  path: string,
  options: ScanHereOptions,
  stack: AsyncDisposableStack,
): Promise<ScanHere> {
  const judging = judgingOnce();
  const isFolder = (await stat(path)).isDirectory();
  const isPacked = !isFolder && (await isArchive(path));
  const mayBeConfiguration = !isFolder && !isPacked && /\.(?:json|toml)$/.test(path);
  const servers = mayBeConfiguration ? await serversOf(path) : undefined;
  if (servers !== undefined) {
    const { openOnline, scanConfiguration } = await loadOnline();
    return scanConfiguration(path, servers, openOnline(judging, options, stack), options);
  }
  const asksForAdvisories = options.osvApiUrl !== undefined || options.osvDbDir !== undefined;
  const tools = asksForAdvisories
    ? (await loadOnline()).openOnline(judging, options, stack)
    : { judging, advisories: undefined };
  return scanFiles(path, isPacked, tools, options);
}
