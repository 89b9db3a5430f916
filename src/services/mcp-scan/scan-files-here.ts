/** Scans of files in this process: what every scan here needs, and nothing of the network. */
import { basename, resolve } from 'node:path';
import { loadTextEngine } from '#engine/text/engine.ts';
import type { Finding } from '#findings/finding.ts';
import { engineJudge } from './scanning/judge-tools.ts';
import type { ProjectSource } from './scanning/read-project.ts';
import type { ScanResult } from './scanning/result.ts';
import { scanProject, type Judging, type ProjectScan } from './scanning/scan-project.ts';
import type { ConfigurationEntry } from './sarif-places.ts';

export interface ScanHereOptions {
  /** What an address is; found out by its host where it is not said. */
  as?: 'repository' | 'server' | undefined;
  revision?: string | undefined;
  /** For a server that wants one. */
  token?: string | undefined;
  repositoryHosts: readonly string[];
  /** stdio servers of a configuration are not started. */
  noStart?: boolean | undefined;
  /** Variables in a configuration are taken from these; without it they stay, unless they have a default. */
  environment?: Readonly<Record<string, string | undefined>> | undefined;
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
  /** Where the servers of a configuration stand in it. */
  entries?: ConfigurationEntry[];
  /** What the servers of a configuration can do together. */
  together: Finding[];
}

export const limits = { packedBytes: 100 * 1024 ** 2, unpackedBytes: 2 * 1024 ** 3, files: 200_000 };
const thread = { timeoutMs: 600_000, memoryBytes: 512 * 1024 ** 2 };

export type FileTools = Pick<ProjectScan, 'advisories'> & { judging: () => Promise<Judging> };

async function loadJudging(): Promise<Judging> {
  const engine = await loadTextEngine();
  const judge = engineJudge(engine);
  // The first text loads the lexicons and compiles the expressions: there is time while the source is read.
  await judge('Reads a file and returns its text.');
  return { judge, model: `bulwark-text ${engine.version}` };
}

/** Who judges descriptions, loaded once, when it is asked for first. */
export function judgingOnce(): () => Promise<Judging> {
  let loaded: Promise<Judging> | undefined;
  return () => (loaded ??= loadJudging());
}

export const projectScan = (
  name: string,
  source: ProjectSource,
  tools: FileTools,
  { signal, onStage, besides }: ScanHereOptions & Pick<ProjectScan, 'besides'>,
) => scanProject({ ...tools, ...thread, name, source, besides, limits, signal, onStage });

/** A folder, an archive or a source file. */
export async function scanFiles(
  path: string,
  isArchive: boolean,
  tools: FileTools,
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
