/** A stdio server that is not started: what can be read of its source is scanned in its place. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { packageOf } from '#engine/mcp-servers/launched-package.ts';
import { configFindings, type ConfigOrigin } from '#engine/mcp-servers/config-findings.ts';
import type { Observation } from '#findings/finding.ts';
import type { ServerConfig } from '#engine/mcp-servers/configurations.ts';
import type { ProjectSource } from '../scanning/read-project.ts';
import type { ScanResult } from '../scanning/result.ts';
import type { NotStarted } from './dial.ts';
import { fetchPackage, type PackageAccess } from './package-archive.ts';

/** Files that stand beside the source of a project, but not in its folders of source. */
const manifests = ['package.json', 'pyproject.toml', 'go.mod', 'Cargo.toml', 'pom.xml', 'requirements.txt'];
const mostLevels = 4;

const isFile = async (path: string) => (await stat(path).catch(() => undefined))?.isFile() === true;

/** The folder of the project that a file is part of; undefined where nothing says so. */
async function projectOf(file: string): Promise<string | undefined> {
  let folder = dirname(file);
  for (let level = 0; level < mostLevels && dirname(folder) !== folder; level += 1) {
    for (const name of manifests) if (await isFile(join(folder, name))) return folder;
    folder = dirname(folder);
  }
  return undefined;
}

/**
 * What the arguments of a command name on this machine: the project of a file, a folder, or the file alone. For the
 * command line only: paths of a configuration that somebody sent to a service say nothing about the service's machine.
 */
export async function sourceOnThisMachine({
  command = '',
  args,
}: Pick<ServerConfig, 'command' | 'args'>): Promise<ProjectSource | undefined> {
  for (const word of [...args, command]) {
    if (!/[\\/.]/.test(word) || word.includes('://') || word.startsWith('-')) continue;
    const path = resolve(word);
    const stats = await stat(path).catch(() => undefined);
    const isProgram = word === command;
    if (stats === undefined || (isProgram && !/\.(?:[cm]?[jt]sx?|py)$/.test(word))) continue;
    const at = stats.isFile() ? ((await projectOf(path)) ?? path) : path;
    return { kind: 'folder', path: at, stripRoot: false, skipLinks: true };
  }
  return undefined;
}

export interface Fallback {
  name: string;
  config: ServerConfig;
  origin: ConfigOrigin;
  notStarted: NotStarted;
  access: PackageAccess;
  /** Of this machine, where its paths may be read. */
  local: ProjectSource | undefined;
  /** With what is known besides the source. */
  scan: (source: ProjectSource, besides: readonly Observation[]) => Promise<ScanResult>;
}

/**
 * Scans the source of a server that is not started, and says so in the notes of the result.
 * @throws the reason why it is not started, where nothing of it can be read
 */
export async function scanSourceInstead(fallback: Fallback): Promise<ScanResult> {
  const { name, config, origin, notStarted, access, local, scan } = fallback;
  const ofConfiguration = configFindings(name, config, origin);
  const told = (result: ScanResult, what: string): ScanResult => ({
    ...result,
    notes: [
      `The server was not started; its source was read instead (${what}). ${notStarted.why}`,
      ...result.notes,
    ],
  });
  if (local !== undefined) return told(await scan(local, ofConfiguration), local.path);
  const launched = packageOf(config);
  if (launched === undefined) throw notStarted;
  const folder = await mkdtemp(join(tmpdir(), 'bulwark-scan-'));
  try {
    const path = join(folder, 'package');
    if (!(await fetchPackage(launched, path, access))) throw notStarted;
    const result = await scan({ kind: 'archive', path, stripRoot: true, skipLinks: true }, ofConfiguration);
    return told(result, `the package ${launched.name}@${launched.version ?? 'latest'}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
